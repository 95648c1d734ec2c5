import * as v from 'valibot';
import { placesIn } from '../../encoding/line-places.js';
import { readShallowJson } from '../../encoding/shallow-json.js';
import type { JsonNode } from '../../go/json/node.js';
import { JsonSyntaxError } from '../../go/json/reader.js';
import type { Exchange, WebhookAnswer, WebhookCall } from '../../kubernetes/webhook-call.js';
import type { ConversionFinding } from '../../suites/conversions/checks.js';
import type { ConversionFailure, ReportedConversion } from '../../suites/conversions/conversion-run.js';
import type { FieldDifference } from '../../suites/conversions/differences.js';
import type { CoverageRow } from '../../suites/coverage.js';

import type { Place } from '../../suites/place.js';
import type {
  CaseCall,
  CaseConversion,
  CaseResult,
  ObsoleteSnapshot,
  SnapshotResult,
  SuiteResult,
  TestFailure,
  TestRun,
} from '../../suites/results.js';
import {
  flag,
  listOf,
  MalformedDocument,
  nullable,
  number,
  objectOf,
  oneOf,
  optional,
  read,
  type Schema,
  text,
  unionBy,
  valueMap,
} from './document-schema.js';
import { testReportType } from './json.js';
import { failureClass, fault, texts, textsByName } from './read-entries.js';
import { report } from './report-reader.js';

/** Result of reading a TestReport document. */
export type ReadReport =
  | { readonly outcome: 'read'; readonly run: TestRun }
  | { readonly outcome: 'malformed'; readonly message: string; readonly line: number; readonly column: number };

/** Reads a document of `jsonReport` back to the same run. Lines and columns count from 1. */
export function readTestReport(document: string): ReadReport {
  try {
    const root = readShallowJson(document, levelsAboveCases);
    checkType(root);
    return { outcome: 'read', run: read(testRun, root) };
  } catch (error) {
    if (!(error instanceof MalformedDocument || error instanceof JsonSyntaxError)) throw error;
    return { outcome: 'malformed', message: error.message, ...placesIn(document)(error.offset) };
  }
}

/**
 * Levels above a case: the document, the list of suites, a suite and its list of cases. Reports with thousands of cases are parsed case by
 * case.
 */
const levelsAboveCases = 4;

const type = objectOf<{ readonly apiVersion: string; readonly kind: string }>({ apiVersion: text, kind: text });

function checkType(root: JsonNode): void {
  const { apiVersion, kind } = read(type, root);
  if (kind !== testReportType.kind) throw new MalformedDocument(`kind is ${kind}, expected ${testReportType.kind}`, root.start);
  if (apiVersion !== testReportType.apiVersion)
    throw new MalformedDocument(`apiVersion is ${apiVersion}, written by another version of webhook-cli`, root.start);
}

const place = objectOf<Place>({ file: text, line: optional(number), column: optional(number) });

const failure = objectOf<TestFailure>({
  check: text,
  message: text,
  expected: optional(text),
  actual: optional(text),
  diff: optional(text),
  place: optional(place),
});

const webhookCall: Schema<WebhookCall> = v.pipe(
  objectOf<WrittenCall>({
    phase: oneOf<WebhookCall['phase']>('mutating', 'validating', 'conversion'),
    configuration: text,
    webhook: text,
    url: text,
    address: objectOf({ host: text, port: number }),
    serverName: text,
    caBundle: optional(text),
    caBundleBase64: optional(text),
    timeoutSeconds: number,
    deadlineMs: number,
    apiVersion: text,
    uid: text,
    body: text,
  }),
  v.transform(({ caBundle, caBundleBase64, ...rest }) => {
    const bundle = caBundleBase64 === undefined ? caBundle && Buffer.from(caBundle) : Buffer.from(caBundleBase64, 'base64');
    return { ...rest, caBundle: bundle ? new Uint8Array(bundle) : undefined };
  }),
);

/** A caBundle is text where it is UTF-8. */
type WrittenCall = Omit<WebhookCall, 'caBundle'> & { readonly caBundle?: string; readonly caBundleBase64?: string };

type AnsweredExchange = Extract<WebhookAnswer, { readonly outcome: 'answered' }>;

const header: Schema<readonly [string, string]> = v.pipe(
  texts,
  v.check(({ length }) => length === 2, 'a name and a value'),
  v.transform(([name = '', content = '']) => [name, content] as const),
);

