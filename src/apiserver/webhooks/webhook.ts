import { compareKeys } from '../../go/key-order.js';
import { isMap, listAt, stringAt, stringsAt, type Value, type ValueMap, valueAt } from '../../go/value.js';
import type { ApiServer } from '../../kubernetes/api-server.js';
import { memoize } from '../../kubernetes/memoize.js';
import { type RuleObserver, ruleText } from '../../kubernetes/rule-part.js';
import type { Storage } from '../../kubernetes/storage.js';
import { defaultTimeoutSeconds, type Phase } from '../../kubernetes/webhook-call.js';
import { type ReadSelector, readSelector } from './read-selector.js';

/** Webhook of a configuration, with the API's defaults applied. */
export interface Webhook {
  readonly phase: Phase;
  readonly configuration: string;
  readonly name: string;
  /** `<configuration>/<webhook>/<n>`: n counts earlier webhooks of that name in the configuration. */
  readonly identity: string;
  readonly clientConfig: ClientConfig;
  readonly rules: readonly Rule[];
  readonly failurePolicy: 'Fail' | 'Ignore';
  readonly matchPolicy: 'Exact' | 'Equivalent';
  /** An absent selector matches nothing; the API's default is the empty one. */
  readonly namespaceSelector: Value;
  readonly objectSelector: Value;
  /** Both, parsed. */
  readonly selectors: { readonly namespace: ReadSelector; readonly object: ReadSelector };
  readonly sideEffects: string | undefined;
  readonly timeoutSeconds: number;
  readonly reviewVersions: readonly string[];
  readonly reinvocationPolicy: 'Never' | 'IfNeeded';
  readonly matchConditions: readonly MatchCondition[];
}

export interface ClientConfig {
  readonly url: string | undefined;
  readonly service: ServiceReference | undefined;
  /** Usually PEM; empty when there is none. */
  readonly caBundle: Uint8Array;
}

export interface ServiceReference {
  readonly namespace: string;
  readonly name: string;
  readonly path: string;
  readonly port: number;
}

export interface Rule {
  readonly operations: readonly string[];
  readonly apiGroups: readonly string[];
  readonly apiVersions: readonly string[];
  readonly resources: readonly string[];
  readonly scope: string;
}

export interface MatchCondition {
  readonly name: string;
  readonly expression: string;
}

/**
 * Returns all webhooks of a phase in the order the API server uses: configurations by name bytewise, webhooks as listed. Source: apiserver
 * configuration/mutating_webhook_manager.go.
 */
export function webhooksOf({ server, list }: Storage, phase: Phase): readonly Webhook[] {
  const kind = phase === 'mutating' ? 'MutatingWebhookConfiguration' : 'ValidatingWebhookConfiguration';
  const configurations = list({ group: 'admissionregistration.k8s.io', kind });
  const latest = latestBy(server);
  const known = latest.get(phase);
  if (known !== undefined && areSame(known.configurations, configurations)) return known.webhooks;
  const webhooks = sortedWebhooks(server, configurations, phase);
  latest.set(phase, { configurations: [...configurations], webhooks });
  return webhooks;
}

/** Configurations seldom change between two calls, each of which asks for them several times. */
const latestBy = memoize(
  (_server: ApiServer) => new Map<Phase, { readonly configurations: readonly ValueMap[]; readonly webhooks: readonly Webhook[] }>(),
);

function areSame(some: readonly ValueMap[], others: readonly ValueMap[]): boolean {
  return some.length === others.length && some.every((one, i) => one === others[i]);
}

function sortedWebhooks(server: ApiServer, configurations: readonly ValueMap[], phase: Phase): readonly Webhook[] {
  const named = configurations.map(c => ({ name: stringAt(c, 'metadata', 'name'), configuration: c }));
  const sorted = named.sort((a, b) => compareKeys(a.name, b.name));
  return sorted.flatMap(({ name, configuration }) => webhooksIn(server, name, configuration, phase));
}

/** Parsed configurations, cached because many calls use the same ones. */
const readBy = memoize((_server: ApiServer) => new WeakMap<ValueMap, readonly Webhook[]>());

