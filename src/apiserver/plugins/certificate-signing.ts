import { stringAt, type Value, type ValueMap } from '../../kubernetes/value.js';
import type { AdmissionPlugin } from '../admission/chain.js';
import { semanticallyEqual } from '../objects/semantic-equality.js';
import { concerns } from './main-object.js';
import { presumePermission } from './presumed-permission.js';

/** Who signs a request must be allowed to for its signer, which is presumed. Source: kubernetes plugin/pkg/admission/certificates/signing. */
export const certificateSigning: AdmissionPlugin = {
  name: 'CertificateSigning',
  operations: ['UPDATE'],
  validate: (attributes, { record }) => {
    const { object, oldObject, subresource } = attributes;
    if (subresource !== 'status' || !concerns(attributes, 'certificatesigningrequests.certificates.k8s.io')) return;
    if (object === undefined || oldObject === undefined) return;
    if (semanticallyEqual(statusOf(object.value), statusOf(oldObject.value), object.codec)) return;
    presumePermission(attributes, record, `sign requests with signerName ${stringAt(oldObject.value, 'spec', 'signerName')}`);
  },
};

function statusOf(request: ValueMap): ValueMap {
  const status: Value = request.get('status') ?? new Map();
  return new Map([['status', status]]);
}
