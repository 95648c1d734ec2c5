import { inputOptions, serverFlagOptions } from '../../../client/options/call-options.js';
import { free, many, type OptionTable, type OptionValues, one, onOff, word } from '../../../client/options/option.js';
import type { ValueType } from '../../../client/options/value-type.js';
import { type Severity, severities } from '../../../lint/severity.js';
import { clusterOptions, configurationOptions } from '../../options/call-flags.js';
import { outputOption } from '../../options/output-options.js';

/** One `--rule ID=LEVEL`. */
export interface RuleLevel {
  readonly id: string;
  readonly level: Severity | 'off';
}

const levels = ['off', ...severities] as const;

/** `--rule`. Which rules exist is known when they are loaded. */
const ruleValue: ValueType<RuleLevel> = {
  parse: text => {
    const [id = '', word] = text.split('=', 2);
    const level = levels.find(one => one === word);
    return level === undefined ? undefined : { id, level };
  },
  expected: `ID=${levels.join('|')}`,
  schema: { type: 'string' },
};

/** `--min-kubernetes`: the minor of `v1.28`, `1.28` or `v1.28.3`. Rules exist since v1.25. */
const oldestMinorValue: ValueType<number> = {
  parse: text => {
    const [, minor = ''] = /^v?1\.(\d{2})(?:\.\d+)?$/.exec(text) ?? [];
    return Number(minor) < 25 ? undefined : Number(minor);
  },
  expected: 'a version from v1.25',
  schema: { type: 'string' },
};

/** Options of `lint`. */
export const lintOptions = {
  ...configurationOptions,
  state: { ...inputOptions.state, group: 'INPUT', description: 'the same, without -f: usually the state of webhook-cli.yaml' },
  ...clusterOptions,
  kubernetesVersion: serverFlagOptions.kubernetesVersion,
  failOn: {
    ...word('error', 'warning', 'info'),
    ...free,
    description: 'min severity for exit code 1; error by default',
  },
  rule: {
    ...many(ruleValue),
    ...free,
    placeholder: `ID=${levels.join('|')}`,
    description: 'severity of the findings of a rule; repeatable',
  },
  explainCost: {
    ...onOff,
    ...free,
    description: 'explain which sizes make a CEL rule too expensive, and print the limits that suffice',
  },
  rehearse: {
    ...onOff,
    ...free,
    description: 'create and delete the files in every order in memory, and print what is refused or hangs',
  },
  defaulted: {
    ...onOff,
    ...free,
    description: 'print the files with their configurations as the API server would store them, in place of findings',
  },
  minKubernetes: {
    ...one(oldestMinorValue),
    ...free,
    placeholder: 'VERSION',
    description: 'oldest Kubernetes, from v1.25, in which CEL expressions must compile',
  },
  output: outputOption(['text', 'json', 'sarif', 'github', 'gitlab']),
} as const satisfies OptionTable;

export type LintFlags = OptionValues<typeof lintOptions> & { readonly noColor?: boolean | undefined };
