import { CliError } from '../../../client/cli-error.js';
import { nearest } from '../../../client/nearest.js';
import type { CallFlagOptions } from '../../../client/options/call-options.js';
import { flagName, optionMemberOf, textOfValue } from '../../../client/options/option-names.js';
import { type StateFlagOptions, stateOptions } from '../../../client/options/state-options.js';
import { type WebhookFlagOptions, webhookOptions } from '../../../client/options/webhook-options.js';
import { type FuzzCheckName, fuzzCheckNames } from '../../../fuzz/checks/finding.js';
import type { PageFlags } from '../../work/calls/traced-calls.js';

/** Options of `fuzz`. */
export type FuzzFlags = StateFlagOptions &
  WebhookFlagOptions &
  Pick<CallFlagOptions, 'filename' | 'seed' | 'now' | 'as' | 'asUid' | 'asGroup' | 'asUserExtra'> &
  PageFlags & {
    readonly kind?: readonly string[] | undefined;
    readonly timeMs?: number | undefined;
    readonly runs?: number | undefined;
    readonly check?: string | undefined;
    readonly exec?: string | undefined;
    /** Objects that must never exist. */
    readonly forbidden?: string | undefined;
    /** Folder for a suite of the findings. */
    readonly write?: string | undefined;
  };

/** Parses `--check`: names, or names to leave out with a leading `-`. Throws CliError. */
export function checksOfFlag(flag: string | undefined): FuzzCheckName[] {
  const names = (flag ?? '')
    .split(',')
    .map(word => word.trim())
    .filter(word => word !== '');
  for (const word of names) {
    const name = word.replace(/^-/, '');
    if (fuzzCheckNames.some(known => known === name)) continue;
    const meant = nearest(name, fuzzCheckNames);
    throw new CliError('usage', `invalid --check ${JSON.stringify(word)}: unknown check`, {
      suggestions: [meant === undefined ? `use ${fuzzCheckNames.join(', ')}` : `did you mean ${meant}?`],
    });
  }
  const wanted = names.filter(word => !word.startsWith('-'));
  const unwanted = new Set(names.filter(word => word.startsWith('-')).map(word => word.slice(1)));
  return fuzzCheckNames.filter(name => (wanted.length === 0 || wanted.includes(name)) && !unwanted.has(name));
}

/** Returns the flags that choose what a search starts from, as arguments of a command line. */
export function searchWords(
  { kind = [], filename = [], check, as: user, asUid, asGroup = [], asUserExtra = [] }: FuzzFlags,
  given: ReadonlySet<string>,
): string[] {
  return [
    ...kind.flatMap(one => ['--kind', one]),
    ...(given.has('filename') ? filename.flatMap(one => ['-f', one]) : []),
    ...(check === undefined ? [] : ['--check', check]),
    ...(user === undefined ? [] : ['--as', user]),
    ...(asUid === undefined ? [] : ['--as-uid', asUid]),
    ...asGroup.flatMap(group => ['--as-group', group]),
    ...asUserExtra.flatMap(({ text }) => ['--as-user-extra', text]),
  ];
}

/** Returns the given flags that describe webhooks and cluster, as arguments of a command line. */
export function repeatedWords(flags: FuzzFlags, given: ReadonlySet<string>): string[] {
  const values = new Map<string, unknown>(Object.entries(flags));
  const table = { ...stateOptions, ...webhookOptions };
  return Object.entries(table).flatMap(([name, option]) => {
    const member = optionMemberOf(name, option);
    const value = values.get(member);
    if (!given.has(member) || value === undefined || value === false) return [];
    if (value === true) return [`--${flagName(name)}`];
    return [value].flat().flatMap(one => [`--${flagName(name)}`, textOfValue(one, option)]);
  });
}
