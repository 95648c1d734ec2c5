import { JsonTypeError, readUnstructured } from '../encoding/unstructured.js';
import { JsonSyntaxError } from '../go/json/reader.js';
import { writeValue } from '../go/json/write.js';
import { isList, isMap, mapAt, type Value, type ValueMap } from '../go/value.js';
import { memoize, memoizeStrings } from '../kubernetes/memoize.js';
import { redacted } from './marker.js';
import { withItems, withMembers } from './replaced.js';
import { isSecretName, isSecretValue } from './secret-names.js';
import { isLogin, textWithoutSecrets } from './text-secrets.js';

/**
 * The value with its secrets redacted; the same value if it has none. Secrets are the data of Secret objects, members, variables and flags with
 * telling names, credentials of registries, and what a string shows by its form (`textWithoutSecrets`).
 */
export function withoutSecrets(value: Value): Value {
  if (typeof value === 'string') return stringWithoutSecrets(value);
  if (isList(value)) return withItems(value, (item, i) => (isValueOfFlag(value[i - 1], item) ? redacted(item) : withoutSecrets(item)));
  if (!isMap(value)) return value;
  const isSecret = value.get('kind') === 'Secret' && value.get('apiVersion') === 'v1';
  const name = value.get('name');
  return withMembers(value, (member, key) => {
    if (key === lastApplied && typeof member === 'string') return jsonWithoutSecrets(member);
    if (isSecret && (key === 'data' || key === 'stringData')) return withoutAnyText(member);
    if (/^\.docker(?:configjson|cfg)$/.test(key)) return withoutAnyText(member);
    if (typeof member === 'string') {
      const named = key === 'value' && typeof name === 'string' ? name : key;
      if (isSecretName(named) && isSecretValue(named, member)) return redacted(member);
      return isLogin(key, member) ? redacted(member) : stringWithoutSecrets(member);
    }
    if (isList(member) && isSecretName(key))
      return withItems(member, item => (isSecretText(key, item) ? redacted(item) : withoutSecrets(item)));
    return withoutSecrets(member);
  });
}

function isSecretText(name: string, item: Value): item is string {
  return typeof item === 'string' && isSecretValue(name, item);
}

/** `--password`, `X` */
function isValueOfFlag(flag: Value | undefined, item: Value): item is string {
  if (typeof flag !== 'string' || typeof item !== 'string' || item.startsWith('-')) return false;
  return /^--?[A-Za-z][\w-]*$/.test(flag) && isSecretName(flag.replace(/^-+/, '')) && isSecretValue(flag, item);
}

const startOfJson = /^\s*[[{]/;

/** A string may be JSON. */
function stringWithoutSecrets(text: string): string {
  return startOfJson.test(text) && /[\]}]\s*$/.test(text) ? jsonWithoutSecrets(text) : textWithoutSecrets(text);
}

/** Annotation in which `kubectl apply` keeps the whole manifest, as JSON. */
const lastApplied = 'kubectl.kubernetes.io/last-applied-configuration';

/** How JSON texts are parsed, and their values redacted. */
export interface JsonSearch {
  /** Undefined for text that is not JSON. */
  readonly read: (text: string) => Value | undefined;
  readonly clean: (value: Value) => Value;
}

/** Keeps nothing: results of tests live long. */
export const everyTime: JsonSearch = { read: jsonWithoutSecretsOf, clean: withoutSecrets };

/** Returns a search that parses and redacts each of a few texts once, and keeps them: those of a call are searched for known secrets, and then redacted. */
export function searchOfTexts(): JsonSearch {
  const cleanOf = memoize((value: ValueMap) => withoutSecrets(value));
  return { read: memoizeStrings(maxTexts, jsonWithoutSecretsOf), clean: value => (isMap(value) ? cleanOf(value) : withoutSecrets(value)) };
}

const maxTexts = 64;

/** Redacts secrets in JSON text; unchanged if there are none. Other text is redacted as a string. `further` redacts nested values. */
export function jsonWithoutSecrets(text: string, further?: (value: Value) => Value, { read, clean }: JsonSearch = everyTime): string {
  const value = read(text);
  if (value === undefined) return textWithoutSecrets(text);
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint') return textWithoutSecrets(text);
  return rewritten(text, value, clean(further?.(value) ?? value));
}

/** Returns JSON text for a changed value: the same text if nothing changed. */
export function rewritten(text: string, value: Value, changed: Value): string {
  if (changed === value) return text;
  const clean = writeValue(changed, 'kept');
  return clean === writeValue(value, 'kept') ? text : clean + (text.endsWith('\n') ? '\n' : '');
}

/** Undefined for text that is not JSON. */
export function jsonWithoutSecretsOf(text: string): Value | undefined {
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
    const name = path.slice(path.lastIndexOf('/') + 1);
    const ofData = ofSecret && /^\/(data|stringData)(\/|$)/.test(path);
    const value = operation.get('value');
    if (typeof value === 'string' && path.endsWith(`/${lastApplied.replace('/', '~1')}`))
      return new Map([...operation, ['value', jsonWithoutSecrets(value)]]);
    if (ofData && value !== undefined) return new Map([...operation, ['value', withoutAnyText(value)]]);
    if (value === undefined || !isSecretName(name)) return withoutSecrets(operation);
    // As a member of that name.
    const clean = mapAt(withoutSecrets(new Map([['value', new Map([[name, value]])]])), 'value')?.get(name) ?? value;
    return clean === value ? withoutSecrets(operation) : new Map([...operation, ['value', clean]]);
  });
}

function withoutAnyText(value: Value): Value {
  if (typeof value === 'string') return redacted(value);
  if (isList(value)) return withItems(value, withoutAnyText);
  return isMap(value) ? withMembers(value, withoutAnyText) : value;
}

const secretHeader = /^(?:authorization|cookie|set-cookie|proxy-authorization)$/i;

/** Returns a header's value: redacted for a header with credentials. */
export function headerWithoutSecrets(name: string, value: string): string {
  return secretHeader.test(name) || isSecretName(name) ? redacted(value) : textWithoutSecrets(value);
}
