import { writeValue } from '../go/json/write.js';
import { isMap, stringAt, toValue, type Value } from '../go/value.js';
import type { Handler, HandlerAnswer } from './handler.js';
import { NoReview, readReviewOf } from './read-review.js';

const reviewVersions = ['admission.k8s.io/v1', 'admission.k8s.io/v1beta1'];

/** Returns the answer to an AdmissionReview, in its version. Throws NoReview. */
export function answerReview(body: string, phase: 'mutating' | 'validating', handler: Handler): string {
  const review = readReviewOf(body, 'AdmissionReview', reviewVersions);
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
