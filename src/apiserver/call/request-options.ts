import { writeValue } from '../../go/json/write.js';
import { isPrintable } from '../../go/printable.js';
import type { Value, ValueMap } from '../../go/value.js';
import type { ApiServer } from '../../kubernetes/api-server.js';
import { type FieldError, invalidValue, notSupported, tooLong } from '../../kubernetes/field-error.js';
import { memoize, memoizeStrings } from '../../kubernetes/memoize.js';
import { invalid } from '../../kubernetes/status-errors.js';
import type { ApiObject } from '../objects/api-object.js';
import { builtInCodec } from '../objects/built-in-codec.js';
import type { Query } from './request-info.js';

export type OptionsKind = 'CreateOptions' | 'UpdateOptions' | 'PatchOptions' | 'DeleteOptions';

export type FieldValidation = 'Ignore' | 'Warn' | 'Strict';

/** Options of a write, from its query. */
export interface WriteOptions {
  readonly dryRun: boolean;
  /** As sent by the client; empty when absent. */
  readonly fieldManager: string;
  readonly fieldValidation: FieldValidation;
  readonly force: boolean | undefined;
  /** Options object that reviews contain. */
  readonly object: ApiObject;
}

const fieldValidations = ['', 'Ignore', 'Strict', 'Warn'];

/**
 * Parses and validates the options of a create, update or patch; parse errors come first. Throws a 422 for invalid ones. Source:
 * apimachinery meta/v1/validation.
 */
export function writeOptions(
  server: ApiServer,
  kind: Exclude<OptionsKind, 'DeleteOptions'>,
  query: Query,
  extraErrors: readonly FieldError[] = [],
): WriteOptions {
  return extraErrors.length === 0 ? optionsOfQuery(server)(query)(kind) : parsedOptions(server, kind, query, extraErrors);
}

/** Calls with equal queries have the same one. Errors are not memoized. */
const optionsOfQuery = memoize((server: ApiServer) =>
  memoize((query: Query) =>
    memoizeStrings(Number.POSITIVE_INFINITY, kind => parsedOptions(server, kind as Parameters<typeof writeOptions>[1], query, [])),
  ),
);

function parsedOptions(
  server: ApiServer,
  kind: Exclude<OptionsKind, 'DeleteOptions'>,
  query: Query,
  extraErrors: readonly FieldError[],
): WriteOptions {
  const dryRun = query.get('dryRun') ?? [];
  const fieldManager = query.get('fieldManager')?.[0] ?? '';
  const fieldValidation = query.get('fieldValidation')?.[0] ?? '';
  const errors = [...extraErrors, ...fieldManagerErrors(fieldManager), ...dryRunErrors(dryRun)];
  if (!fieldValidations.includes(fieldValidation)) errors.push(notSupported('fieldValidation', fieldValidation, fieldValidations));
  if (errors.length > 0) throw invalid({ group: 'meta.k8s.io', kind }, '', errors);
  const members: [string, Value | undefined][] = [
    ['dryRun', dryRun.length === 0 ? undefined : [...dryRun]],
    ['fieldManager', fieldManager || undefined],
    ['fieldValidation', fieldValidation || undefined],
  ];
  return {
    dryRun: dryRun.length > 0,
    fieldManager,
    fieldValidation: (fieldValidation || 'Warn') as FieldValidation,
    force: undefined,
    object: optionsObject(server, kind === 'PatchOptions' ? 'UpdateOptions' : kind, members),
  };
}

/** Returns the CreateOptions of a review when an update or patch creates the object: the same three fields. */
export function asCreateOptions(server: ApiServer, options: WriteOptions): ApiObject {
  const members = [...options.object.value].filter(([key]) => key !== 'kind' && key !== 'apiVersion');
  return optionsObject(server, 'CreateOptions', members);
}

/** Returns the options object for reviews. */
export function optionsObject(server: ApiServer, kind: OptionsKind, members: readonly (readonly [string, Value | undefined])[]): ApiObject {
  const codec = builtInCodec(server, { group: 'meta.k8s.io', version: 'v1', kind });
  if (codec === undefined) throw new Error(`no type ${kind} in the table of Kubernetes types`);
  const value: ValueMap = new Map<string, Value>([
    ['kind', kind],
    ['apiVersion', 'meta.k8s.io/v1'],
  ]);
  for (const [key, member] of members) if (member !== undefined) value.set(key, member);
  return { codec, value };
}

/** Validates `dryRun`: All is the only valid value. */
export function dryRunErrors(dryRun: readonly string[]): FieldError[] {
  if (dryRun.every(value => value === 'All')) return [];
  return [notSupported('dryRun', { rawJson: writeValue([...dryRun], 'kept') }, ['All'])];
}

/** Validates the field manager: at most 128 bytes, all printable. Source: apimachinery meta/v1/validation ValidateFieldManager. */
function fieldManagerErrors(manager: string): FieldError[] {
  const errors: FieldError[] = [];
  if (Buffer.byteLength(manager) > 128) errors.push(tooLong('fieldManager', 128));
  let at = 0;
  for (const character of manager) {
    if (!isPrintable(character)) {
      const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
      errors.push(invalidValue('fieldManager', manager, `invalid character U+${code} (at position ${at})`));
    }
    at += Buffer.byteLength(character);
  }
  return errors;
}
