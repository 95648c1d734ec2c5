import { createHash } from 'node:crypto';
import { JsonTypeError, readUnstructured } from '../../encoding/unstructured.js';
import { JsonSyntaxError } from '../../go/json/reader.js';
import { writeValue } from '../../go/json/write.js';
import { isList, isMap, type Value } from '../../go/value.js';
import { withItems, withMembers } from './replaced.js';

/** Replacement of a secret in snapshots and reports: different secrets have different digests. */
export function redacted(text: string): string {
  if (isRedacted.test(text)) return text;
  return `<redacted sha256:${createHash('sha256').update(text).digest('hex').slice(0, 8)}>`;
}

const isRedacted = /^<redacted sha256:[0-9a-f]{8}>$/;

/**
 * The value with its secrets redacted; the same value if it has none. Secrets are the data of Secret objects, members and environment
 * variables with telling names, and JSON web tokens, private keys and Authorization headers in any string.
 */
export function withoutSecrets(value: Value): Value {
  if (typeof value === 'string') return textWithoutSecrets(value);
  if (isList(value)) return withItems(value, withoutSecrets);
  if (!isMap(value)) return value;
  const isSecret = value.get('kind') === 'Secret' && value.get('apiVersion') === 'v1';
  const name = value.get('name');
  const isSecretVariable = typeof name === 'string' && isSecretName(name);
  return withMembers(value, (member, key) => {
    if (key === lastApplied && typeof member === 'string') return jsonWithoutSecrets(member);
    if (isSecret && (key === 'data' || key === 'stringData')) return withoutAnyText(member);
    if (typeof member === 'string' && (isSecretName(key) || (isSecretVariable && key === 'value'))) return redacted(member);
    return withoutSecrets(member);
  });
}

/** Annotation in which `kubectl apply` keeps the whole manifest, as JSON. */
const lastApplied = 'kubectl.kubernetes.io/last-applied-configuration';

/** Redacts secrets in JSON text; unchanged if there are none. Other text is redacted as a string. `further` redacts nested values. */
export function jsonWithoutSecrets(text: string, further: (value: Value) => Value = value => value): string {
  const value = jsonOf(text);
  if (value === undefined) return textWithoutSecrets(text);
  return rewritten(text, value, withoutSecrets(further(value)));
}

/** Returns JSON text for a changed value: the same text if nothing changed. */
export function rewritten(text: string, value: Value, changed: Value): string {
  if (changed === value) return text;
  const clean = writeValue(changed, 'kept');
  return clean === writeValue(value, 'kept') ? text : clean + (text.endsWith('\n') ? '\n' : '');
}

/** Undefined for text that is not JSON. */
export function jsonOf(text: string): Value | undefined {
  try {
    return readUnstructured(text);
  } catch (error) {
    if (error instanceof JsonSyntaxError || error instanceof JsonTypeError) return undefined;
    throw error;
  }
}

/** Redacts the operations of a patch; `ofSecret`: the patched object is a Secret. */
export function patchWithoutSecrets(operations: readonly Value[], ofSecret: boolean): Value[] {
  return operations.map(operation => {
    if (!isMap(operation)) return withoutSecrets(operation);
    const path = String(operation.get('path') ?? '');
    const isSecret = (ofSecret && /^\/(data|stringData)(\/|$)/.test(path)) || isSecretName(path.slice(path.lastIndexOf('/') + 1));
    const value = operation.get('value');
    if (typeof value === 'string' && path.endsWith(`/${lastApplied.replace('/', '~1')}`))
      return new Map([...operation, ['value', jsonWithoutSecrets(value)]]);
    if (!isSecret || value === undefined) return withoutSecrets(operation);
    return new Map([...operation, ['value', withoutAnyText(value)]]);
  });
}

function withoutAnyText(value: Value): Value {
  if (typeof value === 'string') return redacted(value);
  if (isList(value)) return withItems(value, withoutAnyText);
  return isMap(value) ? withMembers(value, withoutAnyText) : value;
}

/** `token`, `apiKey`, `DB_PASSWORD`, `client-key-data`; not `tokenPath`, `secretName`, `automountServiceAccountToken`. */
const secretName =
  /^(?:.*[-_.])?(?:token|password|passwd|passphrase|(?:api|access|private|secret|client|signing|encryption)[-_]?key(?:[-_]data)?)$/i;

/** Reports whether a member's name indicates a secret value. */
export function isSecretName(name: string): boolean {
  return secretName.test(name);
}

/** Redacts JSON web tokens, private keys and Authorization headers in a string. */
export function textWithoutSecrets(text: string): string {
  if (!secretHints.test(text)) return text;
  return text
    .replace(webToken, redacted)
    .replace(privateKey, redacted)
    .replace(authorization, (_, scheme: string, token: string) => scheme + redacted(token));
}

const secretHeader = /^(?:authorization|cookie|set-cookie|proxy-authorization)$/i;

/** Returns a header's value: redacted for a header with credentials. */
export function headerWithoutSecrets(name: string, value: string): string {
  return secretHeader.test(name) || isSecretName(name) ? redacted(value) : textWithoutSecrets(value);
}

/** Quick test for strings that may contain any of the three. */
const secretHints = /eyJ|-----BEGIN |Bearer |Basic /;
const webToken = /\beyJ[\w-]+\.[\w-]+\.[\w-]*/g;
const privateKey = /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g;
const authorization = /\b((?:Bearer|Basic) )([\w.~+/-]{8,}=*)/g;
