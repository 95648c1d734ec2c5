import type { KindDefinition } from '../../../apiserver/registry/kind-definition.js';
import { checkImmutable } from '../../../apiserver/registry/validation/immutable.js';
import type { KindRules } from '../../../apiserver/registry/validation/kind-rules.js';
import type { Place } from '../../../apiserver/registry/validation/place.js';
import {
  addInvalid,
  addProblems,
  addRequired,
  at,
  entriesAt,
  entryAt,
  mapOf,
  textAt,
  textOf,
} from '../../../apiserver/registry/validation/place.js';
import { jsonKind } from '../../../go/json/node.js';
import { JsonSyntaxError, readJson } from '../../../go/json/reader.js';
import { tooLong } from '../../../kubernetes/field-error.js';
import { configMapKeyProblems } from '../../../kubernetes/name-rules.js';
import { keyPairError } from '../../../x509/key-pair.js';
import { bytesOf, keepData, maximumSize } from '../object-data.js';

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
  const problem = keyPairError({ certificate: textOfKey('tls.crt'), key: textOfKey('tls.key') });
  return problem === undefined ? [] : [problem];
}

function checkDockerConfig(entry: Place): void {
  // A missing value is an empty string.
  if (entry.value === undefined) {
    addRequired(entry);
    return;
  }
  const why = jsonObjectProblem(bytesOf(entry).toString('utf8'));
  if (why !== undefined) addInvalid(entry, why, '<secret contents redacted>');
}

/** Returns Go's error for a text that is not a JSON object. */
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

/** Secret. */
export const secretKind: KindDefinition = {
  validation: secretRules,
  fieldLabels: { fields: ['metadata.namespace', 'type'] },
};
