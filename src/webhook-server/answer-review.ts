import { writeValue } from '../encoding/go-json.js';
import { readUnstructured } from '../encoding/unstructured.js';
import { isMap, stringAt, toValue, type Value, type ValueMap } from '../kubernetes/value.js';
import type { Handler, HandlerAnswer } from './handler.js';

const reviewVersions = ['admission.k8s.io/v1', 'admission.k8s.io/v1beta1'];

/** The request is no AdmissionReview that can be answered: HTTP status 400. */
export class NoReview extends Error {
  override readonly name = 'NoReview';
}

/** The AdmissionReview that answers one, in the version it was asked in. Throws NoReview. */
export function answerReview(body: string, phase: 'mutating' | 'validating', handler: Handler): string {
  const review = readReview(body);
  const request = review.get('request');
  if (!isMap(request)) throw new NoReview('the AdmissionReview has no request');
  const response = responseOf(stringAt(request, 'uid'), handler(request, phase));
  return writeValue(
    new Map<string, Value>([
      ['kind', 'AdmissionReview'],
      ['apiVersion', stringAt(review, 'apiVersion')],
      ['response', response],
    ]),
    'kept',
  );
}

function readReview(body: string): ValueMap {
  let review: Value;
  try {
    review = readUnstructured(body);
  } catch (error) {
    throw new NoReview(`the body is no JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
  if (!isMap(review) || review.get('kind') !== 'AdmissionReview') throw new NoReview('the body is no AdmissionReview');
  const version = stringAt(review, 'apiVersion');
  if (!reviewVersions.includes(version)) throw new NoReview(`AdmissionReview of version ${JSON.stringify(version)} is not supported`);
  return review;
}

function responseOf(uid: string, answer: HandlerAnswer): Value {
  const { allowed, warnings } = answer;
  const status = answer.allowed ? undefined : { code: answer.code, reason: answer.reason, message: answer.message };
  const patch = answer.allowed && answer.patch !== undefined && answer.patch.length > 0 ? answer.patch : undefined;
  return toValue({
    uid,
    allowed,
    ...(status === undefined ? {} : { status }),
    ...(patch === undefined ? {} : { patch: base64Of([...patch]), patchType: 'JSONPatch' }),
    ...(warnings === undefined || warnings.length === 0 ? {} : { warnings }),
  });
}

function base64Of(patch: Value[]): string {
  return Buffer.from(writeValue(patch, 'kept')).toString('base64');
}