const answered: Schema<AnsweredExchange> = v.pipe(
  objectOf<Omit<AnsweredExchange, 'body'> & { readonly body?: string; readonly bodyBase64?: string }>({
    outcome: oneOf<'answered'>('answered'),
    statusCode: number,
    headers: listOf(header),
    durationMs: number,
    auditAnnotations: optional(textsByName),
    body: optional(text),
    bodyBase64: optional(text),
  }),
  v.transform(({ body, bodyBase64, ...rest }) => {
    return { ...rest, body: new Uint8Array(body === undefined ? Buffer.from(bodyBase64 ?? '', 'base64') : Buffer.from(body)) };
  }),
);

const answer = unionBy<WebhookAnswer>('outcome', {
  answered,
  noClient: objectOf<Extract<WebhookAnswer, { readonly outcome: 'noClient' }>>({ outcome: oneOf<'noClient'>('noClient'), message: text }),
  failed: objectOf<Omit<Extract<WebhookAnswer, { readonly outcome: 'failed' }>, 'reason'>>({
    outcome: oneOf<'failed'>('failed'),
    class: failureClass,
    message: text,
    durationMs: number,
    auditAnnotations: optional(textsByName),
  }),
});

const exchange = objectOf<Exchange>({ call: webhookCall, answer });

const call = objectOf<CaseCall>({
  report,
  kubectl: texts,
  exchanges: listOf(exchange),
  step: optional(objectOf({ number, name: text })),
  findings: optional(listOf(objectOf({ check: text, webhook: text, message: text }))),
});

const convertedObject = { object: text, from: text, to: text, stored: valueMap };

const reportedConversion = unionBy<ReportedConversion>('outcome', {
  converted: objectOf<Extract<ReportedConversion, { readonly outcome: 'converted' }>>({
    ...convertedObject,
    outcome: oneOf<'converted'>('converted'),
    calledWebhook: flag,
    converted: valueMap,
  }),
  failed: objectOf<Extract<ReportedConversion, { readonly outcome: 'failed' }>>({
    ...convertedObject,
    outcome: oneOf<'failed'>('failed'),
    message: text,
    failure: optional(objectOf<ConversionFailure>({ class: optional(failureClass), cause: text, fault, why: text, try: text })),
  }),
});

const conversionFinding = objectOf<ConversionFinding>({
  check: oneOf<ConversionFinding['check']>('failed', 'round-trip', 'repeated', 'list', 'partial', 'undeclared', 'metadata'),
  object: text,
  versions: texts,
  message: text,
  failureClass: optional(failureClass),
  fields: listOf(
    objectOf<FieldDifference>({
      field: text,
      outcome: oneOf<FieldDifference['outcome']>('lost', 'changed', 'added'),
      before: nullable(text),
      after: nullable(text),
    }),
  ),
  before: optional(valueMap),
  after: optional(valueMap),
});

const conversion = objectOf<CaseConversion>({
  conversions: listOf(reportedConversion),
  findings: optional(listOf(conversionFinding)),
  notes: texts,
  exchanges: listOf(exchange),
});

const snapshot = objectOf<SnapshotResult>({
  state: oneOf<SnapshotResult['state']>('matched', 'new', 'mismatched'),
  file: text,
  written: flag,
  diff: optional(text),
});

const caseResult = objectOf<CaseResult>({
  name: text,
  place,
  outcome: oneOf<CaseResult['outcome']>('passed', 'failed', 'broken', 'skipped'),
  elsewhere: optional(flag),
  flaky: flag,
  attempts: number,
  durationMs: number,
  failures: listOf(failure),
  snapshot: optional(snapshot),
  calls: listOf(call),
  conversion: optional(conversion),
  notes: texts,
  webhookOutput: optional(texts),
});

const suite = objectOf<SuiteResult>({ name: text, file: text, cases: listOf(caseResult), durationMs: number, error: optional(failure) });

const testRun = objectOf<TestRun>({
  suites: listOf(suite),
  complete: flag,
  startedAt: text,
  durationMs: number,
  shard: optional(objectOf({ index: number, count: number })),
  seed: optional(number),
  check: optional(flag),
  obsolete: listOf(objectOf<ObsoleteSnapshot>({ file: text, removed: flag })),
  notes: texts,
  coverage: optional(listOf(objectOf<CoverageRow>({ owner: text, part: text, text, true: number, false: number }))),
});
