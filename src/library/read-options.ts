import { CliError } from '../client/cli-error.js';
import { nearest } from '../client/nearest.js';
import { argumentOptions, callOptions, inputOptions, serverOptions } from '../client/options/call-options.js';
import type { OptionKind, OptionTable, OptionValues } from '../client/options/option.js';
import { memberOf } from '../client/options/option-names.js';
import { durationOf, expectedValue, isWithin } from '../client/options/option-values.js';
import { checkOptions, webhookOptions } from '../client/options/webhook-options.js';
import type { ManifestOptions, ReviewOptions, StateOptions } from './options.js';

/** Options of the API call. */
export const libraryCallOptions = { ...callOptions, ...argumentOptions };

/** Options of the webhooks and how they are reached. */
export const libraryWebhookOptions = { ...webhookOptions, ...checkOptions };

/** Options of `loadState`. */
export const libraryStateOptions = { recursive: inputOptions.recursive, ...serverOptions };

const reviewOptions = { ...libraryCallOptions, ...libraryWebhookOptions };
const manifestOptions = ['manifest', 'filename', 'recursive', 'old', 'state', 'cwd'] as const satisfies readonly (keyof ManifestOptions)[];

/** Parses the options of a review. Throws CliError for unknown options and invalid values. */
export function readReviewOptions(options: ReviewOptions): OptionValues<typeof reviewOptions> {
  return read(options, reviewOptions, [...manifestOptions, 'handler']);
}

/** Parses the options of `loadState`. Throws CliError for unknown options and invalid values. */
export function readStateOptions(options: StateOptions): OptionValues<typeof libraryStateOptions> {
  return read(options, libraryStateOptions, ['cwd']);
}

function read<T extends OptionTable>(options: object, table: T, others: readonly string[]): OptionValues<T> {
  const values: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(options)) {
    if (others.includes(name) || value === undefined) continue;
    const option = Object.hasOwn(table, name) ? table[name] : undefined;
    if (option === undefined) throw unknownOption(name, [...Object.keys(table), ...others]);
    values[memberOf(name, option)] = parsedValue(name, value, option);
  }
  // The values have the types that the table gives them.
  return values as OptionValues<T>;
}

function parsedValue(name: string, value: unknown, kind: OptionKind): unknown {
  if (kind.takes === 'texts' && isListOf(value, isText)) return value;
  if ((kind.takes === 'text' || kind.takes === 'texts') && isText(value)) return kind.takes === 'text' ? value : [value];
  if (kind.takes === 'switch' && typeof value === 'boolean') return value;
  if (kind.takes === 'time' && value instanceof Date && !Number.isNaN(value.getTime())) return value;
  if (kind.takes === 'word' && isText(value) && kind.choices.includes(value)) return value;
  if (kind.takes === 'number' && Number.isSafeInteger(value) && isWithin(Number(value), kind.min, kind.max)) return value;
  if (kind.takes === 'duration' && isText(value)) {
    const duration = durationOf(kind, value);
    if (duration !== undefined) return duration;
  }
  if (kind.takes === 'pairs' && isRecord(value)) return pairs(name, value);
  if (kind.takes === 'patch' && (isText(value) || typeof value === 'object')) return isText(value) ? value : JSON.stringify(value);
  throw invalidOption(name, value, expectedIn(kind));
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

function isListOf<T>(value: unknown, isItem: (item: unknown) => item is T): value is readonly T[] {
  return Array.isArray(value) && value.every(isItem);
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns `{a: 'b', c: ['d', 'e']}` as `a=b`, `c=d`, `c=e`. */
function pairs(name: string, record: Readonly<Record<string, unknown>>): string[] {
  return Object.entries(record).flatMap(([key, value]) => {
    const values = Array.isArray(value) ? value : [value];
    if (!isListOf(values, isText)) throw invalidOption(`${name}.${key}`, value, 'a string');
    return values.map(text => `${key}=${text}`);
  });
}

/** Describes the values of an option that are not strings, unlike on the command line. */
function expectedIn(kind: OptionKind): string {
  if (kind.takes === 'pairs') return 'an object with string values';
  if (kind.takes === 'time') return 'a Date';
  return kind.takes === 'patch' ? 'an object or a string' : expectedValue(kind);
}

function invalidOption(name: string, value: unknown, expected: string): CliError {
  const shown = typeof value === 'string' ? JSON.stringify(value) : typeof value === 'object' && value !== null ? 'object' : String(value);
  return new CliError('usage', `invalid option ${name} (${shown}): expected ${expected}`);
}

function unknownOption(name: string, known: readonly string[]): CliError {
  const meant = nearest(name, known);
  return new CliError('usage', `unknown option ${name}`, {
    suggestions: [meant === undefined ? `use one of ${known.join(', ')}` : `did you mean ${meant}?`],
  });
}
