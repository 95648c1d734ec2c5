import { CliError } from '../../../../client/cli-error.js';
import type { CallReport } from '../../../../client/run/call-report.js';
import type { StepResult } from '../../../../client/run/step-result.js';
import { readUnstructured } from '../../../../encoding/unstructured.js';
import { mapAt, stringAt, type Value } from '../../../../go/value.js';
import type { ClusterState } from '../../../../kubernetes/api-call.js';
import { type KubernetesMinor, previewNote } from '../../../../kubernetes/kubernetes-version.js';
import { subjectOfReport } from '../../../../reports/text.js';
import { printable } from '../../../../writers/printable.js';
import { hideSecretsInError } from '../../../shell/error-without-secrets.js';
import { type ExitCode, exitCodeOfError, exitCodeOfReport, exitCodes, gravestExitCode } from '../../../shell/exit-codes.js';
import { sentenceOf } from '../../../shell/print-error.js';
import type { Surroundings } from '../../../shell/surroundings.js';
import { planOf } from '../../../work/calls/created-pods.js';
import { type Answered, hideSecretsInAnswer } from '../../../work/calls/rendered-results.js';
import { type ReviewingFlags, reviewResults } from '../../../work/calls/review-calls.js';
import type { ReviewInputFlags } from '../flags/review-flags.js';
import { ruleDifferences } from './served-differences.js';
import { type VersionDifference, valueDifferences } from './value-differences.js';

/** Flags of the calls that both versions answer. */
type ComparedCallFlags = ReviewInputFlags & ReviewingFlags;

export type UpgradeFlags = ComparedCallFlags & {
  readonly upgrade: readonly [from: KubernetesMinor, to: KubernetesMinor];
  readonly output?: string | undefined;
};

/** Results of the calls in one version. */
interface Run {
  readonly minor: KubernetesMinor;
  readonly results: readonly StepResult[];
  readonly state: ClusterState | undefined;
  readonly warnings: readonly string[];
  /** Reason why no call can be planned in this version, for example a missing kind in the state. */
  readonly refusal: CliError | undefined;
}

/**
 * Makes the same calls to two API servers and prints the differences, then errors for input that neither can use. The exit code is 1 when
 * there are differences, 4 or 5 when neither version gets a valid answer of a webhook. Throws CliError when neither can make any call.
 */
export async function runUpgrade(flags: UpgradeFlags, surroundings: Surroundings): Promise<ExitCode> {
  const { stdout, stderr } = surroundings;
  const [from, to] = flags.upgrade;
  const shared = { ...surroundings, stdin: readOnce(surroundings.stdin) };
  // The same random numbers and time, so that only the versions differ.
  const fixed = { ...flags, seed: flags.seed ?? 1, now: flags.now ?? surroundings.now() };
  const [before, after] = await waitForBoth(runIn(from, fixed, shared), runIn(to, fixed, shared));
  const { differences, errors, failures } = compareRuns(before, after);
  const found = [
    ...differences,
    ...(before.state === undefined || after.state === undefined ? [] : ruleDifferences(before.state, after.state)),
  ];
  if (found.length === 0 && after.results.every(result => result.outcome === 'unusable')) throwErrors(errors);
  for (const warning of after.warnings) stderr.write(`warning: ${printable(warning)}\n`);
  stdout.write(flags.output === 'json' ? `${JSON.stringify(documentOf(from, to, found), null, 2)}\n` : upgradeText(from, to, found));
  for (const { sentence } of failures) stderr.write(`warning: ${printable(sentence)}\n`);
  for (const sentence of new Set(errors.map(sentenceOf))) stderr.write(`${sentence}\n`);
  const codes = [...errors.map(exitCodeOfError), ...failures.map(({ exitCode }) => exitCode)];
  return gravestExitCode([...codes, ...(found.length > 0 ? [exitCodes.refused] : [])]);
}

function throwErrors([first, ...others]: readonly CliError[]): void {
  if (first !== undefined) throw new CliError(first.code, first.message, { ...first, others: [...first.others, ...others] });
}

/** Both versions get what is piped. */
function readOnce(stdin: Surroundings['stdin']): Surroundings['stdin'] {
  let reading: Promise<Uint8Array> | undefined;
  return {
    get isTerminal() {
      return stdin.isTerminal;
    },
    read: limit => {
      reading ??= stdin.read(limit);
      return reading;
    },
  };
}

/** Waits for both, so that nothing runs on after an error. Rejects as the first of them. */
async function waitForBoth<T>(one: Promise<T>, other: Promise<T>): Promise<[T, T]> {
  await Promise.allSettled([one, other]);
  return [await one, await other];
}

async function runIn(minor: KubernetesMinor, flags: ComparedCallFlags, surroundings: Surroundings): Promise<Run> {
  const own = { ...flags, kubernetesVersion: minor };
  try {
    const plan = await planOf(own, surroundings);
    const results: StepResult[] = [];
    for await (const result of reviewResults(plan, own, surroundings)) results.push(await hideSecretsInResult(result));
    return { minor, results, state: plan.state, warnings: plan.warnings, refusal: undefined };
  } catch (error) {
    if (!(error instanceof CliError) || error.code === 'usage') throw error;
    return { minor, results: [], state: undefined, warnings: [], refusal: error };
  }
}

async function hideSecretsInResult(result: StepResult): Promise<StepResult> {
  if (result.outcome === 'answered') return hideSecretsInAnswer(result);
  return result.outcome === 'unusable' ? { ...result, error: await hideSecretsInError(result.error) } : result;
}

/** Differences between two versions, and what both have: errors, and webhooks without a valid answer. */
interface Comparison {
  readonly differences: readonly VersionDifference[];
  readonly errors: readonly CliError[];
  readonly failures: readonly WebhookFailure[];
}

