import { describe, expect, it } from 'vitest';
import type { KubernetesMinor } from '../../../src/kubernetes/kubernetes-version.js';
import { makeCertificate } from '../../support/certificate-maker.js';
import { makeCertificateRequest } from '../../support/certificate-request-maker.js';
import { write } from '../../support/written-object.js';

/** At so many minutes after the start of the certificate; the API server's time is four minutes after it. */
const at = (minutes: number): Date => new Date(Date.parse('2026-01-02T03:00:05Z') + minutes * 60_000);
const text = (minutes: number): string => `${at(minutes).toISOString().slice(0, 19)}Z`;
const dayMinutes = 24 * 60;

const { key, pem: chain } = makeCertificate({ notBefore: at(0), notAfter: at(dayMinutes) });
const chainFor = (minutes: number): string => makeCertificate({ key, notBefore: at(0), notAfter: at(minutes) }).pem;
const broken = '-----BEGIN CERTIFICATE-----\naGVsbG8=\n-----END CERTIFICATE-----\n';

const request = {
  apiVersion: 'certificates.k8s.io/v1',
  kind: 'PodCertificateRequest',
  metadata: { name: 'r', namespace: 'n', uid: 'u', resourceVersion: '7', creationTimestamp: text(0) },
  spec: {
    ...{ signerName: 'example.com/s', podName: 'p', podUID: 'a', serviceAccountName: 's', serviceAccountUID: 'b', nodeName: 'w' },
    ...{ nodeUID: 'c', maxExpirationSeconds: 86_400, stubPKCS10Request: Buffer.from(makeCertificateRequest({ key })).toString('base64') },
  },
};
const condition = (type: string, more: object = {}) => ({
  type,
  status: 'True',
  reason: 'R',
  message: '',
  lastTransitionTime: text(0),
  ...more,
});
const denied = { conditions: [condition('Denied')] };
const issued = {
  ...{ conditions: [condition('Issued')], certificateChain: chain },
  ...{ notBefore: text(0), notAfter: text(dayMinutes), beginRefreshAt: text(dayMinutes / 2) },
};

const unsupported = (at: string, value: string, values: string): string =>
  `status.${at}.status: Unsupported value: "${value}": supported values: ${values}`;
const otherType = 'status.conditions[0].type: Unsupported value: "X": supported values: "Issued", "Denied", "Failed"';
const tooLow = '-1: must be greater than or equal to 0';

interface Around {
  readonly kubernetesVersion?: KubernetesMinor;
  readonly username?: string;
  readonly roles?: readonly object[];
}

async function refusals(
  status: object,
  before: object | undefined,
  { kubernetesVersion = 'v1.37', roles = [], ...user }: Around = {},
): Promise<string[]> {
  const { body, notes } = await write({
    ...user,
    path: '/apis/certificates.k8s.io/v1/namespaces/n/podcertificaterequests/r/status',
    stored: { ...request, status: before },
    object: { ...request, status },
    around: [{ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'n' } }, ...roles],
    kubernetesVersion,
  });
  expect(notes.filter(note => note.includes('not reproduced'))).toEqual([]);
  const causes: { field: string; message: string }[] = body.details?.causes ?? [];
  return causes.map(({ field, message }) => `${field}: ${message.replace(/^(Invalid value: )"-----BEGIN[^"]*": /, '$1')}`);
}

