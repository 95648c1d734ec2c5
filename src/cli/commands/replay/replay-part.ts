import { setTimeout } from 'node:timers/promises';
import { servedBy } from '../../../apiserver/call/served-resources.js';
import { mappingTo, type ServiceMapping } from '../../../client/options/address-values.js';
import { listAt, stringAt, type Value, type ValueMap } from '../../../go/value.js';
import type { ClusterState } from '../../../kubernetes/api-call.js';
import type { CallWebhook } from '../../../kubernetes/webhook-call.js';
import type { MakeAgain } from '../../../replay/call-result.js';
import { equalCalls } from '../../../replay/equal-calls.js';
import { knownObjects } from '../../../replay/known-objects.js';
import type { EventPlace } from '../../../replay/logged-event.js';
import { concernsOutage, type Disturbances } from '../../../replay/outages.js';
import { everyCall, registeredRules } from '../../../replay/registered-rules.js';
import { type CallPart, type LogReplay, replayLog } from '../../../replay/replay-log.js';
import { showsManagedFields } from '../../../replay/shown-managed-fields.js';
import { countBroken, newTally, type ReplayTally } from '../../../replay/tally.js';
import { monotonicMs } from '../../../transport/clock.js';
import type { Surroundings } from '../../shell/surroundings.js';
import { readComparison } from '../../work/checks/comparison.js';
import { readState } from '../../work/input/state.js';
import { openTransport } from '../../work/webhooks/connection.js';
import { openWebhooks } from '../../work/webhooks/open-webhooks.js';
import { callsAtOnce } from './calls-at-once.js';
import { type Checkpoint, openCheckpointOfPart } from './checkpoint.js';
import { hidingSecrets } from './hiding-secrets.js';
import { readLogLines, withStart } from './log-lines.js';
import { makerOf, storedWithout } from './make-again.js';
import type { ReplayFlagOptions } from './replay-options.js';
import { changesOfReview } from './review-changes.js';
import { reviewsIn } from './reviews-in-line.js';

/** Characters of the objects that are kept, and of the results of calls; all threads together. */
const maxCharacters = 10 * 1024 * 1024;
const maxResultCharacters = 8 * 1024 * 1024;

/** What a part of the replay reports while it runs. */
export interface PartProgress {
  /** Bytes of the input, and calls made so far. */
  readonly onLine?: ((bytes: number, tally: ReplayTally) => void) | undefined;
  /** Called at the start: what is counted there is known at any time. */
  readonly onStart?: ((tally: ReplayTally) => void) | undefined;
  /** Is what was read enough? */
  readonly isEnough?: (() => boolean) | undefined;
  /** Wraps how calls are made. */
  readonly watch?: ((makeAgain: MakeAgain, state: ClusterState) => MakeAgain) | undefined;
  /** Wraps how webhooks are called. */
  readonly sending?: ((callWebhook: CallWebhook) => CallWebhook) | undefined;
}

