import { CliError, printLocation } from '../../client/cli-error.js';
import { bypassReport } from '../../fuzz/bypass/report.js';
import { type Bypass, searchBypass } from '../../fuzz/bypass/search.js';
import type { Target } from '../../fuzz/inputs/input.js';
import { randomFrom } from '../../fuzz/random.js';
import { fuzzReport } from '../../fuzz/report.js';
import { literalsOf, newDictionary } from '../../fuzz/run/dictionary.js';
import { fuzz } from '../../fuzz/run/fuzz.js';
import { isWebhookConfiguration, pipelineOf } from '../../fuzz/run/pipeline.js';
import type { Run } from '../../fuzz/run/run-state.js';
import { startingObjectsOf } from '../../fuzz/starting-objects.js';
import { allTargets, isOfKind, targetsOf } from '../../fuzz/targets.js';
import type { ValueMap } from '../../go/value.js';
import type { ClusterState } from '../../kubernetes/api-call.js';
import { printable } from '../../reports/printable.js';
import { monotonicMs } from '../../transport/clock.js';
import { seededRandom } from '../effects.js';
import { type ExitCode, exitCodes } from '../exit-codes.js';
import { readManifests } from '../input/read-manifests.js';
import { readState } from '../input/state.js';
import type { Surroundings } from '../surroundings.js';
import { checkWebhookFlags } from '../webhooks/cluster-webhooks.js';
import { configuredServices } from '../webhooks/configured-services.js';
import { checksOfFlag, type FuzzFlags, repeatedWords, searchWords } from './fuzz-flags.js';
import { fuzzProgress } from './fuzz-progress.js';
import { processOf, withProcessAddress } from './fuzzed-process.js';
import { type FuzzedWebhooks, fuzzedWebhooks } from './fuzzed-webhooks.js';
import { writeFindings } from './write-findings.js';

const defaultTimeMs = 60_000;
/** Share of the time that the reduction of one finding may take, and its max. */
const reduceShare = 0.15;
const maxReduceMs = 15_000;
/** How long an interruption waits for the report. */
const longestStopMs = 10_000;

/** Times of objects do not depend on the clock, so that a seed gives the same calls. */
const usualTime = new Date('2026-01-01T00:00:00Z');

/** A search that is ready to start. */
interface Search {
  readonly flags: FuzzFlags;
  readonly given: ReadonlySet<string>;
  readonly state: ClusterState;
  readonly seeds: readonly ValueMap[];
  readonly seed: number;
  readonly deadlineMs: number;
  readonly signal: AbortSignal;
}

/** Searches for calls that break the webhooks, and prints what was found. Throws CliError. */
export async function runFuzz(flags: FuzzFlags, given: ReadonlySet<string>, surroundings: Surroundings): Promise<ExitCode> {
  checksOfFlag(flags.check);
  const state = await readState({ ...flags, filename: undefined }, surroundings);
  const reached = flags.exec === undefined ? flags : { ...flags, ...withProcessAddress(flags, configuredServices(state.objects)) };
  checkWebhookFlags(reached, given);
  const seeds = await seedsOf(flags, surroundings);
  const seed = flags.seed ?? Math.floor(surroundings.random() * 2 ** 32);
  const interruption = new AbortController();
  const deadlineMs = monotonicMs() + (flags.timeMs ?? (flags.runs === undefined ? defaultTimeMs : Number.POSITIVE_INFINITY));
  const searching = search({ flags: reached, given, state, seeds, seed, deadlineMs, signal: interruption.signal }, surroundings);
  const cleanUp = async (): Promise<void> => {
    interruption.abort();
    await searching.catch(() => {});
  };
  const forget = surroundings.onInterrupt(cleanUp, { longestMs: longestStopMs });
  try {
    return await searching;
  } finally {
    forget();
  }
}

