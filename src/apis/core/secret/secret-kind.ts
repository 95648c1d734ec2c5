import type { KindDefinition } from '../../../apiserver/registry/kind-definition.js';
import type { FieldPath } from '../../../apiserver/registry/validation/field-path.js';
import { checkImmutable } from '../../../apiserver/registry/validation/immutable.js';
import type { KindRules } from '../../../apiserver/registry/validation/kind-rules.js';
import { jsonKind } from '../../../go/json/node.js';
import { JsonSyntaxError, readJson } from '../../../go/json/reader.js';
import { configMapKeyProblems } from '../../../kubernetes/name-rules.js';
import { keyPairError } from '../../../x509/key-pair.js';
import { keepData, maximumSize, objectDataBytes } from '../object-data.js';

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

function checkSecret(object: FieldPath): void {
  const data = object.child('data');
  let size = 0;
  for (const [key, field] of object.entries('data')) {
    field.invalidEach(key, configMapKeyProblems(key));
    size += objectDataBytes(field).length;
  }
  if (size > maximumSize) data.tooLong(maximumSize);
  checkSecretType(object, data);
}

function checkSecretType(object: FieldPath, data: FieldPath): void {
  const type = object.text('type');
  const needs = (key: string): void => {
    if (!data.members().has(key)) data.key(key).required();
  };
  if (type === 'kubernetes.io/service-account-token') {
    const name = object.child('metadata', 'annotations').key('kubernetes.io/service-account.name');
    if (name.text() === '') name.required();
  } else if (type === 'kubernetes.io/dockercfg') checkDockerConfig(data.key('.dockercfg'));
  else if (type === 'kubernetes.io/dockerconfigjson') checkDockerConfig(data.key('.dockerconfigjson'));
  else if (type === 'kubernetes.io/basic-auth') {
    if (!data.members().has('username') && !data.members().has('password')) {
      needs('username');
      needs('password');
    }
  } else if (type === 'kubernetes.io/ssh-auth') {
    const key = data.key('ssh-privatekey');
    if (key.text() === '') key.required();
  } else if (type === 'kubernetes.io/tls') {
    needs('tls.crt');
    needs('tls.key');
  }
}

/** Source: kubernetes pkg/registry/core/secret/strategy.go warningsForSecret. */
function secretWarnings(object: FieldPath): string[] {
  if (object.text('type') !== 'kubernetes.io/tls') return [];
  const textOfKey = (key: string): string => objectDataBytes(object.child('data').key(key)).toString('latin1');
  const problem = keyPairError({ certificate: textOfKey('tls.crt'), key: textOfKey('tls.key') });
  return problem === undefined ? [] : [problem];
}

function checkDockerConfig(entry: FieldPath): void {
  // A missing value is an empty string.
  if (entry.value === undefined) {
    entry.required();
    return;
  }
  const why = jsonObjectProblem(objectDataBytes(entry).toString('utf8'));
  if (why !== undefined) entry.invalid('<secret contents redacted>', why);
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