/** Replays one part of the calls of all logs, from the last checkpoint if there is one. Throws CliError. */
export async function replayPart(
  options: ReplayFlagOptions,
  part: CallPart & { readonly threads: number },
  surroundings: Pick<Surroundings, 'cwd' | 'stdin' | 'uid' | 'now' | 'stateCache' | 'env' | 'random'>,
  { onLine, onStart, isEnough = () => false, watch = makeAgain => makeAgain, sending = callWebhook => callWebhook }: PartProgress = {},
): Promise<ReplayTally> {
  const stdin = options.checkpoint === undefined ? surroundings.stdin : withStart(surroundings.stdin);
  const checkpoint = await openCheckpoint(options, part, { cwd: surroundings.cwd, stdin });
  const tally = checkpoint?.restored?.tally ?? newTally();
  onStart?.(tally);
  const webhooks = await openWebhooks(options, surroundings);
  const transport = await openTransport(options, surroundings, { keepConnections: true, canForward: false });
  try {
    const state = webhooks.registeredIn(withoutQuotas(await readState({ ...options, filename: undefined }, surroundings)));
    await webhooks.checkConfigurations(state);
    const disturbances = { outages: options.outage ?? [], latencies: options.latency ?? [] };
    const making = {
      ...{
        state,
        services: [...(options.service ?? []), ...unneededServices(state, disturbances)],
        disturbances,
        compare: await readComparison(options, surroundings),
      },
      callWebhook: paced(
        retrying(sending(transport.callWebhook), options.retries ?? 0),
        options.qps === undefined ? undefined : options.qps / part.threads,
      ),
    };
    const known = knownObjects(state, {
      ...{ resources: servedBy(state).resources, maxCharacters: maxCharacters / part.threads },
      restored: checkpoint?.restored?.known,
    });
    const equal = equalCalls({
      maxCharacters: options.noDedupe === true ? 0 : maxResultCharacters / part.threads,
      restored: checkpoint?.restored?.equal,
    });
    const namespaces = serviceNamespaces(state);
    const replay = replayLog(tally, {
      ...{
        makeAgain: watch(makerOf(making), state),
        storedBy: storedWithout(making),
        known,
        equal,
        disturbances,
        part,
        concurrency: callsAtOnce(),
        only: options.only,
        sample: options.sample ?? 1,
        showsManagedFields: options.only !== undefined || options.compare !== undefined || showsManagedFields(state.objects),
        rules: needsEveryCall(options) ? everyCall : registeredRules(state),
      },
      isConfigured: isConfigured(state),
      namespaceOf: webhook => namespaces.get(webhook),
      hidingSecretsOf: hidingSecrets(),
      needsAnswers: options.only === undefined && options.rate === undefined && options.compare === undefined,
      changesOfReview,
    });
    await readLogs(replay, {
      options,
      surroundings: { cwd: surroundings.cwd, stdin },
      tally,
      onLine,
      isEnough,
      isFirst: part.index === 0,
      checkpoint,
      save: async () => ({ tally, known: known.entries(), equal: await equal.entries() }),
    });
    await replay.finish();
    await checkpoint?.end();
  } finally {
    await transport.close();
    await webhooks.close();
  }
  return tally;
}

/** Does the result depend on more than the rules of webhooks and policies in the state? Another version may refuse any object. */
function needsEveryCall({ only, compare, kubernetesVersion }: Pick<ReplayFlagOptions, 'only' | 'compare' | 'kubernetesVersion'>): boolean {
  return only !== undefined || compare !== undefined || kubernetesVersion !== undefined;
}

async function openCheckpoint(
  options: ReplayFlagOptions,
  part: CallPart & { readonly threads: number },
  surroundings: Pick<Surroundings, 'cwd' | 'stdin'>,
): Promise<Checkpoint | undefined> {
  if (options.checkpoint === undefined) return undefined;
  for await (const { text } of readLogLines(options.filename ?? [], surroundings))
    return openCheckpointOfPart(options.checkpoint, { options, part, cwd: surroundings.cwd, firstLine: text });
  return undefined;
}

interface Reading extends Pick<PartProgress, 'onLine'> {
  readonly isEnough: () => boolean;
  /** Is this the part that counts lines, which belong to none? */
  readonly isFirst: boolean;
  readonly options: ReplayFlagOptions;
  readonly surroundings: Pick<Surroundings, 'cwd' | 'stdin'>;
  readonly tally: ReplayTally;
  readonly checkpoint: Checkpoint | undefined;
  readonly save: () => ReturnType<Parameters<Checkpoint['save']>[1]>;
}

async function readLogs(
  replay: LogReplay,
  { options, surroundings, tally, onLine, isEnough, isFirst, checkpoint, save }: Reading,
): Promise<void> {
  const first = checkpoint?.restored?.lines ?? 0;
  let lines = 0;
  for await (const { text, broken, source, line, bytes } of readLogLines(options.filename ?? [], surroundings)) {
    if (isEnough()) return;
    lines += 1;
    if (lines <= first) continue;
    if (broken === undefined) await replayDocument(replay, text, { place: { source, line }, tally, isFirst });
    else if (isFirst) {
      tally.lines += 1;
      countBroken(tally, { source, line }, broken);
    }
    onLine?.(bytes, tally);
    if (checkpoint?.isDue() !== true) continue;
    await replay.finish();
    await checkpoint.save(lines, save);
  }
}

