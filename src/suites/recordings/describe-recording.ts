import { createHash } from 'node:crypto';
import { writeValue } from '../../go/json/write.js';
import { isList, isMap, listAt, mapAt, stringAt, type Value, type ValueMap } from '../../go/value.js';
import type { Phase } from '../../kubernetes/webhook-call.js';
import { withItems, withMembers } from '../../redaction/replaced.js';
import { jsonWithoutSecretsOf } from '../../redaction/secrets.js';
import type { Recording } from '../recording.js';

/** A readable description of an exchange, and the key that makes it equal to another. */
export interface Description {
  /** AdmissionReview or ConversionReview; undefined for any other request. */
  readonly review: 'AdmissionReview' | 'ConversionReview' | undefined;
  /** `CREATE Pod shop/web`. */
  readonly subject: string;
  /** Of the webhook, as far as its path or its patch tells: the review does not. */
  readonly phase: Phase | undefined;
  /** `allowed`, `allowed, patched`, `denied (403)`, `HTTP 500` ... */
  readonly outcome: string;
  /** Equal for two exchanges that differ only in values the API server generates: uids, times, resource versions. */
  readonly key: string;
}

/** Describes a recording. */
export function describeRecording({ request, answer }: Recording): Description {
  const asked = jsonWithoutSecretsOf(request.body);
  const answered = jsonWithoutSecretsOf(answer.body);
  const uid = stringAt(asked, 'request', 'uid');
  const kind = stringAt(asked, 'kind');
  const review = kind === 'AdmissionReview' || kind === 'ConversionReview' ? kind : undefined;
  const content = [request.path, asked === undefined ? request.body : lasting(asked), String(answer.status), answered ?? answer.body];
  const text = content.map(part => (typeof part === 'string' ? part : writeValue(part, 'kept'))).join('\n');
  return {
    review,
    subject: review === undefined ? `${request.path}` : subjectOf(review, mapAt(asked, 'request')),
    phase: review === 'AdmissionReview' ? phaseOf(request.path, mapAt(answered, 'response')) : undefined,
    outcome: outcomeOf(answer.status, review, mapAt(answered, 'response')),
    key: createHash('sha256')
      .update(uid === '' ? text : text.replaceAll(uid, ''))
      .digest('hex')
      .slice(0, 12),
  };
}

function subjectOf(review: NonNullable<Description['review']>, request: ValueMap | undefined): string {
  if (review === 'ConversionReview') {
    const objects = listAt(request, 'objects');
    return `CONVERT ${objects.length} ${stringAt(objects[0], 'kind')} to ${stringAt(request, 'desiredAPIVersion')}`;
  }
  const name =
    stringAt(request, 'name') || stringAt(request, 'object', 'metadata', 'name') || stringAt(request, 'object', 'metadata', 'generateName');
  const place = [stringAt(request, 'namespace'), name].filter(part => part !== '').join('/');
  const parts = [stringAt(request, 'operation'), stringAt(request, 'kind', 'kind'), place, stringAt(request, 'subResource')];
  return [...parts, request?.get('dryRun') === true ? '(dry run)' : ''].filter(part => part !== '').join(' ');
}

/** Paths such as `/mutate-apps-v1-deployment` and `/validate`; a validating webhook has no patch. */
function phaseOf(target: string, response: ValueMap | undefined): Phase | undefined {
  if (stringAt(response, 'patch') !== '') return 'mutating';
  const [path = ''] = target.toLowerCase().split('?');
  const [mutates, validates] = [/mutat/.test(path), /validat/.test(path)];
  return mutates === validates ? undefined : mutates ? 'mutating' : 'validating';
}

function outcomeOf(status: number, review: Description['review'], response: ValueMap | undefined): string {
  if (review === undefined || status !== 200) return `HTTP ${status}`;
  if (response === undefined) return 'the response contains no review';
  if (review === 'ConversionReview') {
    const result = stringAt(response, 'result', 'status');
    return result === 'Success' ? 'converted' : `failed: ${stringAt(response, 'result', 'message')}`;
  }
  if (response.get('allowed') === true) return stringAt(response, 'patch') === '' ? 'allowed' : 'allowed, patched';
  const code = response.get('status') instanceof Map ? mapAt(response, 'status')?.get('code') : undefined;
  return `denied (${typeof code === 'bigint' && code >= 400n ? code : 400})`;
}

/** Metadata fields that the API server generates in every call. */
const ofOneCall = new Set(['uid', 'resourceVersion', 'creationTimestamp', 'deletionTimestamp', 'selfLink']);

/** The review without the values that the API server generates in each call. */
function lasting(review: Value): Value {
  if (isList(review)) return withItems(review, lasting);
  if (!isMap(review)) return review;
  return withMembers(review, (member, name) => {
    if (name === 'metadata' && isMap(member)) return withoutVolatile(member);
    return lasting(member);
  });
}

function withoutVolatile(metadata: ValueMap): ValueMap {
  const kept = [...metadata].filter(([name]) => !ofOneCall.has(name));
  return new Map(kept.map(([name, value]) => [name, name === 'managedFields' ? withoutTimes(value) : value]));
}

function withoutTimes(managedFields: Value): Value {
  if (!isList(managedFields)) return managedFields;
  return managedFields.map(entry => (isMap(entry) ? new Map([...entry].filter(([name]) => name !== 'time')) : entry));
}

/** Returns the file name of a recording: its subject, the phase of its webhook and its key. */
export function recordingFileName({ subject, phase, key }: Pick<Description, 'subject' | 'phase' | 'key'>): string {
  const message = subject
    .toLowerCase()
    .replace(/[^a-z0-9.]+/g, '-')
    .replace(/^[-.]+|[-.]+$/g, '')
    .slice(0, 100);
  return `${[message === '' ? 'exchange' : message, phase ?? [], key].flat().join('-')}.yaml`;
}

/** Reports whether this is the file name of a recording. */
export const recordingFile = /-[0-9a-f]{12}\.yaml$/;