describe('the status of a pod certificate request', () => {
  it.each([
    ['issued', issued],
    [
      'issued, with text around the certificate and others behind it',
      { ...issued, certificateChain: `x\n${chain}${makeCertificate().pem}` },
    ],
    ['denied', denied],
    ['failed', { conditions: [condition('Failed')] }],
  ])('is %s once', async (_, status) => {
    expect(await refusals(status, undefined)).toEqual([]);
    expect(await refusals(status, status)).toEqual([]);
    const changed = { ...status, conditions: status.conditions.map(one => ({ ...one, message: 'm' })) };
    expect(await refusals(changed, status)).toEqual([
      'status: Invalid value: immutable after PodCertificateRequest is issued, denied, or failed',
    ]);
  });

  it.each<[object, string[]]>([
    [{ notAfter: text(1) }, ['status: Invalid value: status is immutable unless transitioning to "Issued", "Denied", or "Failed"']],
    [
      { ...denied, notAfter: text(1) },
      ['status: Invalid value: non-condition status fields must be empty when denying or failing the PodCertificateRequest'],
    ],
    [
      { ...issued, conditions: [condition('Denied', { status: 'False' }), condition('Issued', { reason: '' }), condition('Other')] },
      [
        'status.conditions.[0].status: Unsupported value: "False": supported values: "True"',
        'status.conditions.[1].type: Invalid value: "Issued": There may be at most one condition with type "Issued", "Denied", or "Failed"',
        'status.conditions.[2].type: Unsupported value: "Other": supported values: "Issued", "Denied", "Failed"',
        'status.conditions[1].reason: Required value',
      ],
    ],
  ])('has one decision, and nothing else without a certificate: %#', async (status, expected) => {
    expect(await refusals(status, undefined)).toEqual(expected);
  });

  it('has conditions that are named otherwise since v1.38', async () => {
    const status = { conditions: [condition('Other')] };
    expect(await refusals(status, undefined, { kubernetesVersion: 'v1.38' })).toEqual([
      'status.conditions[0].type: Unsupported value: "Other": supported values: "Issued", "Denied", "Failed"',
    ]);
  });

  it.each<[KubernetesMinor, object, string[]]>([
    ['v1.38', { status: 'Maybe' }, ['"True"', '"False", "True", "Unknown"'].map(values => unsupported('conditions[0]', 'Maybe', values))],
    [
      'v1.37',
      { status: 'Maybe' },
      [unsupported('conditions.[0]', 'Maybe', '"True"'), unsupported('conditions[0]', 'Maybe', '"False", "True", "Unknown"')],
    ],
    ['v1.38', { status: 'False' }, [unsupported('conditions[0]', 'False', '"True"')]],
    ['v1.38', { type: 'X', status: 'Maybe' }, [otherType, unsupported('conditions[0]', 'Maybe', '"False", "True", "Unknown"')]],
    ['v1.38', { status: '' }, [unsupported('conditions[0]', '', '"True"'), 'status.conditions[0].status: Required value']],
    ['v1.38', { observedGeneration: -1 }, [`status.conditions[0].observedGeneration: Invalid value: ${tooLow}`]],
  ])('has in %s the errors of both kinds of validation: %j', async (kubernetesVersion, more, expected) => {
    const status = { conditions: [condition('Denied', more)] };
    expect(await refusals(status, undefined, { kubernetesVersion })).toEqual(expected);
  });

  it.each<[object, string]>([
    [{ certificateChain: 'x' }, 'certificateChain: Invalid value: "x": issued certificate chain must contain at least one certificate'],
    [
      { certificateChain: chain.replaceAll('CERTIFICATE', 'X') },
      'certificateChain: Invalid value: issued certificate chain must consist entirely of CERTIFICATE PEM blocks',
    ],
    [{ certificateChain: broken }, 'certificateChain: Invalid value: leaf certificate does not parse as valid X.509'],
    [
      { certificateChain: makeCertificate({ notBefore: at(0) }).pem },
      'certificateChain: Invalid value: leaf certificate was not issued to the requested public key',
    ],
    [{ notBefore: undefined }, 'notBefore: Required value: must be present and consistent with the issued certificate'],
    [{ notBefore: text(1) }, `notBefore: Invalid value: "${text(1)}": must be set to the NotBefore time encoded in the leaf certificate`],
    [
      { certificateChain: makeCertificate({ key, notBefore: at(-2), notAfter: at(60) }).pem, notBefore: text(-2) },
      `notBefore: Invalid value: "${text(-2)}": must be set to within 5 minutes of kube-apiserver's current time`,
    ],
    [{ notAfter: undefined }, 'notAfter: Required value: must be present and consistent with the issued certificate'],
    [{ notAfter: text(1) }, `notAfter: Invalid value: "${text(1)}": must be set to the NotAfter time encoded in the leaf certificate`],
    [
      { certificateChain: chainFor(59), notAfter: text(59) },
      'certificateChain: Invalid value: 3540000000000: leaf certificate lifetime must be >= 1 hour',
    ],
    [
      { certificateChain: chainFor(dayMinutes + 1), notAfter: text(dayMinutes + 1) },
      'certificateChain: Invalid value: 86460000000000: leaf certificate lifetime must be <= spec.maxExpirationSeconds (86400)',
    ],
    [{ beginRefreshAt: undefined }, 'beginRefreshAt: Required value: must be present and in the range [notbefore+10min, notafter-10min]'],
    [{ beginRefreshAt: text(9) }, `beginRefreshAt: Invalid value: "${text(9)}": must be at least 10 minutes after status.notBefore`],
    [
      { beginRefreshAt: text(dayMinutes - 9) },
      `beginRefreshAt: Invalid value: "${text(dayMinutes - 9)}": must be at least 10 minutes before status.notAfter`,
    ],
    [{ certificateChain: chain + broken }, 'certificateChain: Invalid value: intermediate certificate does not parse as valid X.509'],
    [
      { certificateChain: chain + chain.replaceAll('CERTIFICATE', 'X') },
      'certificateChain: Invalid value: issued certificate chain must consist entirely of CERTFICATE PEM blocks',
    ],
  ])('has the first problem of its certificate: %#', async (more, expected) => {
    expect(await refusals({ ...issued, ...more }, undefined)).toEqual([`status.${expected}`]);
  });

  it.each([
    ['bob', ['spec.signerName: Forbidden: User "bob" is not permitted to "sign" for signer "example.com/s"']],
    ['sam', []],
    ['dom', []],
  ])('is changed by %s only with the permission for the signer', async (username, expected) => {
    const roles = [...signing('sam', 'example.com/s'), ...signing('dom', 'example.com/*'), ...signing('bob', 'example.com/t')];
    expect(await refusals(denied, undefined, { username, roles })).toEqual(expected);
    expect(await refusals(denied, denied, { username, roles })).toEqual([]);
    expect(await refusals({ notAfter: text(1) }, undefined, { username, roles })).toEqual([
      'status: Invalid value: status is immutable unless transitioning to "Issued", "Denied", or "Failed"',
    ]);
  });
});

/** A role that lets a user sign for a signer, and its binding. */
function signing(name: string, signer: string): object[] {
  const apiGroup = 'rbac.authorization.k8s.io';
  const rules = [{ apiGroups: ['certificates.k8s.io'], resources: ['signers'], resourceNames: [signer], verbs: ['sign'] }];
  const roleRef = { apiGroup, kind: 'ClusterRole', name };
  return [
    { apiVersion: `${apiGroup}/v1`, kind: 'ClusterRole', metadata: { name }, rules },
    { apiVersion: `${apiGroup}/v1`, kind: 'ClusterRoleBinding', metadata: { name }, roleRef, subjects: [{ apiGroup, kind: 'User', name }] },
  ];
}
