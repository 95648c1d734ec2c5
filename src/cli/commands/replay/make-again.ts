import { type CapturedReview, replayReview } from '../../../apiserver/replay-review.js';
import type { Report } from '../../../apiserver/report/report.js';
import type { ServiceMapping } from '../../../client/options/address-values.js';
import { readAsNeeded } from '../../../client/run/read-as-needed.js';
import { recordExchanges } from '../../../client/run/recorded-exchanges.js';
import { answerWithEffects } from '../../../client/run/run-calls.js';
import { isMap, listAt, mapAt, stringAt, type Value, type ValueMap } from '../../../go/value.js';
import type { ApiCall, ClusterState } from '../../../kubernetes/api-call.js';
import type { Effects } from '../../../kubernetes/effects.js';
import { memoize, memoizeStrings } from '../../../kubernetes/memoize.js';
import { keyOfKind, keyOfName } from '../../../kubernetes/storage.js';
import type { CallWebhook } from '../../../kubernetes/webhook-call.js';
import type { MadeAgain, MakeAgain } from '../../../replay/call-result.js';
import { normalizedMessage } from '../../../replay/essential-text.js';
import type { StoredBy } from '../../../replay/logged-call.js';
import { type Disturbances, timedCalls } from '../../../replay/outages.js';
import type { OutcomeChange } from '../../../replay/outcome.js';
import { effectsFor } from '../../shell/effects.js';
import { checkOf } from '../../work/checks/check-calls.js';
import type { WebhookComparison } from '../../work/checks/comparison.js';
import { requiredServiceAddresses } from '../../work/webhooks/services.js';

export interface Making {
  /** State with the webhooks of the replay. */
  readonly state: ClusterState;
  readonly callWebhook: CallWebhook;
  readonly services: readonly ServiceMapping[];
  readonly disturbances: Disturbances;
  readonly compare: WebhookComparison | undefined;
}

/** Returns how calls of a log are made again: at the time of the log, with uids and names that depend on nothing but the call. */
export function makerOf({ state: initial, callWebhook, services, disturbances, compare }: Making): MakeAgain {
  const registered = registeredIn(initial);
  return async (call, given, { ms, auditId, captured }) => {
    const state = captured === undefined ? given : { ...given, objects: atPath(given.objects, captured.path) };
    const fixed = { seed: seedOf(auditId), now: ms === undefined ? undefined : new Date(ms) };
    const timed = timedCalls(callWebhook, disturbances, ms);
    const recorded = recordExchanges(timed.callWebhook);
    let proceed: MadeAgain['proceed'];
    const effectsOf = (send: CallWebhook): Effects => ({
      ...effectsFor(send, fixed),
      onRefused: withoutRefusal => {
        proceed = withoutRefusal;
      },
      elapsedMs: timed.elapsedMs,
      serviceAddress: requiredServiceAddresses(services, state),
    });
    const effects = (): Effects => effectsOf(recorded.callWebhook);
    const report =
      captured === undefined
        ? await answerWithEffects(call, state, effects)
        : await readAsNeeded(state.source, () => replayReview(captured, state, effects(), { withPolicies: true }));
    const called = report.webhooks.filter(({ requestBody }) => requestBody !== undefined);
    return {
      report,
      exchanges: recorded.exchanges(),
      compared:
        compare === undefined
          ? []
          : await compareMade(compare, { call, captured, state, report, exchanges: recorded.exchanges(), callWebhook, effectsOf }),
      waitedMs: timed.elapsedMs(),
      sent: timed.sent(),
      isRepeatable: called.every(({ configuration, webhook }) => registered.get(`${configuration}/${webhook}`)?.hasNoSideEffects === true),
      neededLabels: labelsNeededBy(report, registered, state),
      proceed,
    };
  };
}

/**
 * Returns the objects without the webhooks at other paths than the one that a review was sent to; all of them if none has that path. What those had
 * answered is not recorded.
 */
function atPath(objects: readonly ValueMap[], reviewed: string | undefined): readonly ValueMap[] {
  const path = reviewed?.split('?', 1)[0] ?? '/';
  return path === '/' ? objects : keptAt(objects)(path);
}

const keptAt = memoize((objects: readonly ValueMap[]) =>
  memoizeStrings(100, (path: string): readonly ValueMap[] => {
    const configurations = objects.filter(object => stringAt(object, 'kind').endsWith('WebhookConfiguration'));
    const isAt = (webhook: Value): boolean => pathOf(webhook) === path;
    if (!configurations.some(object => listAt(object, 'webhooks').some(isAt))) return objects;
    return objects.map(object =>
      configurations.includes(object) ? new Map([...object, ['webhooks', listAt(object, 'webhooks').filter(isAt)]]) : object,
    );
  }),
);

function pathOf(webhook: Value): string {
  const url = stringAt(webhook, 'clientConfig', 'url');
  return url === '' ? stringAt(webhook, 'clientConfig', 'service', 'path') || '/' : URL.canParse(url) ? new URL(url).pathname : '';
}

/** FNV-1a: the seed only has to differ from call to call. */
function seedOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i += 1) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return hash >>> 0;
}

