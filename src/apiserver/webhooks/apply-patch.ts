import { quote } from '../../go/quote.js';
import { copyOf, sameValue, type Value } from '../../go/value.js';
import type { ApiServer } from '../../kubernetes/api-server.js';
import { StatusError } from '../../kubernetes/status.js';
import { internalError } from '../../kubernetes/status-errors.js';
import { isTooDeep } from '../../kubernetes/too-deep.js';
import type { ObjectChange } from '../admission/webhook-report.js';
import type { ApiObject } from '../objects/api-object.js';
import { DecodeError } from '../objects/codec.js';
import { isCustomCodec } from '../objects/custom-codec.js';
import { decodePatched } from '../objects/decode-patched.js';
import { semanticallyEqual } from '../objects/semantic-equality.js';
import {
  applyJsonPatch,
  decodeJsonPatch,
  encodeJsonPatch,
  type JsonPatch,
  PatchDecodeError,
  PatchError,
  patchValues,
} from '../patches/json-patch.js';
import type { FailedStage } from './failures/cause.js';
import type { Webhook } from './webhook.js';

/** Result of a patch: nothing to do, a new object, a reason that counts as a failed call, or an error that refuses the request. */
export type Patched =
  | { readonly outcome: 'empty' }
  | {
      readonly outcome: 'patched';
      readonly object: ApiObject;
      readonly changed: boolean;
      /** The patch as the audit annotation shows it. */
      readonly annotation: string;
      readonly patch: readonly Value[];
      readonly change: ObjectChange;
      /** Fields that the patch sets and the object's type does not have: the API server drops them. `spec.foo` */
      readonly droppedFields: readonly string[];
    }
  | ({ readonly outcome: 'failed'; readonly class: 'patch' | 'limit' } & FailedStage)
  /** An error that ignores the failure policy, and its whole text. */
  | ({ readonly outcome: 'refused'; readonly error: unknown; readonly text: string; readonly patch: readonly Value[] } & FailedStage);

/** A limit of this program: objects that are nested more deeply exceed JavaScript's stack where they are printed. The API server accepts 10,000 levels. */
const maxLevels = 1000;

interface PatchText {
  readonly text: string;
  readonly type: string | undefined;
}

/**
 * Applies a webhook's patch to the object it was sent, decodes the result and applies defaults. Source: apiserver mutating/dispatcher.go, in
 * its order.
 */
export function applyPatch(webhook: Webhook, object: ApiObject | undefined, { text, type }: PatchText): Patched {
  if (isNestedDeeper(text)) return tooDeep;
  const decoded = decode(text, object?.codec.server);
  if (typeof decoded === 'string') return { outcome: 'failed', class: 'patch', stage: 'patch', message: decoded };
  if (decoded.operations.length === 0) return { outcome: 'empty' };
  try {
    return applyDecoded(webhook, object, { decoded, type });
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    // An internal error has its original message as its cause.
    const cause = error instanceof StatusError && error.status.reason === 'InternalError' ? error.status.details?.causes?.[0] : undefined;
    const failed = cause?.message === undefined ? { stage: undefined, message } : { stage: 'apply' as const, message: cause.message };
    return { outcome: 'refused', error, text: message, patch: patchValues(decoded), ...failed };
  }
}

interface DecodedPatch {
  readonly decoded: JsonPatch;
  readonly type: string | undefined;
}

function applyDecoded(webhook: Webhook, object: ApiObject | undefined, { decoded, type }: DecodedPatch): Patched {
  if (object === undefined) {
    throw internalError(`admission webhook "${webhook.name}" attempted to modify the object, which is not supported for this operation`);
  }
  if (type !== 'JSONPatch')
    return { outcome: 'failed', class: 'patch', stage: undefined, message: `unsupported patch type ${quote(type ?? '')}` };
  const before = object.codec.encode(object.value);
  const after = orInternalError(() => orTooDeep(() => applyJsonPatch(before, decoded)));
  if (after === undefined || isNestedDeeper(after)) return tooDeep;
  const read = orInternalError(() => decodePatched(after, object));
  const changed = !sameObject(object, read);
  const defaulted = { codec: read.codec, value: copyOf(read.value) };
  defaulted.codec.setDefaults(defaulted.value);
  const result = defaulted.codec.encode(defaulted.value);
  return {
    outcome: 'patched',
    object: defaulted,
    changed,
    annotation: encodeJsonPatch(decoded),
    patch: patchValues(decoded),
    change: { before, ...(after === result ? {} : { patched: after }), after: result },
    droppedFields: read.unknownFields,
  };
}

const tooDeep: Patched = {
  outcome: 'failed',
  class: 'limit',
  stage: undefined,
  message: `the patch nests values more than ${maxLevels} levels deep; kube-apiserver allows 10000`,
};

function isNestedDeeper(json: string): boolean {
  // Every level takes two characters.
  if (json.length < 2 * maxLevels) return false;
  let levels = 0;
  for (let at = 0; at < json.length; at += 1) {
    const character = json[at];
    if (character === '"') at = endOfText(json, at);
    else if (character === '{' || character === '[') levels += 1;
    else if (character === '}' || character === ']') levels -= 1;
    if (levels > maxLevels) return true;
  }
  return false;
}

function endOfText(json: string, start: number): number {
  let at = start + 1;
  while (at < json.length && json[at] !== '"') at += json[at] === '\\' ? 2 : 1;
  return at;
}

/** Returns the decoded patch, or the message of its error. */
function decode(text: string, server: ApiServer | undefined): JsonPatch | string {
  try {
    return decodeJsonPatch(text, server);
  } catch (error) {
    if (error instanceof PatchDecodeError) return error.message;
    throw error;
  }
}

/** Returns undefined if the operations together nest values too deeply, which the limits of each do not prevent. */
function orTooDeep<T>(step: () => T): T | undefined {
  try {
    return step();
  } catch (error) {
    if (isTooDeep(error)) return undefined;
    throw error;
  }
}

function orInternalError<T>(step: () => T): T {
  try {
    return step();
  } catch (error) {
    if (error instanceof PatchError || error instanceof DecodeError) throw internalError(error.message);
    throw error;
  }
}

/** Reports whether a patch changed nothing: an untyped object is never equal to one of a Go type, and to another one only if deeply equal. */
function sameObject(before: ApiObject, after: ApiObject): boolean {
  if (before.codec.patched !== undefined) return false;
  return isCustomCodec(before.codec)
    ? sameValue(before.value, after.value)
    : semanticallyEqual(before.codec.server, before.value, after.value, before.codec);
}
