import type { ApiCall } from '../../kubernetes/api-call.js';
import { queryOfRequest } from '../call/request-info.js';

const trueWords = new Set(['1', 't', 'T', 'TRUE', 'true', 'True']);

/**
 * Reports whether the client wants indented output: it asks for it, or is a browser or similar. Source: apiserver handlers/negotiation
 * isPrettyPrint.
 */
export function wantsPretty(call: ApiCall): boolean {
  const asked = queryOfRequest(call.path).get('pretty')?.[0] ?? '';
  if (asked !== '') return trueWords.has(asked);
  return ['curl', 'Wget', 'Mozilla/5.0'].some(agent => (call.userAgent ?? '').startsWith(agent));
}
