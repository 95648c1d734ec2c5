import { applyErrors } from './apply-errors.js';
import { connectionErrors, generalErrors } from './client-errors.js';
import { forbiddenErrors } from './forbidden-errors.js';
import { fieldErrors, isFieldError, readInvalidObject } from './invalid-errors.js';
import { type KnownError, type MatchedError, matchError } from './known-error.js';
import { manifestErrors } from './manifest-errors.js';
import { missingErrors } from './missing-errors.js';
import { programErrors } from './program-errors.js';
import { storageErrors } from './storage-errors.js';
import { streamErrors } from './stream-errors.js';
import { toolErrors } from './tool-errors.js';

const tables: readonly KnownError[] = [
  ...streamErrors,
  ...connectionErrors,
  ...applyErrors,
  ...programErrors,
  ...manifestErrors,
  ...forbiddenErrors,
  ...missingErrors,
  ...storageErrors,
  ...toolErrors,
  ...generalErrors,
];

/** An error of a text, with the part of the text that it is about. */
export interface KnownMessage {
  readonly message: string;
  readonly error: MatchedError;
}

/** Returns the errors that a message starts with: several if an object has several invalid fields. */
export function knownErrorsIn(message: string): KnownMessage[] {
  const invalid = readInvalidObject(message);
  if (invalid === undefined) {
    const own = message.replace(/^\* /, '');
    const error = (isFieldError(own) ? matchError(fieldErrors, own) : undefined) ?? matchError(tables, message);
    if (error === undefined) return [];
    return [{ message, error: ofSchema.test(own) ? forKind('CustomResourceDefinition', error) : error }];
  }
  const { kind, name, errors } = invalid;
  return errors.flatMap(text => {
    const error = matchError(fieldErrors, text) ?? matchError(invalidObjects, message);
    if (error === undefined) return [];
    const own = ofSchema.test(text) ? 'CustomResourceDefinition' : kind;
    return [{ message: errors.length === 1 ? message : `${kind} "${name}" is invalid: ${text}`, error: forKind(own, error) }];
  });
}

/** A field of the schema of a definition. */
const ofSchema = /^spec\.(?:validation|versions\[\d+\]\.schema)\.openAPIV3Schema\b/;

/** The manifest of a configuration, a policy or a definition is a configuration. */
function forKind(kind: string, error: MatchedError): MatchedError {
  // Webhooks that inject change the update of a pod as easily as its manifest does.
  if (kind === 'Pod' && error.id === 'immutable-field')
    return { ...error, fault: null, try: `${error.try}; webhook-cli review -o diff shows whether a webhook changes it` };
  if (kind.startsWith('PersistentVolume') && error.id === 'immutable-field')
    return {
      ...error,
      try: 'keep the old value (a bound claim can only grow, if its class allows it): deleting a claim can delete its data',
    };
  const id = configurations.find(([pattern]) => pattern.test(kind))?.[1];
  if (id === undefined) return error;
  if (error.id === 'annotations-too-long') return error;
  const isOwn = error.fault === 'configuration' || error.id === 'immutable-field';
  const { dependsOn: _, ...rest } = error;
  if (isOwn) return { ...rest, fault: 'configuration' };
  const what = id === 'invalid-definition' ? 'definition' : id === 'invalid-policy' ? 'policy or binding' : 'configuration';
  const advice =
    id === 'invalid-definition' ? 'paths are those of the internal type (spec.validation, webhookClientConfig)' : 'see the field';
  return {
    ...rest,
    id,
    fault: 'configuration',
    why: `the API server rejects this ${what}: ${error.groups['field'] ?? error.why}`,
    try: `list all errors with their lines: webhook-cli lint; ${advice}`,
  };
}

const configurations: readonly (readonly [RegExp, string])[] = [
  [/^(?:Mutating|Validating)WebhookConfiguration/, 'invalid-configuration'],
  [/^(?:Mutating|Validating)AdmissionPolicy/, 'invalid-policy'],
  [/^CustomResourceDefinition/, 'invalid-definition'],
];

const invalidObjects: readonly KnownError[] = [
  {
    id: 'invalid-object',
    fault: null,
    isGeneral: true,
    text: /^(?:The )?\S+ "(?<name>[^"]*)" is invalid/,
    why: 'the object, as sent or as changed by webhooks, violates a rule of its kind',
    try: 'pass the whole message, and the manifest with -f',
  },
];
