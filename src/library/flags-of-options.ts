import { operations } from '../cli/calls/operations.js';
import type { ReviewingFlags } from '../cli/calls/review-calls.js';
import { CliError } from '../cli/cli-error.js';
import { durationMs } from '../cli/flags/duration.js';
import { nearest } from '../cli/nearest.js';
import type { CallOptions, ManifestOptions, ReviewOptions, StateOptions, WebhookOptions } from './options.js';

/** What an option takes, and the flag it is. */
export type OptionKind =
  | { readonly takes: 'text' | 'texts' | 'pairs' | 'switch' | 'date' | 'patch' }
  | { readonly takes: 'word'; readonly words: readonly string[] }
  | { readonly takes: 'number'; readonly min: number; readonly max: number }
  | { readonly takes: 'duration'; readonly minMs: number; readonly maxMs: number };

/** The options that are flags of the command line: `asGroup` is `--as-group`. */
export const flagOptions = {
  operation: { takes: 'word', words: operations },
  subresource: { takes: 'text' },
  namespace: { takes: 'text' },
  patch: { takes: 'patch' },
  type: { takes: 'word', words: ['json', 'merge', 'strategic'] },
  dryRun: { takes: 'word', words: ['none', 'server'] },
  fieldManager: { takes: 'text' },
  validate: { takes: 'word', words: ['strict', 'warn', 'ignore', 'true', 'false'] },
  forceConflicts: { takes: 'switch' },
  gracePeriod: { takes: 'number', min: -1, max: 2 ** 31 - 1 },
  force: { takes: 'switch' },
  cascade: { takes: 'word', words: ['background', 'orphan', 'foreground'] },
  container: { takes: 'text' },
  stdin: { takes: 'switch' },
  tty: { takes: 'switch' },
  words: { takes: 'texts' },
  as: { takes: 'text' },
  asUid: { takes: 'text' },
  asGroup: { takes: 'texts' },
  asUserExtra: { takes: 'pairs' },
  seed: { takes: 'number', min: 0, max: 2 ** 32 - 1 },
  now: { takes: 'date' },
  url: { takes: 'text' },
  demo: { takes: 'switch' },
  webhook: { takes: 'texts' },
  service: { takes: 'pairs' },
  phase: { takes: 'word', words: ['mutating', 'validating', 'both'] },
  timeout: { takes: 'duration', minMs: 1000, maxMs: 30_000 },
  failurePolicy: { takes: 'word', words: ['Fail', 'Ignore'] },
  sideEffects: { takes: 'word', words: ['None', 'NoneOnDryRun', 'Some', 'Unknown'] },
  reviewVersions: { takes: 'text' },
  reinvocationPolicy: { takes: 'word', words: ['Never', 'IfNeeded'] },
  matchCondition: { takes: 'texts' },
  resolve: { takes: 'texts' },
  caFile: { takes: 'text' },
  serverName: { takes: 'text' },
  insecureSkipTlsVerify: { takes: 'switch' },
  clientCertificate: { takes: 'text' },
  clientKey: { takes: 'text' },
  tokenFile: { takes: 'text' },
  header: { takes: 'pairs' },
  allowHttp: { takes: 'switch' },
  requestTimeout: { takes: 'duration', minMs: 1, maxMs: 3_600_000 },
  check: { takes: 'text' },
} as const satisfies Record<keyof (CallOptions & WebhookOptions), OptionKind>;

/** Those of `loadState`. */
export const stateFlagOptions = {
  recursive: { takes: 'switch' },
  enableAdmissionPlugins: { takes: 'texts' },
  disableAdmissionPlugins: { takes: 'texts' },
  kubernetesVersion: { takes: 'text' },
} as const satisfies Record<keyof Omit<StateOptions, 'cwd'>, OptionKind>;

const manifestOptions = ['manifest', 'filename', 'recursive', 'old', 'state', 'cwd'] as const satisfies readonly (keyof ManifestOptions)[];

