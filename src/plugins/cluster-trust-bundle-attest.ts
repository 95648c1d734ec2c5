import type { AdmissionPlugin } from '../apiserver/admission/chain.js';
import { stringAt } from '../go/value.js';
import { mainObject } from './main-object.js';
import { checkSigner } from './permission.js';

/**
 * ClusterTrustBundleAttest: requires the permission to attest for the bundle's signer. Source: kubernetes
 * plugin/pkg/admission/certificates/ctbattest.
 */
export const clusterTrustBundleAttest: AdmissionPlugin = {
  name: 'ClusterTrustBundleAttest',
  operations: ['CREATE', 'UPDATE'],
  validate: (attributes, context) => {
    const signer = stringAt(mainObject(attributes, 'clustertrustbundles.certificates.k8s.io'), 'spec', 'signerName');
    if (signer !== '') checkSigner(attributes, context, { verb: 'attest', signer, action: 'attest for' });
  },
};
