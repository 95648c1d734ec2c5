import { callOptions, type ImpersonationFlags, inputOptions, serverFlagOptions } from '../../../client/options/call-options.js';
import {
  durationOption,
  free,
  many,
  numberOption,
  type OptionTable,
  type OptionValues,
  one,
  path,
  textOption,
} from '../../../client/options/option.js';
import { flagName, optionMemberOf, textOfValue } from '../../../client/options/option-names.js';
import { resourceValue } from '../../../client/options/resource-value.js';
import { clusterStateOptions, stateOptions } from '../../../client/options/state-options.js';
import { webhookOptions } from '../../../client/options/webhook-options.js';
import { openOption, outputOption } from '../../options/output-options.js';
import type { PageFlags } from '../../work/calls/traced-calls.js';
import { fuzzChecksValue } from './fuzz-checks-value.js';

const search = { group: 'SEARCH' } as const;
const output = { group: 'OUTPUT' } as const;
const { kubernetesVersion, ...plugins } = serverFlagOptions;

/** Options of `fuzz`. */
export const fuzzOptions = {
  filename: inputOptions.filename,
  recursive: inputOptions.recursive,
  ...clusterStateOptions,
  ...plugins,
  kubernetesVersion,
  as: callOptions.as,
  asUid: callOptions.asUid,
  asGroup: callOptions.asGroup,
  asUserExtra: callOptions.asUserExtra,
  ...webhookOptions,
  exec: {
    ...textOption,
    group: 'WEBHOOK',
    placeholder: 'COMMAND',
    description: `the shell command that starts the webhook, and restarts it after a crash; \${PORT} and \${CERTS} are replaced as in suites`,
  },
  kind: { ...many(resourceValue), ...search, placeholder: 'RESOURCE[.GROUP]', description: 'only these resources; repeatable' },
  time: {
    ...durationOption({ unit: 'Ms', minMs: 1, maxMs: 86_400_000 }),
    ...search,
    placeholder: '60s',
    description: 'how long to search; 60s by default',
  },
  runs: { ...numberOption(1, 2 ** 31 - 1), ...search, placeholder: 'N', description: 'the number of calls after which the search ends' },
  check: {
    ...one(fuzzChecksValue),
    ...search,
    ...free,
    placeholder: 'NAME,...',
    description: 'only these checks; -NAME leaves one out',
  },
  forbidden: {
    ...path,
    ...search,
    placeholder: 'PATH',
    description: 'objects that must never exist: search for a way past the webhooks that refuse them, too',
  },
  seed: callOptions.seed,
  now: callOptions.now,
  write: {
    ...path,
    ...output,
    placeholder: 'DIR',
    description: 'write the findings as a suite, which fails until the webhook is fixed',
  },
  output: outputOption(['text', 'json']),
  open: openOption,
} as const satisfies OptionTable;

export type FuzzFlags = OptionValues<typeof fuzzOptions> & PageFlags;

/** Returns the flags that choose what a search starts from, as arguments of a command line. */
export function searchWords(
  {
    kind = [],
    filename = [],
    check,
    as: user,
    asUid,
    asGroup = [],
    asUserExtra = [],
  }: ImpersonationFlags & Pick<FuzzFlags, 'kind' | 'filename' | 'check'>,
  given: ReadonlySet<string>,
): string[] {
  return [
    ...kind.flatMap(({ text }) => ['--kind', text]),
    ...(given.has('filename') ? filename.flatMap(one => ['-f', one]) : []),
    ...(check === undefined ? [] : ['--check', check.text]),
    ...(user === undefined ? [] : ['--as', user]),
    ...(asUid === undefined ? [] : ['--as-uid', asUid]),
    ...asGroup.flatMap(group => ['--as-group', group]),
    ...asUserExtra.flatMap(({ text }) => ['--as-user-extra', text]),
  ];
}

/** Returns the given flags that describe webhooks and cluster, as arguments of a command line: those of a command that `hasFlag` knows. */
export function repeatedWords(flags: FuzzFlags, given: ReadonlySet<string>, hasFlag: (name: string) => boolean = () => true): string[] {
  const values = new Map<string, unknown>(Object.entries(flags));
  const table = { ...stateOptions, ...webhookOptions };
  return Object.entries(table).flatMap(([name, option]) => {
    const member = optionMemberOf(name, option);
    const value = values.get(member);
    if (!given.has(member) || value === undefined || value === false || !hasFlag(flagName(name))) return [];
    if (value === true) return [`--${flagName(name)}`];
    return [value].flat().flatMap(one => [`--${flagName(name)}`, textOfValue(one, option)]);
  });
}
