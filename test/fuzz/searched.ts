import { effectsFor, seededRandom } from '../../src/cli/shell/effects.js';
import { apiServers } from '../../src/cli/work/api-servers/api-servers.js';
import { withUrl } from '../../src/cli/work/webhooks/cluster-webhooks.js';
import { stateOf } from '../../src/client/manifests/cluster-state.js';
import { resourceValue } from '../../src/client/options/resource-value.js';
import type { FuzzCheckName } from '../../src/fuzz/checks/finding.js';
import type { FuzzInput } from '../../src/fuzz/inputs/input.js';
import { type CallPipeline, pipelineOf } from '../../src/fuzz/pipeline/pipeline.js';
import { newDictionary } from '../../src/fuzz/run/dictionary.js';
import type { FuzzFinding } from '../../src/fuzz/run/finding-log.js';
import { fuzz } from '../../src/fuzz/run/fuzz.js';
import type { FuzzRun } from '../../src/fuzz/run/run-state.js';
import { targetsOf } from '../../src/fuzz/run/targets.js';
import { startingObjectsOf } from '../../src/fuzz/starting-objects.js';
import { randomFrom } from '../../src/fuzz/values/random.js';
import { writeValue } from '../../src/go/json/write.js';
import type { ValueMap } from '../../src/go/value.js';
import type { ClusterState } from '../../src/kubernetes/api-call.js';
import { defaultMinor } from '../../src/kubernetes/kubernetes-version.js';
import { defaultServerOptions } from '../../src/kubernetes/server-options.js';
import type { CallWebhook, WebhookAnswer } from '../../src/kubernetes/webhook-call.js';

/** Review request, as far as tests look at it. */
export interface Asked {
  readonly uid: string;
  readonly operation: string;
  readonly name?: string;
  readonly subResource?: string;
  readonly dryRun?: boolean;
  readonly object: { readonly metadata: { labels?: Record<string, string>; annotations?: Record<string, string> } } | null;
}

/** Answer of a webhook in a test: members of the response, or how it fails. */
export interface Told {
  readonly refuse?: string;
  readonly patch?: readonly object[];
  readonly uid?: string;
  readonly statusCode?: number;
  readonly durationMs?: number;
  readonly isReset?: boolean;
  /** An answer that cannot be read, for this reason. */
  readonly unreadable?: string;
  /** No answer in time. */
  readonly isTimeout?: boolean;
  /** A panic over HTTP/2: ends the stream of this number. */
  readonly endedStream?: number;
}

const now = (): Date => new Date('2026-01-01T00:00:00Z');
const url = 'https://127.0.0.1:1/';

/** How a webhook is searched. */
interface Searched {
  readonly checks: readonly FuzzCheckName[];
  readonly runs?: number;
  readonly seed?: number;
  readonly kinds?: readonly string[];
  /** Called when a process would be restarted. */
  readonly restart?: () => void;
}

/**
 * Runs a search, with pods unless other kinds are named, against a webhook in the same process. Returns the run, its findings, the bodies of all reviews, and
 * the planned calls in their order.
 */
export async function searched(
  phase: 'mutating' | 'validating',
  answer: (request: Asked) => Told | Promise<Told>,
  { checks, runs = 40, seed = 1, kinds = ['pods'], restart = () => {} }: Searched,
): Promise<{
  readonly run: FuzzRun;
  readonly findings: readonly FuzzFinding[];
  readonly bodies: readonly string[];
  readonly calls: readonly string[];
}> {
  const server = apiServers({ minor: defaultMinor, featureGates: '' });
  const empty = stateOf([], { server, options: defaultServerOptions, presumesNamespaces: true }, { uid: () => 'a', now });
  const state = withUrl(empty, url, { flags: { phase }, cwd: '/' });
  const bodies: string[] = [];
  const callWebhook: CallWebhook = async ({ body }) => {
    bodies.push(body);
    const review = JSON.parse(body) as { apiVersion: string; kind: string; request: Asked };
    return answered(review, await answer(review.request));
  };
  const calls = new Map<number, string>();
  const onCall = ({ operation, subresource, object, old }: FuzzInput, number: number): void => {
    const texts = [object, old ?? null].map(value => writeValue(value, 'kept'));
    if (number > seed && !calls.has(number)) calls.set(number, [operation, subresource ?? '', ...texts].join(' '));
  };
  const run = await runOf({ state, callWebhook, checks, runs, seed, kinds, restart, onCall });
  const inOrder = [...calls].sort(([a], [b]) => a - b);
  return { run, findings: run.findings.all(), bodies, calls: inOrder.map(([, call]) => call) };
}

