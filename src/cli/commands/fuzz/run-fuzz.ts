import { userOf } from '../../../client/calls/planned-call.js';
import { CliError } from '../../../client/cli-error.js';
import type { ManifestPaths } from '../../../client/options/call-options.js';
import { bypassFindings } from '../../../fuzz/bypass/report.js';
import { type FuzzCheckName, fuzzCheckNames } from '../../../fuzz/checks/finding.js';
import type { FuzzedResource } from '../../../fuzz/inputs/input.js';
import { isPipelineConfiguration, pipelineOf } from '../../../fuzz/pipeline/pipeline.js';
import { literalsOf, newDictionary } from '../../../fuzz/run/dictionary.js';
import { fuzz } from '../../../fuzz/run/fuzz.js';
import { fuzzReport } from '../../../fuzz/run/report.js';
import type { FuzzRun } from '../../../fuzz/run/run-state.js';
import { isOfKind, targetsOf } from '../../../fuzz/run/targets.js';
import { startingObjectsOf } from '../../../fuzz/starting-objects.js';
import { randomFrom } from '../../../fuzz/values/random.js';
import type { ValueMap } from '../../../go/value.js';
import type { ClusterState } from '../../../kubernetes/api-call.js';
import { textWithoutSecrets } from '../../../redaction/text-secrets.js';
import { usableWithoutSecrets } from '../../../redaction/usable-without-secrets.js';
import { CaseFault } from '../../../suites/faults.js';
import { monotonicMs } from '../../../transport/clock.js';
import { oneLine, printable } from '../../../writers/printable.js';
import { convertFlags } from '../../options/convert-flags.js';
import { seededRandom } from '../../shell/effects.js';
import { type ExitCode, exitCodes, gravestExitCode } from '../../shell/exit-codes.js';
import type { Surroundings } from '../../shell/surroundings.js';
import { readManifestFiles } from '../../work/input/read-manifests.js';
import { readState } from '../../work/input/state.js';
import { checkWebhookFlags } from '../../work/webhooks/cluster-webhooks.js';
import { isPolicyObject } from '../../work/webhooks/configurations.js';
import { type FoundWays, searchForbidden } from './forbidden-objects.js';
import { type FuzzFlags, repeatedWords, searchWords } from './fuzz-options.js';
import { fuzzProgress } from './fuzz-progress.js';
import { withProcessAddress } from './fuzzed-process.js';
import { addSuite, type Fuzzed } from './fuzzed-suite.js';
import { type FuzzedWebhooks, openFuzzedWebhooks } from './fuzzed-webhooks.js';
import { type SearchEnd, searchEnd } from './search-end.js';
import { sourceWords } from './source-words.js';
import { writeFindings } from './write-findings.js';

const defaultTimeMs = 60_000;
/** Share of the time that the reduction of the first finding may take, and its max. */
const reduceShare = 0.25;
const maxReduceMs = 20_000;
/** How long an interruption waits for the report. */
const longestStopMs = 10_000;

/** Times of objects do not depend on the clock, so that a seed gives the same calls. */
const usualTime = new Date('2026-01-01T00:00:00Z');

/** A search that is ready to start. */
interface Search extends Fuzzed {
  /** Flags on the command line. */
  readonly typed: ReadonlySet<string>;
  readonly suite: string | undefined;
  readonly state: ClusterState;
  readonly seeds: readonly ValueMap[];
  readonly seed: number;
  readonly signal: AbortSignal;
  /** Called when the webhooks can be called. */
  readonly onReady: () => void;
}

/** What the command line says: a suite, and flags. */
export interface FuzzCommand {
  readonly suite: string | undefined;
  readonly flags: FuzzFlags;
  readonly given: ReadonlySet<string>;
}

