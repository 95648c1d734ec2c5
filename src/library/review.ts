import { type ReviewingFlags, reviewCalls } from '../cli/work/calls/review-calls.js';
import { readManifestFiles } from '../cli/work/input/read-manifests.js';
import { refuseDefinitionsOf } from '../cli/work/input/refused-definitions.js';
import { checkWebhookFlags } from '../cli/work/webhooks/cluster-webhooks.js';
import { type CallPlan, planObjects } from '../client/calls/plan.js';
import { CliError } from '../client/cli-error.js';
import type { Manifests } from '../client/manifests/manifests.js';
import { readUnstructured } from '../encoding/unstructured.js';
import type { Value } from '../go/value.js';
import { isList, isMap, isRawJson } from '../go/value.js';
import { kindOf } from '../kubernetes/storage.js';
import type { CallWebhook } from '../kubernetes/webhook-call.js';
import { reportDocument } from '../reports/report-document.js';
import { clusterOf } from './clusters.js';
import { type LibrarySurroundings, librarySurroundings, objectsOf, withoutStdin } from './inputs.js';
import { callHandler, localUrl } from './local-handlers.js';
import type { ReviewOptions } from './options.js';
import { readReviewOptions } from './read-options.js';
import type { PlainValue, ReviewReport } from './report.js';

/**
 * Makes one API call as kubectl would, sends the reviews to the webhooks as the API server would, and returns the client's result. A
 * refusal, or a webhook that cannot be reached, is a report. Rejects with CliError for invalid input.
 */
export async function review(options: ReviewOptions): Promise<ReviewReport> {
  const prepared = await prepare(options);
  const { length } = prepared.plan.steps;
  if (length !== 1) {
    throw new CliError('usage', `the manifest has ${length} objects, but review accepts one`, { suggestions: ['call reviewAll'] });
  }
  const [report] = await makeLibraryReports(prepared);
  if (report === undefined) throw new Error('a call without a report');
  return report;
}

/** Reviews each object of a manifest in order: later calls see what earlier ones wrote, unless `independent` is set. */
export async function reviewAll(options: ReviewOptions): Promise<readonly ReviewReport[]> {
  return makeLibraryReports(await prepare(options));
}

interface Prepared {
  readonly plan: CallPlan;
  readonly flags: ReviewingFlags;
  readonly surroundings: LibrarySurroundings;
  /** Answers reviews in-process. */
  readonly callWebhook: CallWebhook | undefined;
}

async function prepare(options: ReviewOptions): Promise<Prepared> {
  const { handler } = options;
  if (handler !== undefined && (options.url !== undefined || options.demo === true)) {
    throw new CliError('usage', 'the option handler cannot be used with url or demo', { suggestions: ['omit one of them'] });
  }
  const callWebhook = handler === undefined ? undefined : callHandler(handler);
  const flags = { ...readReviewOptions(options), ...(handler === undefined ? {} : { url: localUrl }) };
  checkWebhookFlags(flags, new Set(Object.keys(flags)));
  const surroundings = librarySurroundings(options.cwd);
  const { manifests, warnings } = await readLibraryManifests(options, surroundings);
  const old = options.old === undefined ? [] : objectsOf(options.old, 'old').manifests.map(({ object }) => object);
  const state = clusterOf(options.state, surroundings);
  await refuseDefinitionsOf(
    manifests.map(({ object }) => kindOf(object)),
    state,
  );
  return { plan: { ...planObjects(state, { manifests, old }, { flags, surroundings }), warnings }, flags, surroundings, callWebhook };
}

async function readLibraryManifests(
  { manifest, filename, recursive = false }: ReviewOptions,
  surroundings: LibrarySurroundings,
): Promise<Manifests> {
  if ((manifest === undefined) === (filename === undefined)) {
    throw new CliError('usage', 'expected one of the options manifest and filename', { suggestions: ['pass the object as manifest'] });
  }
  if (manifest === undefined) {
    const paths = withoutStdin(typeof filename === 'string' ? [filename] : (filename ?? []));
    return readManifestFiles({ flag: 'filename', paths, recursive }, surroundings);
  }
  const read = objectsOf(manifest, 'STDIN');
  if (read.manifests.length === 0) throw new CliError('no-objects', 'no object in option manifest');
  return read;
}

async function makeLibraryReports({ plan, flags, surroundings, callWebhook }: Prepared): Promise<readonly ReviewReport[]> {
  const reports = await reviewCalls({ ...plan, notes: [...plan.warnings, ...plan.notes] }, flags, { ...surroundings, callWebhook });
  // The document of `-o json`, which ReviewReport describes.
  return reports.map(report => plainOf(reportDocument(report, { withExchange: true })) as unknown as ReviewReport);
}

/** Returns a value as plain JavaScript data; integers beyond the range of doubles become `bigint`. */
function plainOf(value: Value): PlainValue {
  if (isMap(value)) return Object.fromEntries([...value].map(([key, member]) => [key, plainOf(member)]));
  if (isList(value)) return value.map(plainOf);
  if (isRawJson(value)) return plainOf(readUnstructured(value.rawJson));
  return typeof value === 'bigint' && Number.isSafeInteger(Number(value)) ? Number(value) : value;
}
