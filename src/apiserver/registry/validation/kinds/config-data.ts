import { writeValue } from '../../../../encoding/go-json.js';
import { jsonKind } from '../../../../encoding/json-node.js';
import { JsonSyntaxError, readJson } from '../../../../encoding/json-reader.js';
import { tooLong } from '../../../../kubernetes/field-error.js';
import { configMapKeyProblems } from '../../../../kubernetes/name-rules.js';
import { checkImmutable } from '../immutable.js';
import type { KindRules } from '../kind-rules.js';
import {
  addForbidden,
  addInvalid,
  addProblems,
  addRequired,
  at,
  entriesAt,
  entryAt,
  flagAt,
  hasSet,
  mapOf,
  type Place,
  textAt,
  textOf,
} from '../place.js';
import { keyPairProblem } from './key-pair.js';

const maximumSize = 1_048_576;

/** Source: core/validation ValidateConfigMap. */
export const configMapRules: KindRules = {
  create: checkConfigMap,
  update: ['changes', (object, old) => keepData(object, old, ['data', 'binaryData']), 'metadata', checkConfigMap],
};

/** Source: core/validation ValidateSecret. */
export const secretRules: KindRules = {
  create: checkSecret,
  update: [
    'changes',
    (object, old) => checkImmutable(object, old, { type: 'core/v1.Secret', name: 'type' }),
    (object, old) => keepData(object, old, ['data']),
    'metadata',
    checkSecret,
  ],
  warnings: secretWarnings,
};

function checkConfigMap(object: Place): void {
  let size = 0;
  for (const [key, place] of entriesAt(object, 'data')) {
    addProblems(place, configMapKeyProblems(key), key);
    if (hasSet(at(object, 'binaryData'), key)) addInvalid(place, 'duplicate of key present in binaryData', key);
    size += Buffer.byteLength(textOf(place));
  }
  for (const [key, place] of entriesAt(object, 'binaryData')) {
    addProblems(place, configMapKeyProblems(key), key);
    size += bytesOf(place).length;
  }
  // The path of the whole object, made from an empty name.
  if (size > maximumSize) object.errors.push(tooLong('[]', maximumSize));
}

function bytesOf(place: Place): Buffer {
  return Buffer.from(textOf(place), 'base64');
}

function keepData(object: Place, old: Place, names: readonly string[]): void {
  if (!flagAt(old, 'immutable')) return;
  const words = 'field is immutable when `immutable` is set';
  if (!flagAt(object, 'immutable')) addForbidden(at(object, 'immutable'), words);
  for (const name of names) {
    const [now, before] = [at(object, name), at(old, name)];
    if (writeValue(now.value ?? null, 'sorted') !== writeValue(before.value ?? null, 'sorted')) addForbidden(now, words);
  }
}

function checkSecret(object: Place): void {
  const data = at(object, 'data');
  let size = 0;
  for (const [key, place] of entriesAt(object, 'data')) {
    addProblems(place, configMapKeyProblems(key), key);
    size += bytesOf(place).length;
  }
  if (size > maximumSize) object.errors.push(tooLong(data.path, maximumSize));
  checkSecretType(object, data);
}

function checkSecretType(object: Place, data: Place): void {
  const type = textAt(object, 'type');
  const needs = (key: string): void => {
    if (!mapOf(data).has(key)) addRequired(entryAt(data, key));
  };
  if (type === 'kubernetes.io/service-account-token') {
    const name = entryAt(at(object, 'metadata', 'annotations'), 'kubernetes.io/service-account.name');
    if (textOf(name) === '') addRequired(name);
  } else if (type === 'kubernetes.io/dockercfg') checkDockerConfig(entryAt(data, '.dockercfg'));
  else if (type === 'kubernetes.io/dockerconfigjson') checkDockerConfig(entryAt(data, '.dockerconfigjson'));
  else if (type === 'kubernetes.io/basic-auth') {
    if (!mapOf(data).has('username') && !mapOf(data).has('password')) {
      needs('username');
      needs('password');
    }
  } else if (type === 'kubernetes.io/ssh-auth') {
    const key = entryAt(data, 'ssh-privatekey');
    if (textOf(key) === '') addRequired(key);
  } else if (type === 'kubernetes.io/tls') {
    needs('tls.crt');
    needs('tls.key');
  }
}

/** Source: kubernetes pkg/registry/core/secret/strategy.go warningsForSecret. */
function secretWarnings(object: Place): string[] {
  if (textAt(object, 'type') !== 'kubernetes.io/tls') return [];
  const textOfKey = (key: string): string => bytesOf(entryAt(at(object, 'data'), key)).toString('latin1');
  const problem = keyPairProblem(textOfKey('tls.crt'), textOfKey('tls.key'));
  return problem === undefined ? [] : [problem];
}

function checkDockerConfig(entry: Place): void {
  // Nothing under the key is an empty text.
  if (entry.value === undefined) {
    addRequired(entry);
    return;
  }
  const why = jsonObjectProblem(bytesOf(entry).toString('utf8'));
  if (why !== undefined) addInvalid(entry, why, '<secret contents redacted>');
}

/** Why Go does not take a text for a JSON object. */
function jsonObjectProblem(text: string): string | undefined {
  try {
    const kind = jsonKind(readJson(text));
    return kind === 'object' || kind === 'null'
      ? undefined
      : `json: cannot unmarshal ${kind} into Go value of type map[string]interface {}`;
  } catch (error) {
    if (error instanceof JsonSyntaxError) return error.message;
    throw error;
  }
}