async function search(wanted: Search, surroundings: Surroundings): Promise<ExitCode> {
  const { flags, given, state, seed, deadlineMs } = wanted;
  const started = monotonicMs();
  const process = flags.exec === undefined ? undefined : processOf(flags.exec);
  const now = (): Date => flags.now ?? usualTime;
  const webhooks = await fuzzedWebhooks({ flags, process, state, now, deadlineMs: () => deadlineMs }, surroundings);
  let run: Run;
  try {
    if (flags.forbidden !== undefined) return await searchForbidden(flags.forbidden, { ...wanted, webhooks, started }, surroundings);
    run = await searched(webhooks, wanted, surroundings);
  } finally {
    await webhooks.close();
  }
  if (run.unreachable !== undefined) {
    surroundings.stderr.write(`error: the webhook cannot be called: ${printable(run.unreachable)}\n`);
    return exitCodes.callFailed;
  }
  const report = fuzzReport(run, {
    seed,
    durationMs: monotonicMs() - started,
    flags: repeatedWords(flags, given),
    search: searchWords(flags),
    exec: flags.exec,
  });
  if (flags.write !== undefined) await writeFindings(flags.write, { findings: run.findings.all(), flags, given }, surroundings);
  surroundings.stdout.write(flags.output === 'json' ? report.json : printable(report.text));
  return run.findings.all().length > 0 ? exitCodes.refused : exitCodes.allowed;
}

/** Searches for ways around the webhooks, and prints them. */
async function searchForbidden(
  file: string,
  { webhooks, flags, seed, started, deadlineMs, signal }: Search & { readonly webhooks: FuzzedWebhooks; readonly started: number },
  surroundings: Surroundings,
): Promise<ExitCode> {
  const { manifests } = await readManifests({ flag: '--forbidden', paths: [file], recursive: flags.recursive ?? false }, surroundings);
  const { state } = webhooks.scene();
  const literals = literalsOf(state.objects.filter(isWebhookConfiguration));
  const isOver = (): boolean => signal.aborted || monotonicMs() >= deadlineMs;
  const search = { pipeline: pipelineOf(webhooks.scene), targets: allTargets(state), literals, isOver };
  const bypasses: Bypass[] = [];
  let calls = 0;
  for (const { object, location } of manifests) {
    const result = await searchBypass(object, search);
    bypasses.push(...result.bypasses);
    calls += result.calls;
    if (result.note !== undefined) surroundings.stderr.write(`note: ${printLocation(location)}: not searched: ${printable(result.note)}\n`);
  }
  const report = bypassReport({ bypasses, calls, seed, durationMs: monotonicMs() - started });
  surroundings.stdout.write(flags.output === 'json' ? report.json : printable(report.text));
  return bypasses.length > 0 ? exitCodes.refused : exitCodes.allowed;
}

async function searched(webhooks: FuzzedWebhooks, wanted: Search, surroundings: Surroundings): Promise<Run> {
  const { flags, seeds, seed, deadlineMs, signal } = wanted;
  const { stderr } = surroundings;
  const { state } = webhooks.scene();
  const byRules = flags.url === undefined && flags.demo !== true;
  const targets = targetsOf(state, { kinds: flags.kind, seeds, byRules });
  if (targets.length === 0) {
    throw new CliError('usage', 'no resource to generate objects of', { suggestions: ['pass --kind RESOURCE[.GROUP]'] });
  }
  stderr.write(`seed ${seed}\n`);
  const random = randomFrom(seededRandom(seed));
  const own = (target: Target): readonly ValueMap[] => seeds.filter(object => isOfKind(object, target.resource));
  const progress = fuzzProgress(surroundings);
  try {
    return await fuzz({
      targets,
      seedsOf: own,
      startingObjects: startingObjectsOf(own, random, seed),
      pipeline: pipelineOf(webhooks.scene),
      random,
      seed,
      dictionary: newDictionary(literalsOf(state.objects.filter(isWebhookConfiguration))),
      checks: checksOfFlag(flags.check),
      isOver: calls => signal.aborted || calls >= (flags.runs ?? Number.POSITIVE_INFINITY) || monotonicMs() >= deadlineMs,
      isInterrupted: () => signal.aborted,
      reduceMs: Math.min(maxReduceMs, (flags.timeMs ?? defaultTimeMs) * reduceShare),
      monotonicMs,
      recover: webhooks.recover,
      onProgress: progress.show,
      onFinding: ({ check, webhook, message }, calls) => {
        progress.clear();
        stderr.write(`${check} after ${calls} calls: ${webhook} ${printable(message)}\n`);
      },
    });
  } finally {
    progress.clear();
  }
}

async function seedsOf({ filename, recursive = false }: FuzzFlags, surroundings: Surroundings): Promise<ValueMap[]> {
  if (filename === undefined) return [];
  const { manifests } = await readManifests({ flag: '-f', paths: filename, recursive }, surroundings);
  return manifests.map(({ object }) => object);
}