/** Runs a search with the resources of a definition, whose objects a function converts to another version. */
export async function searchedConversions(
  definition: ValueMap,
  convert: (object: Custom, to: string) => Custom,
  { others = [], patch, checks = ['conversion'] }: Mutating = {},
): Promise<readonly FuzzFinding[]> {
  const server = apiServers({ minor: defaultMinor, featureGates: '' });
  const state = stateOf(
    [definition, ...others],
    { server, options: defaultServerOptions, presumesNamespaces: true },
    { uid: () => 'a', now },
  );
  const callWebhook: CallWebhook = async ({ body }) => {
    const { apiVersion, kind, request } = JSON.parse(body) as {
      apiVersion: string;
      kind: string;
      request: Asked & { desiredAPIVersion: string; objects: Custom[] };
    };
    if (kind === 'AdmissionReview') return answered({ apiVersion, kind, request }, patch === undefined ? {} : { patch });
    const convertedObjects = request.objects.map(object => ({
      ...convert(object, request.desiredAPIVersion),
      apiVersion: request.desiredAPIVersion,
    }));
    const response = { uid: request.uid, convertedObjects, result: { status: 'Success' } };
    return answerOf({ apiVersion, kind, response }, {});
  };
  const run = await runOf({ state, callWebhook, checks, runs: 40, seed: 1, kinds: undefined, restart: () => {} });
  return run.findings.all();
}

/** A webhook that changes the custom resources, too. */
interface Mutating {
  /** Its configuration. */
  readonly others?: readonly ValueMap[];
  readonly patch?: readonly object[];
  readonly checks?: readonly FuzzCheckName[];
}

/** A custom resource of a test. */
export interface Custom {
  readonly apiVersion: string;
  readonly metadata: { readonly annotations?: Readonly<Record<string, string>> };
  readonly spec?: Readonly<Record<string, unknown>>;
}

interface Searching {
  readonly state: ClusterState;
  readonly callWebhook: CallWebhook;
  readonly checks: readonly FuzzCheckName[];
  readonly runs: number;
  readonly seed: number;
  readonly kinds: readonly string[] | undefined;
  readonly restart: () => void;
  /** Called for each call with its seed, that of the run for calls besides the planned ones. */
  readonly onCall?: (input: FuzzInput, seed: number) => void;
}

async function runOf({ state, callWebhook, checks, runs, seed, kinds, restart, onCall }: Searching): Promise<FuzzRun> {
  const pipeline = pipelineOf(() => ({
    state,
    callWebhook,
    effects: (used, _, number) => effectsFor(used, { seed: number, now: now() }),
    now,
  }));
  const watched: CallPipeline = {
    ...pipeline,
    make: (input, number) => {
      onCall?.(input, number);
      return pipeline.make(input, number);
    },
  };
  const random = randomFrom(seededRandom(seed));
  return fuzz({
    ...{
      targets: targetsOf(state, { kinds: kinds?.flatMap(name => resourceValue.parse(name) ?? []), seeds: [], byRules: true }),
      seedsOf: () => [],
      pipeline: watched,
      random,
      seed,
      checks,
    },
    examinedRandom: randomFrom(seededRandom(~seed)),
    startingObjects: startingObjectsOf(() => [], random, seed),
    dictionary: newDictionary([]),
    isOver: calls => calls >= runs,
    ...{ isInterrupted: () => false, reduceMs: 60_000, monotonicMs: () => 0 },
    recover: async () => {
      restart();
      return undefined;
    },
    ...{ onProgress: () => {}, onFinding: () => {} },
  });
}

function answered({ apiVersion, kind, request }: { apiVersion: string; kind: string; request: Asked }, told: Told): WebhookAnswer {
  const {
    refuse,
    patch,
    uid = request.uid,
    statusCode = 200,
    durationMs = 1,
    isReset = false,
    isTimeout = false,
    endedStream,
    unreadable,
  } = told;
  if (endedStream !== undefined) {
    const reason = `stream error: stream ID ${endedStream}; INTERNAL_ERROR; received from peer`;
    return { outcome: 'failed', class: 'http', message: `Post "${url}": ${reason}`, reason, durationMs };
  }
  if (isTimeout) return { outcome: 'failed', class: 'time', message: 'context deadline exceeded', durationMs: 10_000 };
  if (unreadable !== undefined) return { outcome: 'failed', class: 'body', message: unreadable, durationMs };
  if (isReset) return { outcome: 'failed', class: 'tcp', message: `Post "${url}": EOF`, reason: 'EOF', durationMs };
  const response = {
    ...{ uid, allowed: refuse === undefined },
    ...(refuse === undefined ? {} : { status: { message: refuse } }),
    ...(patch === undefined ? {} : { patchType: 'JSONPatch', patch: Buffer.from(JSON.stringify(patch)).toString('base64') }),
  };
  return answerOf({ apiVersion, kind, response }, { statusCode, durationMs });
}

function answerOf(review: object, { statusCode = 200, durationMs = 1 }: Pick<Told, 'statusCode' | 'durationMs'>): WebhookAnswer {
  return {
    outcome: 'answered',
    statusCode,
    headers: [['content-type', 'application/json']],
    body: Buffer.from(JSON.stringify(review)),
    durationMs,
  };
}
