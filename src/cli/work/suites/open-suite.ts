import { createHash } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { CliError } from '../../../client/cli-error.js';
import { callOptions } from '../../../client/options/call-options.js';
import { pickOptions } from '../../../client/options/option-names.js';
import { type StateFlagOptions, stateOptions } from '../../../client/options/state-options.js';
import type { WebhookFlagOptions } from '../../../client/options/webhook-options.js';
import type { ClusterState } from '../../../kubernetes/api-call.js';
import { lazy } from '../../../kubernetes/memoize.js';
import type { RuleObserver } from '../../../kubernetes/rule-part.js';
import { defaultServerOptions } from '../../../kubernetes/server-options.js';
import type { CallWebhook } from '../../../kubernetes/webhook-call.js';
import { CaseFault } from '../../../suites/faults.js';
import type { CaseOutput } from '../../../suites/results.js';
import type { OpenSuite } from '../../../suites/run/run-suites.js';
import type { CaseOptions, Suite, SuiteCase } from '../../../suites/suite.js';
import type { SuiteFlags } from '../../options/test-flags.js';
import type { Surroundings } from '../../shell/surroundings.js';
import { apiServers } from '../api-servers/api-servers.js';
import { readComparison } from '../checks/comparison.js';
import type { AgainstCluster } from '../cluster/against-cluster.js';
import { type ClusterFlags, choosesCluster } from '../cluster/cluster-flags.js';
import { askForMinor } from '../cluster/minor-for.js';
import { checkWebhookFlags, connectionNotes } from '../webhooks/cluster-webhooks.js';
import { openTransport } from '../webhooks/connection.js';
import { openWebhooks } from '../webhooks/open-webhooks.js';
import { failingAddressCheck } from '../webhooks/remote-addresses.js';
import { type StateReader, stateReader } from './case-states.js';
import { refuseFailedCalls } from './failed-calls.js';
import { makeCalls } from './make-calls.js';
import type { OpenConversions } from './make-conversions.js';
import { refusePipes } from './refuse-pipes.js';
import { replayConversion } from './replay-conversion.js';
import { readFixedState, readShownState, withRegistered } from './shown-to-clients.js';
import type { SuiteServer } from './suite-apiserver.js';
import type { StartedProcess, startSuiteProcess, WrittenOutput } from './suite-process.js';

/** Context of suites. */
export interface SuiteContext {
  readonly flags: SuiteFlags;
  /** Flags on the command line, which override those of suites. */
  readonly given: ReadonlySet<string>;
  readonly surroundings: Surroundings;
  /** Called with all output of processes under test. */
  readonly onOutput?: (text: string) => void;
  /** Starts the process in another way, or keeps one that runs. */
  readonly startProcess?: typeof startSuiteProcess;
  /** Measures the steps of calls. */
  readonly recordsSteps?: boolean | undefined;
  /** With `--coverage`. */
  readonly observer?: RuleObserver | undefined;
}

/** A suite whose webhooks are open. */
export interface OpenedSuite extends OpenSuite {
  /** Its process; undefined where its webhooks run elsewhere. */
  readonly started: StartedProcess | undefined;
}

/** Opens the webhooks of a suite. Throws CaseFault for invalid ones. */
export async function openSuite(suite: Suite, context: SuiteContext): Promise<OpenedSuite> {
  const described = webhookOptionsOf(suite, context);
  return rejectWithFault(async () => {
    checkWebhookFlags(described, context.given);
    checkOneKind(suite, described);
    refusePipes(suite.webhook, context.surroundings.cwd);
    const states = stateReader(context.surroundings);
    const server = isElsewhere(context) ? undefined : await startServerOfSuite(suite, { flags: described, states }, context);
    const close: (() => Promise<void>)[] = server === undefined ? [] : [server.close];
    try {
      const started = isElsewhere(context) ? undefined : await startProcessOfSuite(suite, { flags: described, states, server }, context);
      if (started !== undefined) close.unshift(started.stop);
      return await openWith(suite, context, { flags: { ...described, ...started?.flags }, started, states, server });
    } catch (error) {
      for (const end of close) await end();
      throw error;
    }
  });
}

async function startServerOfSuite(
  suite: Suite,
  { flags, states }: Pick<Reached, 'flags' | 'states'>,
  context: SuiteContext,
): Promise<SuiteServer | undefined> {
  if (suite.apiserver === undefined) return undefined;
  const { startSuiteServer } = await import('./suite-apiserver.js');
  const state =
    suite.apiserver.state === undefined ? await readFirstState(suite, states, context) : await readFixedState(suite.apiserver, states);
  const minor = await askForMinor({ ...defaultsOf(context.flags), ...suite.cases[0]?.options }, context.surroundings);
  const initial = state ?? { server: apiServers({ minor }), objects: [], options: defaultServerOptions };
  return startSuiteServer(initial, failingAddressCheck(flags), context.surroundings);
}