/** Searches for calls that break the webhooks, and prints what was found. Throws CliError. */
export async function runFuzz({ suite, ...command }: FuzzCommand, surroundings: Surroundings): Promise<ExitCode> {
  checkChecks(command.flags);
  const { flags, given, process } = await addSuite(suite, command, surroundings);
  const state = await readState({ ...flags, filename: undefined }, surroundings);
  const reached = process === undefined ? flags : { ...flags, ...withProcessAddress(flags, state.objects, given) };
  checkWebhookFlags(reached, given);
  const seeds = await readSeeds(flags, surroundings);
  const seed = flags.seed ?? Math.floor(surroundings.random() * 2 ** 32);
  const interruption = new AbortController();
  const { signal } = interruption;
  let hasBegun = false;
  const onReady = (): void => {
    hasBegun = true;
  };
  const searching = search(
    { flags: reached, given, typed: command.given, process, suite, state, seeds, seed, signal, onReady },
    surroundings,
  );
  const cleanUp = async (): Promise<void> => {
    interruption.abort();
    // Before the webhook is ready there is nothing to report, and it may never be.
    if (hasBegun) await searching.catch(() => {});
  };
  const forget = surroundings.onInterrupt(cleanUp, { longestMs: longestStopMs });
  try {
    return await searching;
  } finally {
    forget();
  }
}

function checksOf({ check }: Pick<FuzzFlags, 'check'>): readonly FuzzCheckName[] {
  return check?.names ?? fuzzCheckNames;
}

function checkChecks(flags: Pick<FuzzFlags, 'check' | 'forbidden'>): void {
  const { forbidden } = flags;
  const only = checksOf(flags);
  if (only.length > 1 || only[0] !== 'bypass' || forbidden !== undefined) return;
  throw new CliError('usage', 'the check bypass needs objects that must never exist', { suggestions: ['pass them with --forbidden PATH'] });
}

async function search(wanted: Search, surroundings: Surroundings): Promise<ExitCode> {
  const { flags, process, state, signal } = wanted;
  const now = (): Date => flags.now ?? usualTime;
  // The time of the search starts when the webhook is ready.
  let deadlineMs = Number.POSITIVE_INFINITY;
  const isOver = (): boolean => signal.aborted || monotonicMs() >= deadlineMs;
  const { limit, cutOff } = searchEnd(() => deadlineMs - monotonicMs(), signal);
  try {
    const webhooks = await openFuzzedWebhooks({ flags, process, state, now, user: userOf(flags), isOver, limit }, surroundings);
    wanted.onReady();
    const started = monotonicMs();
    deadlineMs = started + (flags.timeMs ?? (flags.runs === undefined ? defaultTimeMs : Number.POSITIVE_INFINITY));
    const timed = {
      ...wanted,
      webhooks,
      cutOff,
      isOver: () => isOver() || webhooks.lost() !== undefined || webhooks.refusal() !== undefined,
    };
    try {
      const { forbidden, recursive = false } = flags;
      const checks = checksOf(flags);
      const words = process === undefined ? [] : sourceWords(process, surroundings.cwd);
      const ways =
        forbidden === undefined || !checks.includes('bypass')
          ? { bypasses: [], calls: 0, failures: [] }
          : await searchForbidden(forbidden, { scene: webhooks.scene, words, isOver: timed.isOver, recursive }, surroundings);
      const run = checks.some(check => check !== 'bypass') ? await searchUntilOver({ ...timed, words }, surroundings) : undefined;
      const refusal = webhooks.refusal();
      if (refusal !== undefined) throw refusal;
      return await report({ ...timed, ways, run, durationMs: monotonicMs() - started }, surroundings);
    } finally {
      await webhooks.close();
    }
  } catch (error) {
    if (!(error instanceof CaseFault)) throw error;
    surroundings.stderr.write(`error: the webhook cannot be called: ${printable(textWithoutSecrets(error.message))}\n`);
    return exitCodes.callFailed;
  }
}

/** A search with its webhooks, and when it ends. */
interface TimedSearch extends Search {
  readonly webhooks: FuzzedWebhooks;
  readonly isOver: () => boolean;
  readonly cutOff: SearchEnd['cutOff'];
}

interface Searched extends TimedSearch {
  readonly ways: FoundWays;
  readonly run: FuzzRun | undefined;
  readonly durationMs: number;
}