function webhooksIn(server: ApiServer, configuration: string, object: ValueMap, phase: Phase): readonly Webhook[] {
  const read = readBy(server);
  const known = read.get(object);
  if (known !== undefined) return known;
  const webhooks = readWebhooks(server, configuration, object, phase);
  read.set(object, webhooks);
  return webhooks;
}

function readWebhooks(server: ApiServer, configuration: string, object: ValueMap, phase: Phase): Webhook[] {
  const seen = new Map<string, number>();
  return listAt(object, 'webhooks').map(entry => {
    const name = stringAt(entry, 'name');
    const n = seen.get(name) ?? 0;
    seen.set(name, n + 1);
    return webhookOf(server, entry, { phase, configuration, name, identity: `${configuration}/${name}/${n}` });
  });
}

function webhookOf(server: ApiServer, entry: Value, named: Pick<Webhook, 'phase' | 'configuration' | 'name' | 'identity'>): Webhook {
  const timeout = valueAt(entry, 'timeoutSeconds');
  const namespaceSelector = valueAt(entry, 'namespaceSelector') ?? new Map();
  const objectSelector = valueAt(entry, 'objectSelector') ?? new Map();
  return {
    ...named,
    clientConfig: clientConfigOf(valueAt(entry, 'clientConfig')),
    rules: listAt(entry, 'rules').map(ruleOf),
    failurePolicy: stringAt(entry, 'failurePolicy') === 'Ignore' ? 'Ignore' : 'Fail',
    matchPolicy: stringAt(entry, 'matchPolicy') === 'Exact' ? 'Exact' : 'Equivalent',
    namespaceSelector,
    objectSelector,
    selectors: { namespace: readSelector(server, namespaceSelector), object: readSelector(server, objectSelector) },
    sideEffects: stringAt(entry, 'sideEffects') || undefined,
    timeoutSeconds: typeof timeout === 'bigint' ? Number(timeout) : defaultTimeoutSeconds,
    reviewVersions: stringsAt(entry, 'admissionReviewVersions'),
    reinvocationPolicy: stringAt(entry, 'reinvocationPolicy') === 'IfNeeded' ? 'IfNeeded' : 'Never',
    matchConditions: listAt(entry, 'matchConditions').map(c => ({ name: stringAt(c, 'name'), expression: stringAt(c, 'expression') })),
  };
}

/** Returns a `clientConfig` with the API's defaults. */
export function clientConfigOf(value: Value | undefined): ClientConfig {
  const service = valueAt(value, 'service');
  const port = valueAt(service, 'port');
  return {
    url: isMap(value) && typeof value.get('url') === 'string' ? stringAt(value, 'url') : undefined,
    service: isMap(service)
      ? {
          namespace: stringAt(service, 'namespace'),
          name: stringAt(service, 'name'),
          path: stringAt(service, 'path'),
          port: typeof port === 'bigint' ? Number(port) : 443,
        }
      : undefined,
    caBundle: Buffer.from(stringAt(value, 'caBundle'), 'base64'),
  };
}

/** Reads a rule of a webhook; without a scope it is for all resources. */
export function ruleOf(rule: Value): Rule {
  return {
    operations: stringsAt(rule, 'operations'),
    apiGroups: stringsAt(rule, 'apiGroups'),
    apiVersions: stringsAt(rule, 'apiVersions'),
    resources: stringsAt(rule, 'resources'),
    scope: stringAt(rule, 'scope') || '*',
  };
}

/** Returns the name of a webhook in coverage. */
export function ownerOfWebhook({ phase, configuration, name }: Pick<Webhook, 'phase' | 'configuration' | 'name'>): string {
  return `${phase === 'mutating' ? 'Mutating' : 'Validating'}WebhookConfiguration ${configuration}, webhook ${name}`;
}

/** Declares the rules and match conditions of a webhook that a call meets. */
export function declareWebhook(webhook: Webhook, { declare }: RuleObserver): void {
  const owner = ownerOfWebhook(webhook);
  for (const [i, rule] of webhook.rules.entries()) declare({ owner, part: `rule ${i + 1}`, text: ruleText(rule) });
  for (const { name, expression } of webhook.matchConditions) declare({ owner, part: `condition ${name}`, text: expression.trim() });
}