/** Throws CliError when one address would get admission and conversion reviews. */
function checkOneKind({ cases }: Suite, { url }: WebhookFlagOptions): void {
  const converting = cases.find(isConverting);
  if (url === undefined || converting === undefined || cases.every(isConverting)) return;
  throw new CliError(
    'usage',
    `--url is one address, and the case ${JSON.stringify(converting.name)} converts while others make API calls`,
    {
      suggestions: ['pass --service for the addresses of the configurations and definitions'],
    },
  );
}

function isConverting({ conversion }: SuiteCase): boolean {
  return conversion !== undefined;
}

function isRecordedConversion(suiteCase: SuiteCase): suiteCase is SuiteCase & Required<Pick<SuiteCase, 'recording'>> {
  return suiteCase.recording !== undefined && /"kind"\s*:\s*"ConversionReview"/.test(suiteCase.recording.request.body);
}

interface Reached {
  readonly flags: WebhookFlagOptions;
  readonly started: StartedProcess | undefined;
  readonly states: StateReader;
  readonly server: SuiteServer | undefined;
}

async function openWith(suite: Suite, context: SuiteContext, { flags, started, states, server }: Reached): Promise<OpenedSuite> {
  const { surroundings } = context;
  const webhooks = withRegistered(await openWebhooks(flags, surroundings), server?.registered() ?? []);
  const transport = await openTransport({ ...flags, ...clusterOf(suite), reviewsAreDryRuns: true }, surroundings, {
    keepConnections: context.flags.freshConnections !== true,
  });
  const { callWebhook } = transport;
  const conversions = suite.cases.some(isConverting) ? await openSuiteConversions(flags, callWebhook, surroundings) : undefined;
  const defaults = defaultsOf(context.flags);
  const compare = await readComparison({ ...flags, compare: context.flags.compare }, surroundings);
  const against = await openSuiteCluster(context.flags, surroundings);
  const reached = {
    callWebhook,
    against,
    services: flags.service ?? [],
    reviewsAreDryRuns: context.flags.forward,
    notes: connectionNotes(flags),
    compare,
    observer: context.observer,
    recordsSteps: context.recordsSteps,
  };
  const make = async (suiteCase: SuiteCase): Promise<CaseOutput> => {
    refusePipes(suiteCase.options, surroundings.cwd);
    for (const step of suiteCase.steps ?? []) refusePipes(step.options, surroundings.cwd);
    const options = { ...defaults, ...suiteCase.options, areFound: true };
    const fixed = { seed: seedOf(suite, suiteCase, options.seed), now: options.now };
    if (isRecordedConversion(suiteCase)) return replayConversion(suiteCase.recording, { flags, callWebhook, cwd: surroundings.cwd });
    if (isConverting(suiteCase)) return { calls: [], conversion: await conversions?.make({ ...options, ...fixed }, await states(options)) };
    const state = await states(options, webhooks);
    const observe = server?.startCase(await readShownState(suite, options, { flags, states }));
    return { calls: await makeCalls(suiteCase, { flags: options, state, fixed, ...reached, observe, surroundings }) };
  };
  return {
    started,
    serverOf: async suiteCase => apiServers({ minor: await askForMinor({ ...defaults, ...suiteCase.options }, surroundings) }),
    ...(started === undefined ? {} : { watchOutput: () => watchOutput(started.output) }),
    make: suiteCase =>
      rejectWithFault(async () => {
        if (started !== undefined) await refuseEnded(started);
        const output = await make(suiteCase);
        if (started !== undefined) await refuseEnded(started, output);
        refuseFailedCalls(suiteCase, output);
        conversions?.refuseFailed(suiteCase, output);
        return output;
      }, suiteCase),
    close: async () => {
      await transport.close();
      await webhooks.close();
      await conversions?.close();
      await started?.stop();
      await server?.close();
    },
  };
}

/** Cases may name a cluster, too. */
function clusterOf({ cases }: Suite): ClusterFlags {
  return cases.map(({ options }) => options).find(choosesCluster) ?? {};
}

async function openSuiteConversions(
  flags: WebhookFlagOptions,
  callWebhook: CallWebhook,
  surroundings: Surroundings,
): Promise<OpenConversions> {
  const { openConversions } = await import('./make-conversions.js');
  return openConversions(flags, callWebhook, surroundings);
}

async function openSuiteCluster(flags: SuiteFlags, surroundings: Surroundings): Promise<AgainstCluster | undefined> {
  if (flags.againstCluster !== true) return undefined;
  const { openAgainstCluster } = await import('../cluster/against-cluster.js');
  return openAgainstCluster(flags, surroundings);
}

