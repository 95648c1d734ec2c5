import type { ReviewingFlags } from '../cli/calls/review-calls.js';
import { CliError } from '../client/cli-error.js';
import { nearest } from '../client/nearest.js';
import { durationMs } from '../client/options/duration.js';
import type { OptionKind } from '../client/options/option.js';
import { expectedValue, isWithin } from '../client/options/option-values.js';
import { callOptionsByName, type NamedOptions, stateOptionsByName, webhookOptionsByName } from './option-names.js';
import type { ManifestOptions, ReviewOptions, StateOptions } from './options.js';

const reviewOptionsByName = { ...callOptionsByName, ...webhookOptionsByName };
const manifestOptions = ['manifest', 'filename', 'recursive', 'old', 'state', 'cwd'] as const satisfies readonly (keyof ManifestOptions)[];

/** Returns the flags that the options of a review stand for. Throws CliError for unknown options and invalid values. */
export function reviewFlags(options: ReviewOptions): ReviewingFlags {
  return flagsOf(options, reviewOptionsByName, [...manifestOptions, 'handler']);
}

/** Returns the flags that the options of `loadState` stand for. Throws CliError for unknown options and invalid values. */
export function stateFlags(options: StateOptions): ReviewingFlags {
  return flagsOf(options, stateOptionsByName, ['cwd']);
}

function flagsOf(options: object, known: NamedOptions, others: readonly string[]): ReviewingFlags {
  const flags: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(options)) {
    if (others.includes(name) || value === undefined) continue;
    const named = Object.hasOwn(known, name) ? known[name] : undefined;
    if (named === undefined) throw unknownOption(name, [...Object.keys(known), ...others]);
    flags[named.flag] = flagValue(name, value, named.option);
  }
  // The flags have the types that the table gives them.
  return flags as ReviewingFlags;
}

function flagValue(name: string, value: unknown, kind: OptionKind): unknown {
  if (kind.takes === 'texts' && isListOf(value, isText)) return value;
  if ((kind.takes === 'text' || kind.takes === 'texts') && isText(value)) return kind.takes === 'text' ? value : [value];
  if (kind.takes === 'switch' && typeof value === 'boolean') return value;
  if (kind.takes === 'time' && value instanceof Date && !Number.isNaN(value.getTime())) return value;
  if (kind.takes === 'word' && isText(value) && kind.words.includes(value)) return value;
  if (kind.takes === 'number' && Number.isSafeInteger(value) && isWithin(Number(value), kind.min, kind.max)) return value;
  if (kind.takes === 'duration' && isText(value)) {
    const ms = durationMs(value);
    if (ms !== undefined && isWithin(ms, kind.minMs, kind.maxMs)) return ms;
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
