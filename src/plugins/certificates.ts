import type { AdmissionPlugin } from '../apiserver/admission/chain.js';
import { admissionRefusal } from '../apiserver/admission/name-in-refusal.js';
import { semanticallyEqual } from '../apiserver/objects/semantic-equality.js';
import { stringAt, type Value, type ValueMap, valueAt } from '../go/value.js';
import { concernsMainObject, mainObject } from './objects/main-object.js';
import { checkSigner } from './permission.js';

/**
 * Returns the organizations in the subject of a PKCS #10 request, PEM in base64; none when it cannot be parsed, which validation refuses
 * earlier.
 */
export function organizationsOf(request: string): string[] {
  const pem = Buffer.from(request, 'base64').toString('latin1');
  const body = /-----BEGIN CERTIFICATE REQUEST-----([\s\S]*?)-----END CERTIFICATE REQUEST-----/.exec(pem)?.[1];
  if (body === undefined) return [];
  // Lines before an empty one are PEM headers.
  const [outer] = elementsOf(Buffer.from(body.replace(/^[\s\S]*\n\s*\n/, ''), 'base64'));
  const [information] = elementsOf(outer?.content);
  const subject = elementsOf(information?.content)[1];
  return elementsOf(subject?.content)
    .flatMap(set => elementsOf(set.content))
    .flatMap(({ content }) => {
      const [type, value] = elementsOf(content);
      return type !== undefined && value !== undefined && type.content.equals(organization) ? [value.content.toString('utf8')] : [];
    });
}

/** OID 2.5.4.10. */
const organization = Buffer.from([0x55, 0x04, 0x0a]);

interface Element {
  readonly content: Buffer;
}

/** Parses consecutive DER elements, up to the first invalid one. */
function elementsOf(bytes: Buffer | undefined): Element[] {
  const elements: Element[] = [];
  let at = 0;
  while (bytes !== undefined && at + 2 <= bytes.length) {
    const first = bytes[at + 1] ?? 0;
    const lengthBytes = first < 0x80 ? 0 : first & 0x7f;
    const start = at + 2 + lengthBytes;
    if (lengthBytes > 4 || start > bytes.length) break;
    const length = lengthBytes === 0 ? first : bytes.readUIntBE(at + 2, lengthBytes);
    if (start + length > bytes.length) break;
    elements.push({ content: bytes.subarray(start, start + length) });
    at = start + length;
  }
  return elements;
}

/**
 * CertificateApproval: requires the permission to approve requests for the signer. Source: kubernetes
 * plugin/pkg/admission/certificates/approval.
 */
export const certificateApprovalPlugin: AdmissionPlugin = {
  name: 'CertificateApproval',
  operations: ['UPDATE'],
  validate: (attributes, context) => {
    if (attributes.subresource !== 'approval' || !concernsMainObject(attributes, 'certificatesigningrequests.certificates.k8s.io')) return;
    const signer = stringAt(attributes.oldObject?.value, 'spec', 'signerName');
    checkSigner(attributes, context, { verb: 'approve', signer, action: 'approve requests with' });
  },
};

/**
 * CertificateSigning: requires the permission to sign requests for the signer. Source: kubernetes
 * plugin/pkg/admission/certificates/signing.
 */
export const certificateSigning: AdmissionPlugin = {
  name: 'CertificateSigning',
  operations: ['UPDATE'],
  validate: (attributes, context) => {
    const { object, oldObject, subresource } = attributes;
    if (subresource !== 'status' || !concernsMainObject(attributes, 'certificatesigningrequests.certificates.k8s.io')) return;
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

const signer = 'kubernetes.io/kube-apiserver-client';

/**
 * CertificateSubjectRestriction: refuses client certificates of the group system:masters. Source: kubernetes
 * plugin/pkg/admission/certificates/subjectrestriction.
 */
export const certificateSubjectRestriction: AdmissionPlugin = {
  name: 'CertificateSubjectRestriction',
  operations: ['CREATE'],
  validate: attributes => {
    const request = mainObject(attributes, 'certificatesigningrequests.certificates.k8s.io');
    if (stringAt(request, 'spec', 'signerName') !== signer) return;
    if (organizationsOf(stringAt(request, 'spec', 'request')).includes('system:masters'))
      throw admissionRefusal(attributes, `use of ${signer} signer with system:masters group is not allowed`);
  },
};

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