async function report({ ways, run, webhooks, cutOff, ...wanted }: Searched, surroundings: Surroundings): Promise<ExitCode> {
  const { flags, given, typed, process, suite, seed, signal, durationMs } = wanted;
  const { stdout, stderr } = surroundings;
  const cut = signal.aborted ? undefined : cutOff();
  const unreachable = run?.unreachable ?? (cut === 'all' ? 'it answered no review before the end of the search' : undefined);
  const found = run?.findings.all() ?? [];
  const count = found.length + ways.bypasses.length;
  // An interrupted search can end before its first call.
  const wasAsked = webhooks.wasCalled() || (run === undefined && wanted.state.objects.some(isPolicyObject));
  if (count === 0 && (unreachable !== undefined || !(wasAsked || signal.aborted || ways.failures.length > 0))) {
    const reason = unreachable ?? 'no call is one that its rules, selectors and conditions choose';
    stderr.write(`error: the webhook cannot be called: ${printable(textWithoutSecrets(reason))}\n`);
    return gravestExitCode([exitCodes.callFailed, ...ways.failures]);
  }
  const { text, json } = fuzzReport(run, {
    ...{ seed, durationMs, flags: repeatedWords(flags, typed), convertFlags: repeatedWords(flags, typed, name => name in convertFlags) },
    ...{ search: searchWords(flags, typed), exec: flags.exec, suite },
    others: { findings: bypassFindings(ways.bypasses), calls: ways.calls },
  });
  const lost = webhooks.lost();
  if (lost !== undefined) stderr.write(`note: the search ended early: ${printable(textWithoutSecrets(lost))}\n`);
  if (cut !== undefined)
    stderr.write('note: a review was not answered before the end of the search; a longer --time shows whether it is a bug\n');
  if (flags.write !== undefined)
    await writeFindings(flags.write, { findings: found, bypasses: ways.bypasses, flags, given, process }, surroundings);
  stdout.write(flags.output === 'json' ? json : printable(text));
  if (flags.open === true) {
    const { openFindings } = await import('./open-findings.js');
    const shown = { findings: found, bypasses: ways.bypasses, webhooks, seed, isInterrupted: () => signal.aborted };
    await openFindings({ ...shown, toolVersion: flags.toolVersion?.() ?? '' }, surroundings);
  }
  return gravestExitCode(count > 0 ? [exitCodes.refused, ...ways.failures] : ways.failures);
}

async function searchUntilOver(
  { webhooks, isOver, cutOff, words, ...wanted }: TimedSearch & { readonly words: readonly string[] },
  surroundings: Surroundings,
): Promise<FuzzRun> {
  const { flags, seeds, seed, signal } = wanted;
  const { stderr } = surroundings;
  const { state } = webhooks.scene();
  const byRules = flags.url === undefined && flags.demo !== true;
  const targets = targetsOf(state, { kinds: flags.kind, seeds, byRules });
  if (targets.length === 0) {
    throw new CliError('usage', 'no resource to generate objects of', { suggestions: ['pass --kind RESOURCE[.GROUP]'] });
  }
  stderr.write(`seed ${seed}\n`);
  const random = randomFrom(seededRandom(seed));
  const own = (target: FuzzedResource): readonly ValueMap[] => seeds.filter(object => isOfKind(object, target.resource));
  const progress = fuzzProgress(surroundings);
  try {
    return await fuzz({
      targets,
      seedsOf: own,
      startingObjects: startingObjectsOf(own, random, seed),
      pipeline: pipelineOf(webhooks.scene),
      random,
      examinedRandom: randomFrom(seededRandom(~seed)),
      seed,
      dictionary: newDictionary([...literalsOf(state.objects.filter(isPipelineConfiguration)), ...words]),
      checks: checksOf(flags),
      isOver: calls => calls >= (flags.runs ?? Number.POSITIVE_INFINITY) || isOver(),
      isInterrupted: () => signal.aborted || cutOff() !== undefined,
      reduceMs: Math.min(maxReduceMs, (flags.timeMs ?? defaultTimeMs) * reduceShare),
      monotonicMs,
      recover: webhooks.recover,
      onProgress: progress.show,
      onFinding: ({ check, webhook, message }, calls) => {
        progress.clear();
        stderr.write(`${check} after ${calls} calls: ${oneLine(webhook)} ${printable(message)}\n`);
      },
    });
  } finally {
    progress.clear();
  }
}

/** Without their secrets: findings show objects as they were sent, and are written as a suite that people commit. */
async function readSeeds({ filename, recursive = false }: ManifestPaths, surroundings: Surroundings): Promise<ValueMap[]> {
  if (filename === undefined) return [];
  const { manifests } = await readManifestFiles({ flag: '-f', paths: filename, recursive }, surroundings);
  return manifests.map(({ object }) => usableWithoutSecrets(object));
}
