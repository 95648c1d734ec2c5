import { writeValue } from '../../go/json/write.js';
import { toValue, type Value } from '../../go/value.js';
import type { CaseExchange, CaseResult, SuiteResult, TestRun } from '../../suites/results.js';
import { bodyFields } from '../body-fields.js';
import { writeIndented } from '../json.js';
import { ownPart } from './own-part.js';
import { tallyOfRun } from './tally.js';

/** What the document calls itself; another version is another document. */
export const testReportType = { apiVersion: 'webhook-cli.dev/v1alpha1', kind: 'TestReport' } as const;

/**
 * The TestReport document: the run as it is, member for member, so that `report merge` can read it back; `summary` counts for whoever needs
 * no more. Cases stand in a line each. Scripts rely on it: it changes only on purpose.
 */
export function jsonReport(run: TestRun): string {
  const { complete, startedAt, durationMs, shard, seed, check, notes, obsolete, suites, ...rest } = run;
  // What is short comes first, for whoever looks at the head of the file.
  const head = { summary: tallyOfRun(ownPart(run)), complete, startedAt, durationMs, shard, seed, check, notes, obsolete, ...rest };
  const members = writeIndented(toValue({ ...testReportType, ...head })).replace(/\n\}$/, '');
  return `${members},\n  "suites": ${listText(suites.map(suiteText), '  ')}\n}\n`;
}

function suiteText({ cases, ...suite }: SuiteResult): string {
  const members = writeValue(toValue(suite), 'kept').replace(/\}$/, '');
  return `${members},"cases":${listText(cases.map(caseText), '    ')}}`;
}

function caseText({ calls, conversion, ...result }: CaseResult): string {
  const converted = conversion === undefined ? {} : { conversion: withExchanges(conversion) };
  return writeValue(toValue({ ...result, calls: calls.map(withExchanges), ...converted }), 'kept');
}

/** A list with an item a line. */
function listText(items: readonly string[], indent: string): string {
  return items.length === 0 ? '[]' : `[\n${items.map(item => `${indent}  ${item}`).join(',\n')}\n${indent}]`;
}

function withExchanges<T extends { readonly exchanges: readonly CaseExchange[] }>(made: T): object {
  return { ...made, exchanges: made.exchanges.map(exchange => ({ ...exchange, answer: answerDocument(exchange.answer) })) };
}

function answerDocument(answer: CaseExchange['answer']): Value {
  if (answer.outcome !== 'answered') return toValue(answer);
  const { body, ...rest } = answer;
  return toValue({ ...rest, ...bodyFields(body) });
}
