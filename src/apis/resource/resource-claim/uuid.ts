import { quote } from '../../../go/quote.js';

const hyphened = /^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$/;

/**
 * Returns the error of a uid: other forms of UUIDs are recognized, but not allowed. Source: resource/validation validateUID,
 * github.com/google/uuid Validate.
 */
export function uuidProblem(uid: string): string | undefined {
  const why = formProblem(uid);
  if (why !== undefined) return `error validating uid: ${why}`;
  return uid.length === 36 && uid === uid.toLowerCase()
    ? undefined
    : 'uid must be in RFC 4122 normalized form, `xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx` with lowercase hexadecimal characters';
}

function formProblem(uid: string): string | undefined {
  const wrong = 'invalid UUID format';
  const length = Buffer.byteLength(uid);
  if (length === 32) return /^[0-9a-fA-F]{32}$/.test(uid) ? undefined : wrong;
  if (length === 36) return hyphened.test(uid) ? undefined : wrong;
  if (length === 38) {
    if (!uid.startsWith('{') || !uid.endsWith('}')) return 'invalid bracketed UUID format';
    return hyphened.test(uid.slice(1, -1)) ? undefined : wrong;
  }
  if (length !== 45) return `invalid UUID length: ${length}`;
  const prefix = uid.slice(0, 9);
  if (prefix.toLowerCase() !== 'urn:uuid:') return `invalid urn prefix: ${quote(prefix)}`;
  return hyphened.test(uid.slice(9)) ? undefined : wrong;
}
