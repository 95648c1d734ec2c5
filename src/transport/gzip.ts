import type { BodyReader } from './response-body.js';
export function gunzipped(body: BodyReader): BodyReader {
  return body;
}
