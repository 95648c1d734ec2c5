import * as v from 'valibot';
import { placesIn } from '../../encoding/line-places.js';
import { readShallowJson } from '../../encoding/shallow-json.js';
import type { JsonNode } from '../../go/json/node.js';
import { JsonSyntaxError } from '../../go/json/reader.js';
import type { WebhookAnswer, WebhookCall, WebhookExchange } from '../../kubernetes/webhook-call.js';
import type { ConversionFinding } from '../../suites/conversions/checks.js';
import type { ConversionFailure, ReportedConversion } from '../../suites/conversions/conversion-run.js';
import type { FieldDifference } from '../../suites/conversions/differences.js';
import type { CoverageRow } from '../../suites/coverage.js';

import type { SuitePlace } from '../../suites/place.js';
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
  type DocumentSchema,
  flagSchema,
  listSchema,
  MalformedDocument,
  nullable,
  numberSchema,
  objectSchema,
  oneOf,
  optionalSchema,
  readReportDocument,
  textSchema,
  unionBy,
  valueMap,
} from './document-schema.js';
import { testReportType } from './json.js';
import { failureClass, fault, textsByName, textsOfEntry } from './read-entries.js';
import { reportSchema } from './report-reader.js';

/** Result of reading a TestReport document. */
export type ReadReport =
  | { readonly outcome: 'read'; readonly run: TestRun }
  | { readonly outcome: 'malformed'; readonly message: string; readonly line: number; readonly column: number };

