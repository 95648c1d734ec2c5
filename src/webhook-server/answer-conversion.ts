import { writeValue } from '../go/json/write.js';
import { isMap, listAt, stringAt, toValue, type Value, type ValueMap } from '../go/value.js';
import { NoReview, readReviewOf } from './read-review.js';

/** Converts an object to a version, `group/version`, without modifying its argument. Throws ConversionRefused. */
export type ObjectConverter = (object: ValueMap, to: string) => ValueMap;

/** Refused conversion; the message is returned to the API server's client. */
export class ConversionRefused extends Error {
  override readonly name = 'ConversionRefused';
}

const reviewVersions = ['apiextensions.k8s.io/v1', 'apiextensions.k8s.io/v1beta1'];

/**
 * Returns the answer to a ConversionReview, in its version: all objects in order, or none and the reason why one of them cannot be
 * converted. Throws NoReview.
 */
export function answerConversion(body: string, convert: ObjectConverter): string {
  const review = readReviewOf(body, 'ConversionReview', reviewVersions);
  const request = review.get('request');
  if (!isMap(request)) throw new NoReview('the ConversionReview has no request');
  const to = stringAt(request, 'desiredAPIVersion');
  return writeValue(
    new Map<string, Value>([
      ['kind', 'ConversionReview'],
      ['apiVersion', stringAt(review, 'apiVersion')],
      ['response', toValue({ uid: stringAt(request, 'uid'), ...convertedAll(listAt(request, 'objects').filter(isMap), to, convert) })],
    ]),
    'kept',
  );
}

function convertedAll(objects: readonly ValueMap[], to: string, convert: ObjectConverter): object {
  try {
    return { convertedObjects: objects.map(object => convert(object, to)), result: { status: 'Success' } };
  } catch (error) {
    if (!(error instanceof ConversionRefused)) throw error;
    return { convertedObjects: [], result: { status: 'Failure', message: error.message } };
  }
}
