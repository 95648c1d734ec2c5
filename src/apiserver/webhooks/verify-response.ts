import { decodeGoBase64 } from '../../go/base64.js';
import { quote } from '../../go/quote.js';
import { decodeUtf8Bytes } from '../../go/utf8.js';
import { listAt, mapAt, stringAt, type ValueMap } from '../../go/value.js';
import { type GroupVersionKind, parseApiVersion, printKind } from '../../kubernetes/group-version.js';
import type { Status } from '../../kubernetes/status.js';
import type { Phase } from '../../kubernetes/webhook-call.js';
import type { ReviewVersion } from './review.js';
import { statusOf } from './status-of.js';

/** Valid response. */
export interface VerifiedResponse {
  readonly allowed: boolean;
  /** Status for the client when the request is not allowed. */
  readonly denial: Status | undefined;
  readonly warnings: readonly string[];
  readonly auditAnnotations: Readonly<Record<string, string>>;
  /** The undecoded patch; invalid UTF-8 as lone surrogates (see decodeUtf8Bytes). */
  readonly patch: string | undefined;
  readonly patchType: string | undefined;
}

/** Parts of the sent review that the response must match. */
export interface SentReview {
  readonly phase: Phase;
  readonly reviewVersion: ReviewVersion;
  readonly uid: string;
  readonly webhook: string;
}

/**
 * Verifies the response of a review, before `allowed` is used: a refusal with a wrong uid is not a refusal. Source: apiserver
 * webhook/request/admissionreview.go VerifyAdmissionResponse.
 */
export function verifyResponse(review: ValueMap, sent: SentReview): VerifiedResponse | string {
  const response = mapAt(review, 'response');
  if (response === undefined) return 'webhook response was absent';
  // A v1beta1 patch of a validating webhook is dropped, a v1 one is refused.
  const encoded = sent.phase === 'mutating' ? stringAt(response, 'patch') : '';
  const patch = encoded === '' ? undefined : decodeUtf8Bytes(decodeGoBase64(encoded));
  const refusal = sent.reviewVersion === 'v1' ? wrongV1(review, response, sent) : undefined;
  if (refusal !== undefined) return refusal;
  const allowed = response.get('allowed') === true;
  return {
    allowed,
    denial: allowed ? undefined : denialOf(sent.webhook, mapAt(response, 'status')),
    warnings: listAt(response, 'warnings').map(String),
    auditAnnotations: Object.fromEntries([...(mapAt(response, 'auditAnnotations') ?? [])].map(([key, value]) => [key, String(value)])),
    patch,
    // v1beta1 has only one type, regardless of the response.
    patchType: patch === undefined ? undefined : sent.reviewVersion === 'v1' ? stringAt(response, 'patchType') : 'JSONPatch',
  };
}

/** Returns the error in a v1 response; undefined when it is valid. */
function wrongV1(review: ValueMap, response: ValueMap, { uid, phase }: SentReview): string | undefined {
  const answered = stringAt(response, 'uid');
  if (answered !== uid) return `expected response.uid=${quote(uid)}, got ${quote(answered)}`;
  const kind = printKind(kindOf(review));
  if (kind !== expectedKind) return `expected webhook response of ${expectedKind}, got ${kind}`;
  const hasPatch = stringAt(response, 'patch') !== '';
  const patchType = response.get('patchType');
  if (phase === 'validating') {
    if (hasPatch) return 'validating webhook may not return response.patch';
    return patchType === undefined ? undefined : 'validating webhook may not return response.patchType';
  }
  if (hasPatch && patchType === undefined) return 'webhook returned response.patch but not response.patchType';
  if (!hasPatch && patchType !== undefined) return 'webhook returned response.patchType but not response.patch';
  return patchType === '' ? 'webhook returned invalid response.patchType of ""' : undefined;
}

const expectedKind = 'admission.k8s.io/v1, Kind=AdmissionReview';

function kindOf(review: ValueMap): GroupVersionKind {
  return { ...(parseApiVersion(stringAt(review, 'apiVersion')) ?? { group: '', version: '' }), kind: stringAt(review, 'kind') };
}

/**
 * Returns the Status of a refusal: always a failure that names the webhook. Source: apiserver webhook/errors/statuserror.go ToStatusErr.
 */
function denialOf(webhook: string, result: ValueMap | undefined): Status {
  const given = statusOf(result ?? new Map());
  const refused = `admission webhook ${quote(webhook)} denied the request`;
  const why = given.message ?? given.reason;
  return {
    ...given,
    status: given.status === '' || given.status === 'Success' ? 'Failure' : given.status,
    message: why === undefined ? `${refused} without explanation` : `${refused}: ${why}`,
    code: Math.max(given.code ?? 0, 400),
  };
}