/** Reads a document of `jsonReport` back to the same run. Lines and columns count from 1. */
export function readTestReport(document: string): ReadReport {
  try {
    const root = readShallowJson(document, levelsAboveCases);
    checkType(root);
    return { outcome: 'read', run: readReportDocument(testRun, root) };
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

const type = objectSchema<{ readonly apiVersion: string; readonly kind: string }>({ apiVersion: textSchema, kind: textSchema });

function checkType(root: JsonNode): void {
  const { apiVersion, kind } = readReportDocument(type, root);
  if (kind !== testReportType.kind) throw new MalformedDocument(`kind is ${kind}, expected ${testReportType.kind}`, root.start);
  if (apiVersion !== testReportType.apiVersion)
    throw new MalformedDocument(`apiVersion is ${apiVersion}, written by another version of webhook-cli`, root.start);
}

const place = objectSchema<SuitePlace>({ file: textSchema, line: optionalSchema(numberSchema), column: optionalSchema(numberSchema) });

const failure = objectSchema<TestFailure>({
  check: textSchema,
  message: textSchema,
  expected: optionalSchema(textSchema),
  actual: optionalSchema(textSchema),
  diff: optionalSchema(textSchema),
  place: optionalSchema(place),
});

const urlSchema: DocumentSchema<string> = v.pipe(
  textSchema,
  v.check(text => URL.canParse(text), 'a URL'),
);

const webhookCall: DocumentSchema<WebhookCall> = v.pipe(
  objectSchema<WrittenCall>({
    phase: oneOf<WebhookCall['phase']>('mutating', 'validating', 'conversion'),
    configuration: textSchema,
    webhook: textSchema,
    url: urlSchema,
    address: objectSchema({ host: textSchema, port: numberSchema }),
    serverName: textSchema,
    caBundle: optionalSchema(textSchema),
    caBundleBase64: optionalSchema(textSchema),
    timeoutSeconds: numberSchema,
    deadlineMs: numberSchema,
    apiVersion: textSchema,
    uid: textSchema,
    body: textSchema,
  }),
  v.transform(({ caBundle, caBundleBase64, ...rest }) => {
    const bundle = caBundleBase64 === undefined ? caBundle && Buffer.from(caBundle) : Buffer.from(caBundleBase64, 'base64');
    return { ...rest, caBundle: bundle ? new Uint8Array(bundle) : undefined };
  }),
);

/** A caBundle is text where it is UTF-8. */
type WrittenCall = Omit<WebhookCall, 'caBundle'> & { readonly caBundle?: string; readonly caBundleBase64?: string };

type AnsweredExchange = Extract<WebhookAnswer, { readonly outcome: 'answered' }>;

const header: DocumentSchema<readonly [string, string]> = v.pipe(
  textsOfEntry,
  v.check(({ length }) => length === 2, 'a name and a value'),
  v.transform(([name = '', content = '']) => [name, content] as const),
);

const answered: DocumentSchema<AnsweredExchange> = v.pipe(
  objectSchema<Omit<AnsweredExchange, 'body'> & { readonly body?: string; readonly bodyBase64?: string }>({
    outcome: oneOf<'answered'>('answered'),
    statusCode: numberSchema,
    headers: listSchema(header),
    durationMs: numberSchema,
    auditAnnotations: optionalSchema(textsByName),
    body: optionalSchema(textSchema),
    bodyBase64: optionalSchema(textSchema),
  }),
  v.transform(({ body, bodyBase64, ...rest }) => {
    return { ...rest, body: new Uint8Array(body === undefined ? Buffer.from(bodyBase64 ?? '', 'base64') : Buffer.from(body)) };
  }),
);

const answer = unionBy<WebhookAnswer>('outcome', {
  answered,
  noClient: objectSchema<Extract<WebhookAnswer, { readonly outcome: 'noClient' }>>({
    outcome: oneOf<'noClient'>('noClient'),
    message: textSchema,
  }),
  failed: objectSchema<Omit<Extract<WebhookAnswer, { readonly outcome: 'failed' }>, 'reason'>>({
    outcome: oneOf<'failed'>('failed'),
    class: failureClass,
    message: textSchema,
    durationMs: numberSchema,
    auditAnnotations: optionalSchema(textsByName),
  }),
});

const exchange = objectSchema<WebhookExchange>({ call: webhookCall, answer });

const call = objectSchema<CaseCall>({
  report: reportSchema,
  kubectl: textsOfEntry,
  exchanges: listSchema(exchange),
  step: optionalSchema(objectSchema({ number: numberSchema, name: textSchema })),
  findings: optionalSchema(listSchema(objectSchema({ check: textSchema, webhook: textSchema, message: textSchema }))),
});

const convertedObject = { object: textSchema, from: textSchema, to: textSchema, stored: valueMap };

const reportedConversion = unionBy<ReportedConversion>('outcome', {
  converted: objectSchema<Extract<ReportedConversion, { readonly outcome: 'converted' }>>({
    ...convertedObject,
    outcome: oneOf<'converted'>('converted'),
    calledWebhook: flagSchema,
    converted: valueMap,
  }),
  failed: objectSchema<Extract<ReportedConversion, { readonly outcome: 'failed' }>>({
    ...convertedObject,
    outcome: oneOf<'failed'>('failed'),
    message: textSchema,
    failure: optionalSchema(
      objectSchema<ConversionFailure>({ class: optionalSchema(failureClass), cause: textSchema, fault, why: textSchema, try: textSchema }),
    ),
  }),
});

const conversionFinding = objectSchema<ConversionFinding>({
  check: oneOf<ConversionFinding['check']>('failed', 'round-trip', 'repeated', 'list', 'partial', 'undeclared', 'metadata'),
  object: textSchema,
  versions: textsOfEntry,
  message: textSchema,
  failureClass: optionalSchema(failureClass),
  fields: listSchema(
    objectSchema<FieldDifference>({
      field: textSchema,
      outcome: oneOf<FieldDifference['outcome']>('lost', 'changed', 'added'),
      before: nullable(textSchema),
      after: nullable(textSchema),
    }),
  ),
  before: optionalSchema(valueMap),
  after: optionalSchema(valueMap),
});

const conversion = objectSchema<CaseConversion>({
  conversions: listSchema(reportedConversion),
  findings: optionalSchema(listSchema(conversionFinding)),
  notes: textsOfEntry,
  exchanges: listSchema(exchange),
});

const snapshot = objectSchema<SnapshotResult>({
  state: oneOf<SnapshotResult['state']>('matched', 'new', 'mismatched'),
  file: textSchema,
  written: flagSchema,
  diff: optionalSchema(textSchema),
});

const caseResult = objectSchema<CaseResult>({
  name: textSchema,
  place,
  outcome: oneOf<CaseResult['outcome']>('passed', 'failed', 'broken', 'skipped'),
  elsewhere: optionalSchema(flagSchema),
  flaky: flagSchema,
  attempts: numberSchema,
  durationMs: numberSchema,
  failures: listSchema(failure),
  snapshot: optionalSchema(snapshot),
  calls: listSchema(call),
  conversion: optionalSchema(conversion),
  notes: textsOfEntry,
  webhookOutput: optionalSchema(textsOfEntry),
});

const suite = objectSchema<SuiteResult>({
  name: textSchema,
  file: textSchema,
  cases: listSchema(caseResult),
  durationMs: numberSchema,
  error: optionalSchema(failure),
});

const testRun = objectSchema<TestRun>({
  suites: listSchema(suite),
  complete: flagSchema,
  startedAt: textSchema,
  durationMs: numberSchema,
  shard: optionalSchema(objectSchema({ index: numberSchema, count: numberSchema })),
  seed: optionalSchema(numberSchema),
  check: optionalSchema(flagSchema),
  obsolete: listSchema(objectSchema<ObsoleteSnapshot>({ file: textSchema, removed: flagSchema })),
  notes: textsOfEntry,
  coverage: optionalSchema(
    listSchema(
      objectSchema<CoverageRow>({ owner: textSchema, part: textSchema, text: textSchema, true: numberSchema, false: numberSchema }),
    ),
  ),
});
