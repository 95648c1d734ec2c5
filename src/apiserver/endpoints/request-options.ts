import { parseDuration } from '../../go/duration.js';
import { writeValue } from '../../go/json/write.js';
import { isPrintable } from '../../go/printable.js';
import { TimeError } from '../../go/quote-for-time.js';
import type { Value, ValueMap } from '../../go/value.js';
import { type FieldError, invalidValue, notSupported, tooLong } from '../../kubernetes/field-error.js';
import { badRequest, invalid } from '../../kubernetes/status-errors.js';
import type { ApiObject } from '../objects/api-object.js';
import { builtInCodec } from '../objects/built-in-codec.js';
import type { Query } from './request-info.js';

export type OptionsKind = 'CreateOptions' | 'UpdateOptions' | 'PatchOptions' | 'DeleteOptions';

export type FieldValidation = 'Ignore' | 'Warn' | 'Strict';

/** The options of a write, from its query. */
export interface WriteOptions {
  readonly dryRun: boolean;
  /** As the client sent it; empty when it did not. */
  readonly fieldManager: string;
  readonly fieldValidation: FieldValidation;
  readonly force: boolean | undefined;
  /** What reviews carry. */
  readonly object: ApiObject;
}

const fieldValidations = ['', 'Ignore', 'Strict', 'Warn'];

/** Reads and checks the options of a create, update or patch; errors of its own come first. Throws the 422 for wrong ones. Source: apimachinery meta/v1/validation. */
export function writeOptions(
  kind: Exclude<OptionsKind, 'DeleteOptions'>,
  query: Query,
  extraErrors: readonly FieldError[] = [],
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
    object: optionsObject(kind === 'PatchOptions' ? 'UpdateOptions' : kind, members),
  };
}

/** Returns the options a review carries when an update or patch turns out to create the object: the same three members. */
export function asCreateOptions(options: WriteOptions): ApiObject {
  const members = [...options.object.value].filter(([key]) => key !== 'kind' && key !== 'apiVersion');
  return optionsObject('CreateOptions', members);
}

/** Returns an options object as reviews carry it. */
export function optionsObject(kind: OptionsKind, members: readonly (readonly [string, Value | undefined])[]): ApiObject {
  const codec = builtInCodec({ group: 'meta.k8s.io', version: 'v1', kind });
  if (codec === undefined) throw new Error(`no type ${kind} in the table of Kubernetes types`);
  const value: ValueMap = new Map<string, Value>([
    ['kind', kind],
    ['apiVersion', 'meta.k8s.io/v1'],
  ]);
  for (const [key, member] of members) if (member !== undefined) value.set(key, member);
  return { codec, value };
}

/** `dryRun` takes the single value All. */
export function dryRunErrors(dryRun: readonly string[]): FieldError[] {
  if (dryRun.every(value => value === 'All')) return [];
  return [notSupported('dryRun', { rawJson: writeValue([...dryRun], 'kept') }, ['All'])];
}

/** At most 128 bytes, all printable. Source: apimachinery meta/v1/validation ValidateFieldManager. */
export function fieldManagerErrors(manager: string): FieldError[] {
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

function durationMs(text: string): number {
  try {
    return Number(parseDuration(text)) / 1e6;
  } catch (error) {
    if (error instanceof TimeError) throw badRequest(`invalid timeout specified in the request URL - ${error.message}`);
    throw error;
  }
}

/**
 * Returns the `timeout` of the request line in milliseconds; the server's own when it says nothing useful. Throws the 400 for a text that
 * is no duration.
 */
export function requestTimeoutMs(query: Query): number {
  const maximum = 60_000;
  const text = query.get('timeout')?.[0] ?? '';
  if (text === '') return maximum;
  const asked = durationMs(text);
  return asked <= 0 || asked > maximum ? maximum : asked;
}
