import { flagName } from '../../client/options/option-names.js';
import { plainOfValue, writePlain } from '../../encoding/plain-json.js';
import { indented as indentedJson } from '../../go/json/indent.js';
import { stringAt, type ValueMap } from '../../go/value.js';
import { counted } from '../../kubernetes/counted.js';
import { flagWords, pathWord, shellCommand } from '../../writers/shell.js';
import { type FuzzInput, flagsOfInput } from '../inputs/input.js';
import { withValue } from '../inputs/with-value.js';
import type { MadeCall } from '../pipeline/pipeline.js';
import { compactYaml } from './compact-yaml.js';
import type { FuzzFinding } from './finding-log.js';
import { type FuzzRun, progressOf } from './run-state.js';
import { resourceName } from './targets.js';

/** What a report says besides the findings. */
export interface ReportContext {
  readonly seed: number;
  readonly durationMs: number;
  /** Flags that describe webhooks and cluster, as arguments of a command line. */
  readonly flags: readonly string[];
  /** Those of them that `convert` has. */
  readonly convertFlags: readonly string[];
  /** Flags that choose what the search starts from. */
  readonly search: readonly string[];
  /** Command that starts the webhook. */
  readonly exec: string | undefined;
  /** The suite that describes webhooks and cluster. */
  readonly suite: string | undefined;
  /** Findings of other searches, and their calls. */
  readonly others: { readonly findings: readonly ReportedFinding[]; readonly calls: number };
}

/** A finding in both forms of a report. */
export interface ReportedFinding {
  readonly document: object;
  readonly text: string;
}

/** Returns the report of a run as text and as JSON, a FuzzReport. Without a run, it has the findings of the other searches only. */
export function fuzzReport(run: FuzzRun | undefined, context: ReportContext): { readonly text: string; readonly json: string } {
  const { seed, durationMs, others } = context;
  const own = (run?.findings.all() ?? []).map(finding => ({ document: documentOf(finding, context), text: findingText(finding, context) }));
  const findings = [...others.findings, ...own];
  const {
    resources,
    operations,
    fields,
    calls: made,
  } = run === undefined ? { resources: 0, operations: 0, fields: 0, calls: 0 } : progressOf(run);
  const calls = others.calls + made;
  const document = {
    apiVersion: 'webhook-cli.dev/v1alpha1',
    kind: 'FuzzReport',
    seed,
    calls,
    durationMs: Math.round(durationMs),
    coverage: { resources, operations, fields },
    findings: findings.map(finding => finding.document),
  };
  const seconds = (durationMs / 1000).toFixed(1);
  const coverage = `${counted(resources, 'resource')}, ${counted(operations, 'operation')}, ${counted(fields, 'field')}`;
  const summary = `${counted(findings.length, 'finding')}; ${counted(calls, 'call')} in ${seconds} s with seed ${seed}${run === undefined ? '' : `: ${coverage}`}\n`;
  return {
    text: [...findings.map(({ text }) => text), summary].join('\n'),
    // Manifests have numbers that JavaScript's own writer does not take.
    json: `${indentedJson(writePlain(document, 'kept'))}\n`,
  };
}

function documentOf(finding: FuzzFinding, context: ReportContext): object {
  const { check, webhook, message, count, made, lines, isRepeatable } = finding;
  return {
    check,
    webhook,
    message,
    count,
    call: { ...callOf(made.input), kubectl: shellCommand(kubectlWords(made)) },
    manifests: manifestsOf(made.input).map(({ object }) => plainOfValue(object)),
    command: repeatingCommand(finding, context),
    ...(lines.length === 0 ? {} : { output: lines }),
    ...(isRepeatable ? {} : { repeatable: false }),
  };
}

function findingText(finding: FuzzFinding, context: ReportContext): string {
  const { check, webhook, message, count, made, lines, isRepeatable } = finding;
  const manifests = manifestsOf(made.input);
  return [
    `${check}: ${webhook} ${message}`,
    `  shown by ${counted(count, 'call')}${isRepeatable ? '' : ', and not when the same call was made again'}`,
    ...lines.slice(1).map(line => `  | ${line.trimStart()}`),
    `  $ ${shellCommand(kubectlWords(made))}`,
    `  $ ${repeatingCommand(finding, context)}`,
    ...manifests.flatMap(({ file, object }) => [...(manifests.length > 1 ? [`  ${file}:`] : []), indented(compactYaml(object))]),
    '',
  ].join('\n');
}

function indented(text: string): string {
  return text.replace(/^(?=.)/gm, '    ').trimEnd();
}

/** Returns the call as options of a suite's case, without its files. */
export function callOf(input: FuzzInput): Readonly<Record<string, unknown>> {
  const options = Object.entries(flagsOfInput(input)).map(([name, value]) => [flagName(name), value]);
  return { resource: resourceName(input.target.resource), ...Object.fromEntries(options) };
}

/** Manifests of a call with the names of their files: the object and, if it changes another one, that one. */
export function manifestsOf({ object, old, operation }: FuzzInput): { readonly file: string; readonly object: ValueMap }[] {
  if (old === undefined || operation === 'create') return [{ file: 'manifest.yaml', object }];
  // kubectl takes the name of an object that is changed from the manifest.
  const name = stringAt(old, 'metadata', 'name');
  const named = name === '' || stringAt(object, 'metadata', 'name') !== '' ? object : withValue(object, ['metadata', 'name'], name);
  return [
    { file: 'manifest.yaml', object: named },
    { file: 'old.yaml', object: old },
  ];
}

/** Returns the words of the kubectl command of a call; of a call that kubectl does not make, method and path. */
export function kubectlWords({ command, call }: Pick<MadeCall, 'command' | 'call'>): readonly string[] {
  if (command === undefined) return [call.method, call.path];
  const patch = command.verb === 'patch' && call.body !== undefined ? ['-p', Buffer.from(call.body).toString('utf8')] : [];
  return ['kubectl', ...command.words, ...patch];
}

/** The call alone if the webhook was started by the user, else the same search up to the finding. */
function repeatingCommand({ check, made: { input }, calls }: FuzzFinding, context: ReportContext): string {
  const { flags, convertFlags, search, exec, suite, seed } = context;
  if (exec !== undefined || suite !== undefined)
    return shellCommand([
      ...['webhook-cli', 'fuzz'],
      ...(suite === undefined ? [] : [pathWord(suite)]),
      ...(exec === undefined ? [] : flagWords('--exec', exec)),
      ...flags,
      ...search,
      ...['--seed', String(seed), '--runs', String(calls)],
    ]);
  if (check === 'conversion')
    return shellCommand(['webhook-cli', 'convert', ...convertFlags, '-f', 'manifest.yaml', '--to', 'all', '--round-trip']);
  const call = Object.entries(callOf(input)).flatMap(([name, value]) => {
    if (name === 'resource' || name === 'words' || (name === 'operation' && value === 'create')) return [];
    return [value].flat().flatMap(text => flagWords(`--${name}`, String(text)));
  });
  const files = manifestsOf(input).flatMap(({ file }) => [file === 'old.yaml' ? '--old' : '-f', file]);
  const { words = [] } = flagsOfInput(input);
  return shellCommand(['webhook-cli', 'review', ...flags, ...call, ...files, ...(words.length === 0 ? [] : ['--', ...words])]);
}