async function replayDocument(
  replay: LogReplay,
  text: string,
  { place, tally, isFirst }: { readonly place: EventPlace; readonly tally: ReplayTally; readonly isFirst: boolean },
): Promise<void> {
  const captured = reviewsIn(text, place);
  if (captured === undefined) return replay.line(text, place);
  if (isFirst) {
    tally.lines += 1;
    tally.unseen += captured.foreign;
    for (const reason of captured.broken) countBroken(tally, place, reason);
  }
  for (const review of captured.reviews) await replay.review(review);
}

/** The usage of a quota at the time of a call is not in the log. */
function withoutQuotas(state: ClusterState): ClusterState {
  return { ...state, objects: state.objects.filter(object => object.get('kind') !== 'ResourceQuota') };
}

/** Maps the services all of whose webhooks never answer: nothing is sent to them. */
function unneededServices({ objects }: ClusterState, { outages }: Disturbances): readonly ServiceMapping[] {
  const always = outages.filter(({ fromMs, toMs }) => fromMs === undefined && toMs === undefined);
  const services = new Map<string, boolean>();
  for (const { webhook, configuration } of webhooksIn(objects)) {
    const [namespace, name] = [
      stringAt(webhook, 'clientConfig', 'service', 'namespace'),
      stringAt(webhook, 'clientConfig', 'service', 'name'),
    ];
    const isGone = always.some(outage => concernsOutage(outage, { configuration, webhook: stringAt(webhook, 'name') }));
    services.set(`${namespace}/${name}`, isGone && services.get(`${namespace}/${name}`) !== false);
  }
  return [...services].flatMap(([service, isUnneeded]) =>
    isUnneeded && service !== '/' ? [mappingTo(service, 'https://127.0.0.1:1')] : [],
  );
}

function webhooksIn(objects: readonly ValueMap[]): readonly { readonly webhook: Value; readonly configuration: string }[] {
  return objects
    .filter(object => stringAt(object, 'kind').endsWith('WebhookConfiguration'))
    .flatMap(object => listAt(object, 'webhooks').map(webhook => ({ webhook, configuration: stringAt(object, 'metadata', 'name') })));
}

function isConfigured({ objects }: ClusterState): (name: string) => boolean {
  const policies = objects.filter(object => /^(?:Validat|Mutat)ingAdmissionPolicy$/.test(stringAt(object, 'kind')));
  const names = [
    ...webhooksIn(objects).map(({ webhook }) => stringAt(webhook, 'name')),
    ...policies.map(one => stringAt(one, 'metadata', 'name')),
  ];
  const known = new Set(names);
  return name => known.has(name);
}

/** Returns the namespace of each webhook's service, by the name of the webhook. */
function serviceNamespaces({ objects }: ClusterState): ReadonlyMap<string, string> {
  return new Map(
    webhooksIn(objects).flatMap(({ webhook }) => {
      const namespace = stringAt(webhook, 'clientConfig', 'service', 'namespace');
      return namespace === '' ? [] : [[stringAt(webhook, 'name'), namespace] as const];
    }),
  );
}

/** Sends at most so many reviews a second, evenly; all of them at once if it is undefined. */
function paced(callWebhook: CallWebhook, perSecond: number | undefined): CallWebhook {
  if (perSecond === undefined) return callWebhook;
  let next = 0;
  return async call => {
    const now = monotonicMs();
    const at = Math.max(now, next);
    next = at + 1000 / perSecond;
    if (at > now) await setTimeout(at - now);
    return callWebhook(call);
  };
}

/** Waiting time before the first repetition; it doubles with each further one. */
const firstPauseMs = 200;

/** Sends a review again when the webhook cannot be reached: a webhook that is restarted says nothing about the traffic. */
function retrying(callWebhook: CallWebhook, retries: number): CallWebhook {
  if (retries === 0) return callWebhook;
  return async call => {
    for (let attempt = 0; ; attempt += 1) {
      const answer = await callWebhook(call);
      const isUnreached = answer.outcome === 'failed' && (answer.class === 'dns' || answer.class === 'tcp');
      if (!isUnreached || attempt === retries) return answer;
      await setTimeout(firstPauseMs * 2 ** attempt);
    }
  };
}