/** Reports whether the command line specifies a running webhook. */
function isElsewhere({ given }: SuiteContext): boolean {
  return given.has('url') || given.has('demo') || given.has('service') || given.has('urls');
}

async function startProcessOfSuite(
  suite: Suite,
  { flags, states, server }: Omit<Reached, 'started'>,
  context: SuiteContext,
): Promise<StartedProcess | undefined> {
  if (suite.process === undefined) return undefined;
  const start = context.startProcess ?? (await import('./suite-process.js')).startSuiteProcess;
  const objects = lazy(async () => (await readFirstState(suite, states, context))?.objects ?? []);
  const onOutput = context.onOutput ?? (() => {});
  const started = await start(suite.process, { flags, objects, onOutput, kubeconfig: server?.kubeconfig }, context.surroundings);
  server?.processIsReady(started.flags.service ?? []);
  return started;
}

/** Returns the state of the first case; undefined if it is invalid, which the case reports. */
async function readFirstState({ cases }: Suite, states: StateReader, { flags }: SuiteContext): Promise<ClusterState | undefined> {
  const first = cases.find(({ skip }) => skip === undefined);
  try {
    return await states({ ...defaultsOf(flags), ...first?.options });
  } catch (error) {
    if (error instanceof CliError) return undefined;
    throw error;
  }
}

/** Output is read shortly after the answer that it was written before. */
const outputDelayMs = 100;

function watchOutput(output: WrittenOutput): () => Promise<readonly string[]> {
  const written = output.written();
  return async () => {
    await setTimeout(outputDelayMs);
    return output.since(await written);
  };
}

/** Throws CaseFault when the process has ended, which explains more than its failed calls. */
async function refuseEnded(started: StartedProcess, output: CaseOutput = { calls: [] }): Promise<void> {
  const callFailed =
    output.calls.some(({ report }) => report.webhooks.some(({ failure }) => failure !== undefined)) ||
    output.conversion?.exchanges.some(({ answer }) => answer.outcome === 'failed');
  const failure = await started.fault(callFailed ?? false);
  if (failure !== undefined) throw new CaseFault(failure, { output });
}

/** Merges options: the command line overrides the suite, the suite overrides variables and the configuration file. */
function webhookOptionsOf(suite: Suite, { flags, given }: SuiteContext): WebhookFlagOptions & { readonly now?: Date | undefined } {
  const choosesWebhook = given.has('url') || given.has('demo');
  const own = without(
    suite.webhook,
    name => given.has(name) || (choosesWebhook && (isChoice(name) || name === 'service' || name === 'urls')),
  );
  const others = Object.keys(own).some(isChoice) ? { ...flags, url: undefined, demo: false } : flags;
  // The CA of the configuration file is that of a webhook that the user starts; the suite's own process gets another one.
  const isOther = suite.process !== undefined && !given.has('caFile');
  return { ...others, ...(isOther ? { caFile: undefined } : {}), ...own };
}

function without<T extends object>(options: T, isDropped: (name: string) => boolean): Partial<T> {
  const kept = Object.fromEntries(Object.entries(options).filter(([name]) => !isDropped(name)));
  return kept as Partial<T>;
}

/** Reports whether this is one of the mutually exclusive options. */
function isChoice(name: string): boolean {
  return name === 'url' || name === 'demo';
}

/** Returns the options on the command line that describe the calls of all cases. */
export function defaultsOf(flags: SuiteFlags): CaseOptions & StateFlagOptions {
  const [version, ...others] = flags.kubernetesVersions ?? [];
  return {
    ...pickOptions(flags, { ...stateOptions, namespace: callOptions.namespace, seed: callOptions.seed, now: callOptions.now }),
    kubernetesVersion: others.length > 0 ? undefined : version,
  };
}

/** Returns a seed per case, independent of the order of cases. */
function seedOf({ file }: Suite, { name }: SuiteCase, seed: number | undefined): number | undefined {
  return seed === undefined ? undefined : createHash('sha256').update(`${seed}\n${file}\n${name}`).digest().readUInt32BE(0);
}

/** Turns CliError into a CaseFault of the case. */
async function rejectWithFault<T>(run: () => Promise<T>, suiteCase?: SuiteCase): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof CliError)) throw error;
    const { message, location, suggestions } = error;
    const advice = suggestions.length === 0 ? '' : `; ${suggestions.join(', or ')}`;
    const { line, column, file } = location ?? {};
    const place =
      file === undefined
        ? suiteCase?.place
        : { file, ...(line === undefined ? {} : { line }), ...(column === undefined ? {} : { column }) };
    throw new CaseFault({ check: 'input', message: message + advice, ...(place === undefined ? {} : { place }) }, { cause: error });
  }
}
