import { stringAt } from '../../kubernetes/value.js';
import type { AdmissionPlugin } from '../admission/chain.js';
import { mainObject } from './main-object.js';
import { presumePermission } from './presumed-permission.js';

/** Who writes a bundle must be allowed to for its signer, which is presumed. Source: kubernetes plugin/pkg/admission/certificates/ctbattest. */
export const clusterTrustBundleAttest: AdmissionPlugin = {
  name: 'ClusterTrustBundleAttest',
  operations: ['CREATE', 'UPDATE'],
  validate: (attributes, { record }) => {
    const signer = stringAt(mainObject(attributes, 'clustertrustbundles.certificates.k8s.io'), 'spec', 'signerName');
    if (signer !== '') presumePermission(attributes, record, `attest for signerName ${signer}`);
  },
};
