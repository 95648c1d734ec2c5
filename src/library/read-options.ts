import { CliError } from '../client/cli-error.js';
import { nearest } from '../client/nearest.js';
import { argumentOptions, callOptions, inputOptions, serverFlagOptions } from '../client/options/call-options.js';
import type { OptionTable, OptionValues } from '../client/options/option.js';
import { optionMemberOf } from '../client/options/option-names.js';
import { type OptionEdge, parseOption } from '../client/options/parse-option.js';
import { checkOptions, webhookOptions } from '../client/options/webhook-options.js';
import { ownMember, setOwnMember } from '../go/own-members.js';
import type { ManifestOptions, ReviewOptions, StateOptions } from './options.js';

/** Options of the API call. */
export const libraryCallOptions = { ...callOptions, ...argumentOptions };

/** Options of the webhooks and how they are reached. */
export const libraryWebhookOptions = { ...webhookOptions, ...checkOptions };

/** Options of `loadState`. */
export const libraryStateOptions = { recursive: inputOptions.recursive, ...serverFlagOptions };

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
    const option = ownMember(table, name);
    if (option === undefined) throw unknownOption(name, [...Object.keys(table), ...others]);
    setOwnMember(values, optionMemberOf(name, option), parseOption(option, { name, data: value }, libraryEdge));
  }
  // The values have the types that the table gives them.
  return values as OptionValues<T>;
}

/** A value that a program passed. */
interface PassedValue {
  readonly name: string;
  readonly data: unknown;
}

/** Members of objects of JavaScript. */
const libraryEdge: OptionEdge<PassedValue> = {
  switchAt: ({ name, data }) => {
    if (typeof data === 'boolean') return data;
    throw invalidOption(name, data, 'true or false');
  },
  textAt: (at, { inLibrary, expected }) => {
    const text = inLibrary === undefined ? optionText(at.data) : inLibrary.textOf(at.data);
    if (text === undefined) throw invalidOption(at.name, at.data, inLibrary?.expected ?? expected);
    return { at, text };
  },
  textsAt: (at, shape) => {
    const { name, data } = at;
    if (shape === 'pairs') {
      if (isRecord(data)) return textsOfPairs(name, data).map(text => ({ at, text }));
      throw invalidOption(name, data, 'an object with string values');
    }
    const list = isText(data) ? [data] : data;
    if (isListOf(list, isText)) return list.map(text => ({ at, text }));
    throw invalidOption(name, data, 'a string or a list of strings');
  },
  refuse: ({ at, text }, { expected, suggestions }) => invalidOption(at.name, text, expected, suggestions),
};

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

function optionText(value: unknown): string | undefined {
  return isText(value) ? value : undefined;
}

function isListOf<T>(value: unknown, isItem: (item: unknown) => item is T): value is readonly T[] {
  return Array.isArray(value) && value.every(isItem);
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns `{a: 'b', c: ['d', 'e']}` as `a=b`, `c=d`, `c=e`. */
function textsOfPairs(name: string, record: Readonly<Record<string, unknown>>): string[] {
  return Object.entries(record).flatMap(([key, value]) => {
    const values = Array.isArray(value) ? value : [value];
    if (!isListOf(values, isText)) throw invalidOption(`${name}.${key}`, value, 'a string');
    return values.map(text => `${key}=${text}`);
  });
}

function invalidOption(name: string, value: unknown, expected: string, suggestions: readonly string[] = []): CliError {
  const shown = typeof value === 'string' ? JSON.stringify(value) : typeof value === 'object' && value !== null ? 'object' : String(value);
  return new CliError('usage', `invalid option ${name} ${shown}: expected ${expected}`, { suggestions });
}

function unknownOption(name: string, known: readonly string[]): CliError {
  const meant = nearest(name, known);
  return new CliError('usage', `unknown option ${name}`, {
    suggestions: [meant === undefined ? `use one of ${known.join(', ')}` : `did you mean ${meant}?`],
  });
}
