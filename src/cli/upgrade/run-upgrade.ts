import type { CallReport } from '../../client/call-report.js';
import { CliError } from '../../client/cli-error.js';
import { readUnstructured } from '../../encoding/unstructured.js';
import { mapAt, type Value } from '../../go/value.js';
import type { KubernetesMinor } from '../../kubernetes/kubernetes-version.js';
import { subjectOf } from '../../reports/text.js';
import { planOf } from '../calls/created-pods.js';
import { type ReviewingFlags, reviewCalls } from '../calls/review-calls.js';
import { type ExitCode, exitCodes } from '../exit-codes.js';
import { minorNamed } from '../input/server-version.js';
import type { Surroundings } from '../surroundings.js';
import { ruleDifferences } from './served-differences.js';
import { type VersionDifference, valueDifferences } from './value-differences.js';

export type UpgradeFlags = ReviewingFlags & {
  readonly upgrade?: string | undefined;
  readonly createdPods?: boolean | undefined;
  readonly output?: string | undefined;
};

/** Results of the calls in one version. */
interface Run {
  readonly minor: KubernetesMinor;
  readonly reports: readonly CallReport[];
  readonly objects: Parameters<typeof ruleDifferences>[0];
  /** Reason why the calls cannot be made in this version, for example a missing kind. */
  readonly refusal: string | undefined;
}

/** Makes the same calls to two API servers and prints the differences. The exit code is 1 when there are any. */
export async function runUpgrade(flags: UpgradeFlags, surroundings: Surroundings): Promise<ExitCode> {
  const [from, to] = versionsIn(flags.upgrade ?? '');
  const shared = { ...surroundings, stdin: readOnce(surroundings.stdin) };
  // The same random numbers and time, so that only the versions differ.
  const fixed = { ...flags, seed: flags.seed ?? 1, now: flags.now ?? surroundings.now() };
  const [before, after] = await bothOf(runIn(from, fixed, shared), runIn(to, fixed, shared));
  const found = [...callDifferences(before, after), ...ruleDifferences(after.objects, from, to)];
  surroundings.stdout.write(
    flags.output === 'json' ? `${JSON.stringify(documentOf(from, to, found), null, 2)}\n` : textOf(from, to, found),
  );
  return found.length > 0 ? exitCodes.refused : exitCodes.allowed;
}

function versionsIn(text: string): [KubernetesMinor, KubernetesMinor] {
  const [from, to, ...rest] = text.split(':');
  if (from === undefined || to === undefined || rest.length > 0)
    throw new CliError('usage', `invalid --upgrade ${JSON.stringify(text)}: expected FROM:TO, such as v1.34:v1.36`);
  const minors: [KubernetesMinor, KubernetesMinor] = [minorNamed(from, 'upgrade'), minorNamed(to, 'upgrade')];
  if (minors[0] === minors[1]) throw new CliError('usage', `invalid --upgrade ${JSON.stringify(text)}: expected two different versions`);
  return minors;
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
async function bothOf<T>(one: Promise<T>, other: Promise<T>): Promise<[T, T]> {
  await Promise.allSettled([one, other]);
  return [await one, await other];
}

async function runIn(minor: KubernetesMinor, flags: UpgradeFlags, surroundings: Surroundings): Promise<Run> {
  const own = { ...flags, kubernetesVersion: minor };
  try {
    const plan = await planOf(own, surroundings);
    const reports = await reviewCalls(plan, own, surroundings);
    return { minor, reports, objects: plan.state.objects, refusal: undefined };
  } catch (error) {
    if (!(error instanceof CliError) || error.code === 'usage') throw error;
    return { minor, reports: [], objects: [], refusal: error.message };
  }
}

function callDifferences(before: Run, after: Run): VersionDifference[] {
  if (before.refusal !== after.refusal)
    return [
      {
        at: 'calls',
        ...(before.refusal === undefined ? {} : { from: before.refusal }),
        ...(after.refusal === undefined ? {} : { to: after.refusal }),
      },
    ];
  return before.reports.flatMap((report, i) => {
    const other = after.reports[i];
    if (other === undefined) return [];
    const call = subjectOf(report.report.webhooks[0] ?? other.report.webhooks[0], report.report.call, report.command);
    return reportDifferences(report, other).map(difference => ({ call, ...difference }));
  });
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
  return { apiVersion: 'webhook-cli.dev/v1alpha1', kind: 'UpgradeReport', from, to, differences };
}

function textOf(from: KubernetesMinor, to: KubernetesMinor, differences: readonly VersionDifference[]): string {
  if (differences.length === 0) return `${from} -> ${to}: no differences\n`;
  const isOneCall = new Set(differences.map(({ call }) => call)).size === 1;
  const lines = differences.flatMap(({ call, at, from: before, to: after }) => [
    isOneCall || call === undefined ? at : `${call}: ${at}`,
    ...(before === undefined ? [] : [`  - ${before}`]),
    ...(after === undefined ? [] : [`  + ${after}`]),
  ]);
  const count = differences.length === 1 ? '1 difference' : `${differences.length} differences`;
  return `${from} -> ${to}: ${count}\n${lines.join('\n')}\n`;
}
