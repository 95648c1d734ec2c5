import { readUnstructured } from '../encoding/unstructured.js';
import { isMap, stringAt, type Value, type ValueMap } from '../go/value.js';

/** Request that is not an answerable review: HTTP status 400. */
export class NoReview extends Error {
  override readonly name = 'NoReview';
}

/** Returns the review in a body, of a kind and one of some versions (`group/version`). Throws NoReview. */
export function readReviewOf(body: string, kind: string, versions: readonly string[]): ValueMap {
  let review: Value;
  try {
    review = readUnstructured(body);
  } catch (error) {
    throw new NoReview(`the body is not valid JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
  if (!isMap(review) || review.get('kind') !== kind) throw new NoReview(`the body is not of kind ${kind}`);
  const version = stringAt(review, 'apiVersion');
  if (!versions.includes(version)) throw new NoReview(`${kind} of version ${JSON.stringify(version)} is not supported`);
  return review;
}
