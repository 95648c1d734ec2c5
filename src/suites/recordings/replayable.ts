import { isMap, mapAt, type Value } from '../../go/value.js';
import { isRedacted } from '../../redaction/marker.js';
import { withMembers } from '../../redaction/replaced.js';
import { isAboutSecret } from '../../redaction/review-secrets.js';

/** Returns the review of a Secret with its redacted data as base64, which every client in Go requires; other reviews are unchanged. */
export function withoutMarkersInData(review: Value): Value {
  if (!isMap(review) || !isAboutSecret(review)) return review;
  const request = mapAt(review, 'request');
  if (request === undefined) return review;
  const usable = withMembers(request, (object, name) => {
    if ((name !== 'object' && name !== 'oldObject') || !isMap(object)) return object;
    return withMembers(object, (data, key) => (key === 'data' && isMap(data) ? withMembers(data, encoded) : data));
  });
  return usable === request ? review : new Map([...review, ['request', usable]]);
}

function encoded(value: Value): Value {
  return typeof value === 'string' && isRedacted(value) ? Buffer.from(value).toString('base64') : value;
}
