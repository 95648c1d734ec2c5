import { builtInCodec } from '../../apiserver/objects/built-in-codec.js';
import { DecodeError } from '../../apiserver/objects/codec.js';
import {
  applyJsonPatch,
  decodeJsonPatch,
  type JsonPatch,
  PatchDecodeError,
  PatchError,
  PatchPanic,
  patchValues,
} from '../../apiserver/patches/json-patch.js';
import { evaluateResponse } from '../../apiserver/webhooks/invoke.js';
import type { ReviewResponse } from '../../apiserver/webhooks/read-review.js';
import { readUnstructured } from '../../encoding/unstructured.js';
import { writeValue } from '../../go/json/write.js';
import { isMap, mapAt, stringAt, toValue, type Value, type ValueMap } from '../../go/value.js';
import type { ApiServer } from '../../kubernetes/api-server.js';
import { jsonWithoutSecretsOf } from '../../redaction/secrets.js';

/** An answer to a review, and the body of that review. */
export interface AnsweredReview {
  readonly review: string;
  readonly response: ReviewResponse;
}

/**
 * Returns the meaning of an answer as the API server understands it: whether it allows, the status, warnings and annotations, and the object
 * after its patch; for an answer that is not valid, why. Patches that lead to the same object give the same document.
 */
export function recordedAnswerDocument(server: ApiServer, { review, response }: AnsweredReview): ValueMap {
  const asked = jsonWithoutSecretsOf(review);
  return stringAt(asked, 'kind') === 'ConversionReview' ? conversionAnswer(response) : admissionAnswer(server, asked, response);
}

function admissionAnswer(server: ApiServer, asked: Value | undefined, response: ReviewResponse): ValueMap {
  const request = mapAt(asked, 'request');
  const uid = stringAt(request, 'uid');
  const evaluated = evaluateResponse({
    server,
    // Every valid response of a validating webhook is also valid for a mutating one.
    phase: 'mutating',
    reviewVersion: stringAt(asked, 'apiVersion').endsWith('/v1beta1') ? 'v1beta1' : 'v1',
    ...{ uid, webhook: '', response },
  });
  if (evaluated.outcome !== 'verified') return failed(evaluated.message, uid, response);
  const { allowed, denial, warnings, auditAnnotations, patch, patchType } = evaluated;
  const status =
    denial === undefined
      ? undefined
      : { ...denial, message: denial.message?.replace(/^admission webhook "" denied the request(?:: )?/, '') };
  return documentOf({
    allowed,
    ...(status === undefined
      ? {}
      : { status: { code: status.code, reason: status.reason, message: status.message, details: status.details } }),
    ...(warnings.length === 0 ? {} : { warnings }),
    ...(Object.keys(auditAnnotations).length === 0 ? {} : { auditAnnotations }),
    ...(patchType === undefined || patchType === 'JSONPatch' ? {} : { patchType }),
    ...(allowed ? patchedObject(server, request, patch ?? '') : {}),
  });
}

/** Returns the document of an answer that is not valid. */
function failed(message: string, uid: string, { status }: ReviewResponse): ValueMap {
  return documentOf({
    ...(status === 200 ? {} : { httpStatus: status }),
    failure: uid === '' ? message : message.replaceAll(uid, '<uid>'),
  });
}

function patchedObject(
  server: ApiServer,
  request: ValueMap | undefined,
  patch: string,
): { readonly object?: Value; readonly patch?: readonly Value[] } {
  const object = request?.get('object');
  const decoded = patch === '' ? undefined : decode(patch);
  const operations = { patch: decoded === undefined ? [] : patchValues(decoded) };
  if (!isMap(object)) return patch === '' ? {} : operations;
  const before = writeValue(object, 'kept');
  const unpatched = (): Value => canonical(server, before, request);
  if (decoded === undefined) return { object: unpatched(), ...(patch === '' ? {} : operations) };
  try {
    return { object: canonical(server, applyJsonPatch(before, decoded), request) };
  } catch (error) {
    if (!(error instanceof PatchError || error instanceof PatchPanic)) throw error;
    return { object: unpatched(), ...operations };
  }
}

/** Returns undefined for a text that is not a patch. */
function decode(patch: string): JsonPatch | undefined {
  try {
    return decodeJsonPatch(patch);
  } catch (error) {
    if (error instanceof PatchDecodeError) return undefined;
    throw error;
  }
}

/** The object as the API server reads it: an empty map is the same as none. */
function canonical(server: ApiServer, text: string, request: ValueMap | undefined): Value {
  const kind = mapAt(request, 'kind');
  const codec = builtInCodec(server, { group: stringAt(kind, 'group'), version: stringAt(kind, 'version'), kind: stringAt(kind, 'kind') });
  if (codec === undefined) return readUnstructured(text);
  try {
    return readUnstructured(codec.encode(codec.decode(text).value));
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    return readUnstructured(text);
  }
}

function conversionAnswer({ status, body }: ReviewResponse): ValueMap {
  const answer = mapAt(jsonWithoutSecretsOf(Buffer.from(body).toString('utf8')), 'response');
  return documentOf({
    ...(status === 200 ? {} : { httpStatus: status }),
    ...(answer === undefined
      ? { failure: 'the response contains no review' }
      : { result: answer.get('result'), convertedObjects: answer.get('convertedObjects') }),
  });
}

function documentOf(members: object): ValueMap {
  const value = toValue(members);
  if (!isMap(value)) throw new Error('a document must be a map');
  return value;
}
