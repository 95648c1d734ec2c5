import type { AdmissionPlugin } from '../apiserver/admission/chain.js';
import { semanticallyEqual } from '../apiserver/objects/semantic-equality.js';
import { stringAt, type Value, type ValueMap, valueAt } from '../go/value.js';
import { concerns } from './main-object.js';
import { checkSigner } from './permission.js';

/**
 * CertificateSigning: requires the permission to sign requests for the signer. Source: kubernetes
 * plugin/pkg/admission/certificates/signing.
 */
export const certificateSigning: AdmissionPlugin = {
  name: 'CertificateSigning',
  operations: ['UPDATE'],
  validate: (attributes, context) => {
    const { object, oldObject, subresource } = attributes;
    if (subresource !== 'status' || !concerns(attributes, 'certificatesigningrequests.certificates.k8s.io')) return;
    if (object === undefined || oldObject === undefined) return;
    if (semanticallyEqual(context.server, statusOf(object.value), statusOf(oldObject.value), object.codec)) return;
    const signer = stringAt(oldObject.value, 'spec', 'signerName');
    checkSigner(attributes, context, { verb: 'sign', signer, action: 'sign requests with' });
  },
};

/** Returns the parts of the status that only signers may change. */
function statusOf(request: ValueMap): ValueMap {
  const members = ['certificate', 'conditions'].flatMap(name => {
    const member = valueAt(request, 'status', name);
    return member === undefined ? [] : [[name, member] as const];
  });
  return new Map<string, Value>([['status', new Map(members)]]);
}
