import { toValue, type Value } from '../../kubernetes/value.js';
import type { CaseCall, TestRun } from '../../suites/results.js';
import { bodyFields } from '../body-fields.js';
import { writeIndented } from '../json.js';
import { ownPart } from './own-part.js';
import { tallyOfRun } from './tally.js';

/** What the document calls itself; another version is another document. */
export const testReportType = { apiVersion: 'webhook-cli.dev/v1alpha1', kind: 'TestReport' } as const;

/**
 * The TestReport document: the run as it is, member for member, so that `report merge` can read it back; `summary` counts for whoever needs
 * no more. Scripts rely on it: it changes only on purpose.
 */
export function jsonReport(run: TestRun): string {
  const { complete, startedAt, durationMs, shard, seed, check, notes, obsolete } = run;
  // What is short comes first, for whoever looks at the head of the file.
  const head = { summary: tallyOfRun(ownPart(run)), complete, startedAt, durationMs, shard, seed, check, notes, obsolete };
  const document = { ...testReportType, ...head, ...run, suites: run.suites.map(suiteDocument) };
  return `${writeIndented(toValue(document))}\n`;
}

function suiteDocument(suite: TestRun['suites'][number]): object {
  return { ...suite, cases: suite.cases.map(result => ({ ...result, calls: result.calls.map(callDocument) })) };
}

function callDocument(call: CaseCall): object {
  return { ...call, exchanges: call.exchanges.map(exchange => ({ ...exchange, answer: answerDocument(exchange.answer) })) };
}

function answerDocument(answer: CaseCall['exchanges'][number]['answer']): Value {
  if (answer.outcome !== 'answered') return toValue(answer);
  const { body, ...rest } = answer;
  return toValue({ ...rest, ...bodyFields(body) });
}