/** Returns how calls are made without the webhooks and policies of a state, to see what their bodies alone do. */
export function storedWithout({ state: initial }: Pick<Making, 'state'>): StoredBy {
  const objects = initial.objects.filter(object => !/(?:WebhookConfiguration|AdmissionPolicy(?:Binding)?)$/.test(stringAt(object, 'kind')));
  return async (call, state) => {
    const effects = effectsFor(async () => ({ outcome: 'noClient', message: 'no webhook is called' }), { seed: 0 });
    const report = await answerWithEffects(call, { ...state, objects }, () => effects);
    return report.decision.object;
  };
}

interface Made {
  readonly call: ApiCall;
  readonly captured: CapturedReview | undefined;
  readonly state: ClusterState;
  readonly report: Report;
  readonly exchanges: ReturnType<ReturnType<typeof recordExchanges>['exchanges']>;
  readonly callWebhook: CallWebhook;
  readonly effectsOf: (callWebhook: CallWebhook) => Effects;
}

async function compareMade(
  compare: WebhookComparison,
  { call, captured, state, report, exchanges, callWebhook, effectsOf }: Made,
): Promise<readonly OutcomeChange[]> {
  const check = checkOf([], compare, { callWebhook, effects: effectsOf });
  const step = { planned: { call, captured, command: undefined }, command: undefined, report, exchanges, findings: [] };
  const { findings } = await check(step, state, 0);
  const named = report.webhooks[0]?.attributes ?? { namespace: '', name: '' };
  return findings.map(({ webhook, message }) => ({ change: 'other-answer', by: webhook, message: normalizedMessage(message, named) }));
}

/** What a registration says about replays. */
interface Registered {
  readonly hasNoSideEffects: boolean;
  /** Does it depend on labels of namespaces other than their name? */
  readonly needsLabels: boolean;
}

/** Webhooks by `configuration/webhook`, and policies by name. */
function registeredIn({ objects }: ClusterState): ReadonlyMap<string, Registered> {
  const rows = objects.flatMap((object): [string, Registered][] => {
    const name = stringAt(object, 'metadata', 'name');
    const kind = stringAt(object, 'kind');
    if (kind.endsWith('AdmissionPolicy')) return [[name, { hasNoSideEffects: true, needsLabels: policyNeedsLabels(object) }]];
    if (!kind.endsWith('WebhookConfiguration')) return [];
    return listAt(object, 'webhooks').flatMap((webhook): [string, Registered][] => {
      const selector = isMap(webhook) ? mapAt(webhook, 'namespaceSelector') : undefined;
      return [
        [
          `${name}/${stringAt(webhook, 'name')}`,
          { hasNoSideEffects: stringAt(webhook, 'sideEffects') === 'None', needsLabels: selectorNeedsLabels(selector) },
        ],
      ];
    });
  });
  return new Map(rows);
}

function policyNeedsLabels(policy: ValueMap): boolean {
  const selector = mapAt(policy, 'spec', 'matchConstraints', 'namespaceSelector');
  return selectorNeedsLabels(selector) || JSON.stringify([...texts(policy)]).includes('namespaceObject');
}

function* texts(value: Value): Generator<string> {
  if (typeof value === 'string') yield value;
  else if (Array.isArray(value)) for (const item of value) yield* texts(item);
  else if (isMap(value)) for (const item of value.values()) yield* texts(item);
}

const nameLabel = 'kubernetes.io/metadata.name';

function selectorNeedsLabels(selector: ValueMap | undefined): boolean {
  const labels = [...(mapAt(selector, 'matchLabels') ?? new Map()).keys()];
  const expressions = listAt(selector, 'matchExpressions').map(expression => stringAt(expression, 'key'));
  return [...labels, ...expressions].some(key => key !== nameLabel);
}

/** Returns the namespace whose labels a webhook or policy of the call was selected by, if nothing shows them. */
function labelsNeededBy(report: Report, registered: ReadonlyMap<string, Registered>, state: ClusterState): string | undefined {
  const { webhooks, policies = [] } = report;
  const reached = [
    ...webhooks.map(entry => ({ ...entry, key: `${entry.configuration}/${entry.webhook}` })),
    ...policies.map(entry => ({ ...entry, key: entry.policy })),
  ].find(
    ({ key, skipReason, attributes }) =>
      attributes.namespace !== '' && skipReason?.predicate !== 'rules' && registered.get(key)?.needsLabels === true,
  );
  const namespace = reached?.attributes.namespace ?? '';
  return namespace === '' || isShown(namespace, state) ? undefined : namespace;
}

function isShown(namespace: string, { objects, written }: ClusterState): boolean {
  const changed = written?.row(keyOfKind({ group: '', kind: 'Namespace' })).get(keyOfName('', namespace));
  return (changed !== undefined && changed !== null) || namespacesIn(objects).has(namespace);
}

const namespacesIn = memoize(
  (objects: readonly ValueMap[]): ReadonlySet<string> =>
    new Set(objects.filter(object => stringAt(object, 'kind') === 'Namespace').map(object => stringAt(object, 'metadata', 'name'))),
);
