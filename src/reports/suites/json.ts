import type { WebhookReport } from '../../apiserver/admission/webhook-report.js';
import { writeValue } from '../../go/json/write.js';
import { toValue, type Value } from '../../go/value.js';
import type { AnyCallStep, CallSteps, StepPart } from '../../kubernetes/call-steps.js';
import type { WebhookExchange } from '../../kubernetes/webhook-call.js';
import type { CaseCall, CaseResult, SuiteResult, TestRun } from '../../suites/results.js';
import { withoutCommands } from '../../writers/printable.js';
import { bodyFields } from '../body-fields.js';
import { writeIndented } from '../json.js';
import { roundedMs, roundedToMicros } from '../rounded-ms.js';
import { ownPart } from './own-part.js';
import type { ReporterOptions } from './suite-reporter.js';
import { tallyOfRun } from './tally.js';

/** Type of the document; an incompatible change needs another version. */
export const testReportType = { apiVersion: 'webhook-cli.dev/v1alpha1', kind: 'TestReport' } as const;

/**
 * The TestReport document: the run, member by member, so that `report merge` can read it; `summary` has the figures. One line per case.
 * Scripts rely on the format: change it only intentionally.
 */
export function jsonReport(run: TestRun, { withSteps = false }: Pick<ReporterOptions, 'withSteps'> = {}): string {
  const { complete, startedAt, durationMs: exactMs, shard, seed, check, notes, obsolete, suites, ...rest } = run;
  const durationMs = roundedMs(exactMs);
  // Short members first, because people look at the start of the file.
  const head = { summary: tallyOfRun(ownPart(run)), complete, startedAt, durationMs, shard, seed, check, notes, obsolete, ...rest };
  const members = writeIndented(toValue({ ...testReportType, ...head })).replace(/\n\}$/, '');
  return `${members},\n  "suites": ${withoutCommands(
    listText(
      suites.map(suite => suiteText(suite, withSteps)),
      '  ',
    ),
  )}\n}\n`;
}

function suiteText({ cases, ...suite }: SuiteResult, withSteps: boolean): string {
  const members = writeValue(toValue(rounded(suite)), 'kept').replace(/\}$/, '');
  return `${members},"cases":${listText(
    cases.map(result => caseText(result, withSteps)),
    '    ',
  )}}`;
}

function caseText({ calls, conversion, ...result }: CaseResult, withSteps: boolean): string {
  const converted = conversion === undefined ? {} : { conversion: withExchanges(conversion) };
  return writeValue(toValue({ ...rounded(result), calls: calls.map(call => callDocument(call, withSteps)), ...converted }), 'kept');
}

/** Returns a record with its duration in tenths of milliseconds. */
function rounded<T extends { readonly durationMs?: number | undefined }>(record: T): T {
  return record.durationMs === undefined ? record : { ...record, durationMs: roundedMs(record.durationMs) };
}

/** A list with one item per line. */
function listText(items: readonly string[], indent: string): string {
  return items.length === 0 ? '[]' : `[\n${items.map(item => `${indent}  ${item}`).join(',\n')}\n${indent}]`;
}

/** The exchanges are those of the call: entries do not repeat them. */
function callDocument(made: CaseCall, withSteps: boolean): object {
  const { report } = made;
  const decision = { ...report.decision, decidedBy: undefined };
  const timing = withSteps && report.timing !== undefined ? timingDocument(report.timing) : undefined;
  return withExchanges({ ...made, report: { ...report, timing, decision, webhooks: report.webhooks.map(entryDocument) } });
}

/** Objects stay texts: as values they would have to be written again for the time lines of a merged report. */
function timingDocument({ durationMs, steps }: CallSteps): object {
  return { durationMs: roundedToMicros(durationMs), steps: steps.map(step => ({ ...timesOf(step), parts: step.parts?.map(timesOf) })) };
}

function timesOf<T extends StepPart | AnyCallStep>(step: T): T {
  return { ...step, startMs: roundedToMicros(step.startMs), durationMs: roundedToMicros(step.durationMs) };
}

function entryDocument(entry: WebhookReport): object {
  const skipReason = entry.skipReason === undefined ? undefined : { ...entry.skipReason, conditions: undefined };
  return { ...rounded(entry), skipReason, exchange: undefined };
}

function withExchanges<T extends { readonly exchanges: readonly WebhookExchange[] }>(made: T): object {
  return {
    ...made,
    exchanges: made.exchanges.map(({ call, answer }) => ({ call: webhookCallDocument(call), answer: answerDocument(answer) })),
  };
}

function webhookCallDocument({ caBundle, ...call }: WebhookExchange['call']): object {
  if (caBundle === undefined) return call;
  const written = bodyFields(caBundle);
  return 'body' in written ? { ...call, caBundle: written.body } : { ...call, caBundleBase64: written.bodyBase64 };
}

function answerDocument(answer: WebhookExchange['answer']): Value {
  if (answer.outcome === 'noClient') return toValue({ ...answer, reason: undefined });
  if (answer.outcome === 'failed') return toValue({ ...rounded(answer), reason: undefined });
  const { body, ...rest } = answer;
  return toValue({ ...rounded(rest), ...bodyFields(body) });
}
