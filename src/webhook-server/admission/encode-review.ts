import { encodeBase64 } from '../../go/base64.js';
import { goString } from '../../go/json/write.js';
import { compareKeys } from '../../go/key-order.js';
import { apiVersionOf, type GroupVersionKind } from '../../kubernetes/group-version.js';
import type { StatusDetails, StatusMetadata } from '../../kubernetes/status.js';
import type { AdmissionResponse } from '../api/types.js';

/** Type of an answer to a review without a type. */
const defaultType: GroupVersionKind = { group: 'admission.k8s.io', version: 'v1', kind: 'AdmissionReview' };

/** Returns the answer's body for a completed response, with the type of the review it answers; without one, no type is set. */
export function reviewText(response: AdmissionResponse, kind: GroupVersionKind | undefined): string {
  return `{${kind === undefined ? '' : typeText(kind)}"response":${reviewResponseText(response)}}\n`;
}

function typeText(kind: GroupVersionKind): string {
  const type = kind.group === '' && kind.version === '' && kind.kind === '' ? defaultType : kind;
  return `${member('kind', type.kind, ',')}${member('apiVersion', apiVersionOf(type), ',')}`;
}

/** Returns `"name":"text"` and a separator; nothing for an empty text. */
function member(name: string, text: string | undefined, after = ''): string {
  return text === undefined || text === '' ? '' : `"${name}":${goString(text)}${after}`;
}

/** Source: k8s.io/api/admission/v1 AdmissionResponse. */
export function reviewResponseText(response: AdmissionResponse): string {
  const { status, patch, patchType, auditAnnotations = {}, warnings = [] } = response;
  const patchBytes = typeof patch === 'string' ? new TextEncoder().encode(patch) : (patch ?? new Uint8Array());
  const annotations = Object.entries(auditAnnotations).sort(([a], [b]) => compareKeys(a, b));
  return object([
    `"uid":${goString(response.uid ?? '')}`,
    `"allowed":${response.allowed === true}`,
    status === undefined ? '' : `"status":${statusText(status)}`,
    patchBytes.length === 0 ? '' : `"patch":"${encodeBase64(patchBytes)}"`,
    patchType === undefined ? '' : `"patchType":${goString(patchType)}`,
    annotations.length === 0
      ? ''
      : `"auditAnnotations":{${annotations.map(([key, text]) => `${goString(key)}:${goString(String(text))}`).join(',')}}`,
    warnings.length === 0 ? '' : `"warnings":[${warnings.map(text => goString(String(text))).join(',')}]`,
  ]);
}

function statusText(status: NonNullable<AdmissionResponse['status']> & { readonly kind?: string; readonly apiVersion?: string }): string {
  return object([
    member('kind', status.kind),
    member('apiVersion', status.apiVersion),
    `"metadata":${metadataText(status.metadata)}`,
    member('status', status.status),
    member('message', status.message),
    member('reason', status.reason),
    status.details === undefined ? '' : `"details":${detailsText(status.details)}`,
    numberMember('code', status.code),
  ]);
}

function metadataText(metadata: StatusMetadata = {}): string {
  return object([
    member('selfLink', metadata.selfLink),
    member('resourceVersion', metadata.resourceVersion),
    member('continue', metadata.continue),
    metadata.remainingItemCount === undefined ? '' : `"remainingItemCount":${metadata.remainingItemCount}`,
  ]);
}

function detailsText({ name, group, kind, uid, causes = [], retryAfterSeconds }: StatusDetails): string {
  const causeTexts = causes.map(cause =>
    object([member('reason', cause.reason), member('message', cause.message), member('field', cause.field)]),
  );
  return object([
    member('name', name),
    member('group', group),
    member('kind', kind),
    member('uid', uid),
    causeTexts.length === 0 ? '' : `"causes":[${causeTexts.join(',')}]`,
    numberMember('retryAfterSeconds', retryAfterSeconds),
  ]);
}

function numberMember(name: string, value: number | undefined): string {
  return value === undefined || value === 0 ? '' : `"${name}":${Math.trunc(value)}`;
}

function object(members: readonly string[]): string {
  return `{${members.filter(text => text !== '').join(',')}}`;
}