interface WebhookFailure {
  readonly sentence: string;
  readonly exitCode: ExitCode;
}

const nothing: Comparison = { differences: [], errors: [], failures: [] };

function compareRuns(before: Run, after: Run): Comparison {
  if (before.refusal !== undefined || after.refusal !== undefined) {
    if (before.refusal?.message === after.refusal?.message) throw after.refusal;
    return { ...nothing, differences: [refusalDifference('calls', before.refusal, after.refusal)] };
  }
  const compared = after.results.map((result, i) => compareResults(before.results[i], result));
  return {
    differences: compared.flatMap(({ differences }) => differences),
    errors: compared.flatMap(({ errors }) => errors),
    failures: compared.flatMap(({ failures }) => failures),
  };
}

function compareResults(before: StepResult | undefined, after: StepResult): Comparison {
  if (before?.outcome === 'answered' && after.outcome === 'answered') {
    const call = callOf(before, after);
    const differences = reportDifferences(before.report, after.report).map(difference => ({ call, ...difference }));
    return { ...nothing, differences, failures: commonFailure(call, before, after) };
  }
  const [old, now] = [errorOf(before), errorOf(after)];
  if (old === undefined && now === undefined) return nothing;
  if (now !== undefined && old?.message === now.message) return { ...nothing, errors: [now] };
  const answered = [before, after].find(result => result?.outcome === 'answered');
  const difference = refusalDifference('call', old, now);
  return { ...nothing, differences: [answered === undefined ? difference : { call: callOf(answered, answered), ...difference }] };
}

/** Equal refusals say nothing about a webhook that neither version could call, or whose answer neither accepts. */
function commonFailure(call: string, before: Answered, after: Answered): WebhookFailure[] {
  const [old, exitCode] = [before, after].map(({ report }) => exitCodeOfReport(report.report));
  const webhookFailed = (code: ExitCode | undefined): boolean => code === exitCodes.callFailed || code === exitCodes.answerInvalid;
  if (exitCode === undefined || !webhookFailed(old) || !webhookFailed(exitCode)) return [];
  const message = stringAt(after.report.report.decision.status, 'message');
  return [{ sentence: `${call}: no answer of the webhook was compared: ${message}`, exitCode }];
}

function errorOf(result: StepResult | undefined): CliError | undefined {
  return result?.outcome === 'unusable' ? result.error : undefined;
}

function refusalDifference(at: string, before: CliError | undefined, after: CliError | undefined): VersionDifference {
  return {
    at,
    ...(before === undefined ? {} : { from: before.message }),
    ...(after === undefined ? {} : { to: after.message }),
  };
}

/** Names the call of two results: only the first may have called a webhook. */
function callOf({ report: { report, command } }: Answered, other: Answered): string {
  return subjectOfReport(report.webhooks[0] ?? other.report.report.webhooks[0], report.call, command);
}

function reportDifferences(before: CallReport, after: CallReport): VersionDifference[] {
  const compare = (at: string, of: (call: CallReport) => Value | undefined): VersionDifference[] =>
    valueDifferences(at, of(before), of(after));
  return [
    ...compare('call.path', ({ report }) => report.call.path),
    ...compare('webhooks', ({ report }) => report.webhooks.map(entry => `${entry.webhook}: ${entry.outcome}`)),
    ...reviewDifferences(before, after),
    ...compare('answer.code', ({ report }) => BigInt(report.decision.code)),
    ...compare('answer.warnings', ({ report }) => [...report.decision.warnings]),
    ...compare('answer.message', ({ report }) => report.decision.status?.get('message')),
    ...(hasObject(before) && hasObject(after) ? compare('answer.object', ({ report }) => report.decision.object) : []),
  ];
}

/** The code says enough about an answer without an object. */
function hasObject({ report }: CallReport): boolean {
  return report.decision.object !== undefined;
}

function reviewDifferences(before: CallReport, after: CallReport): VersionDifference[] {
  return before.exchanges.flatMap(({ call }, i) => {
    const other = after.exchanges[i]?.call;
    if (other === undefined || other.webhook !== call.webhook || other.phase !== call.phase) return [];
    const [old, now] = [requestOf(call.body), requestOf(other.body)];
    return valueDifferences(`review[${call.phase} ${call.webhook}]`, old, now);
  });
}

function requestOf(body: string): Value | undefined {
  return mapAt(readUnstructured(body), 'request');
}

function documentOf(from: KubernetesMinor, to: KubernetesMinor, differences: readonly VersionDifference[]): object {
  const notes = previewNotes(from, to);
  return { apiVersion: 'webhook-cli.dev/v1alpha1', kind: 'UpgradeReport', from, to, differences, ...(notes.length === 0 ? {} : { notes }) };
}

function previewNotes(...minors: readonly KubernetesMinor[]): string[] {
  return minors.map(previewNote).filter(note => note !== undefined);
}

function upgradeText(from: KubernetesMinor, to: KubernetesMinor, differences: readonly VersionDifference[]): string {
  const notes = previewNotes(from, to)
    .map(note => `note: ${note}\n`)
    .join('');
  if (differences.length === 0) return `${from} -> ${to}: no differences\n${notes}`;
  const isOneCall = new Set(differences.map(({ call }) => call)).size === 1;
  const lines = differences.flatMap(({ call, at, from: before, to: after }) => [
    isOneCall || call === undefined ? at : `${call}: ${at}`,
    ...(before === undefined ? [] : [`  - ${before}`]),
    ...(after === undefined ? [] : [`  + ${after}`]),
  ]);
  const count = differences.length === 1 ? '1 difference' : `${differences.length} differences`;
  return `${from} -> ${to}: ${count}\n${lines.join('\n')}\n${notes}`;
}