/** The flags that the options of a review stand for. Throws CliError for options that are unknown or of another type. */
export function reviewFlags(options: ReviewOptions): ReviewingFlags {
  return flagsOf(options, flagOptions, [...manifestOptions, 'handler']);
}

/** The same for `loadState`. */
export function stateFlags(options: StateOptions): ReviewingFlags {
  return flagsOf(options, stateFlagOptions, ['cwd']);
}

function flagsOf(options: object, known: Readonly<Record<string, OptionKind>>, others: readonly string[]): ReviewingFlags {
  const flags: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(options)) {
    if (others.includes(name) || value === undefined) continue;
    const kind = Object.hasOwn(known, name) ? known[name] : undefined;
    if (kind === undefined) throw unknownOption(name, [...Object.keys(known), ...others]);
    flags[flagName(name)] = flagValue(name, value, kind);
  }
  // The table says of each option what its flag's own parser makes of it.
  return flags as ReviewingFlags;
}

/** `asGroup` is `as-group`. */
export function flagName(option: string): string {
  return option.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`);
}

function flagValue(name: string, value: unknown, kind: OptionKind): unknown {
  if (kind.takes === 'texts' && isListOf(value, isText)) return value;
  if ((kind.takes === 'text' || kind.takes === 'texts') && isText(value)) return kind.takes === 'text' ? value : [value];
  if (kind.takes === 'switch' && typeof value === 'boolean') return value;
  if (kind.takes === 'date' && value instanceof Date && !Number.isNaN(value.getTime())) return value;
  if (kind.takes === 'word' && isText(value) && kind.words.includes(value)) return value;
  if (kind.takes === 'number' && Number.isSafeInteger(value) && isWithin(Number(value), kind.min, kind.max)) return value;
  if (kind.takes === 'duration' && isText(value)) {
    const ms = durationMs(value);
    if (ms !== undefined && isWithin(ms, kind.minMs, kind.maxMs)) return ms;
  }
  if (kind.takes === 'pairs' && isRecord(value)) return pairs(name, value);
  if (kind.takes === 'patch' && (isText(value) || typeof value === 'object')) return isText(value) ? value : JSON.stringify(value);
  throw new CliError('usage', `the option ${name} is ${shown(value)}, and must be ${wanted(kind)}`);
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

function isWithin(value: number, min: number, max: number): boolean {
  return value >= min && value <= max;
}

/** `{a: 'b', c: ['d', 'e']}` as `a=b`, `c=d`, `c=e`. */
function pairs(name: string, record: Readonly<Record<string, unknown>>): string[] {
  return Object.entries(record).flatMap(([key, value]) => {
    const values = Array.isArray(value) ? value : [value];
    if (!isListOf(values, isText)) throw new CliError('usage', `the option ${name}.${key} is ${shown(value)}, and must be a text`);
    return values.map(text => `${key}=${text}`);
  });
}

function wanted(kind: OptionKind): string {
  switch (kind.takes) {
    case 'word':
      return `one of ${kind.words.join(', ')}`;
    case 'number':
      return `a whole number from ${kind.min} to ${kind.max}`;
    case 'duration':
      return `a duration from ${kind.minMs / 1000}s to ${kind.maxMs / 1000}s`;
    default:
      return wantedWords[kind.takes];
  }
}

const wantedWords = {
  text: 'a text',
  texts: 'a text or a list of them',
  pairs: 'an object of texts',
  switch: 'true or false',
  date: 'a Date',
  patch: 'data or text',
};

function shown(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value);
  return typeof value === 'object' && value !== null ? 'an object' : String(value);
}

function unknownOption(name: string, known: readonly string[]): CliError {
  const meant = nearest(name, known);
  return new CliError('usage', `there is no option ${name}`, {
    suggestions: [meant === undefined ? `there are ${known.join(', ')}` : `did you mean ${meant}?`],
  });
}
