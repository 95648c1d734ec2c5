import { isMap, type Value, type ValueMap } from '../../go/value.js';
import type { ApiServer } from '../../kubernetes/api-server.js';
import type { GroupVersionKind, GroupVersionResource } from '../../kubernetes/group-version.js';
import { labelsOf, printSelector, selects } from '../../kubernetes/label-selector.js';
import { lazy, memoize, memoizeStrings } from '../../kubernetes/memoize.js';
import type { RuleObserver } from '../../kubernetes/rule-part.js';
import { notFound } from '../../kubernetes/status-errors.js';
import { isVirtual } from '../../kubernetes/virtual-resources.js';
import type { Attributes } from '../admission/attributes.js';
import type { AdmissionContext } from '../admission/chain.js';
import type { SkipReason } from '../admission/webhook-report.js';
import { type Equivalent, equivalentsOf } from './equivalent.js';
import { plannedMatches } from './planned-matches.js';
import { type ReadSelector, readSelector, type SelectorMatch } from './read-selector.js';
import { matchesRule, nearestRule, type RuleSubject, valuesOfRule } from './rules.js';
import { declareWebhook, ownerOfWebhook, type Rule, type Webhook } from './webhook.js';

/** Selected webhook, with the kind and resource to send; or the reason why it is skipped. */
export type WebhookSelection =
  | { readonly outcome: 'selected'; readonly invocation: WebhookInvocation }
  | { readonly outcome: 'skipped'; readonly reason: SkipReason };

export interface WebhookInvocation {
  readonly webhook: Webhook;
  readonly kind: GroupVersionKind;
  readonly resource: GroupVersionResource;
  readonly subresource: string;
}

/**
 * Returns a function that decides whether a webhook is called: its selectors, then its rules, against the request. Match conditions are
 * evaluated later. Requests for configurations of webhooks are exempt. Selector errors only count when a rule matches: they are thrown then. The request's facts are
 * computed once for all webhooks, so a changed request needs a new function. Source: apiserver plugin/webhook/generic/webhook.go ShouldCallHook.
 */
export function webhookSelector(attributes: Attributes, context: AdmissionContext): (webhook: Webhook) => WebhookSelection {
  const { observer } = context.effects;
  const namespaceOf = lazy(() => namespaceObject(attributes, context));
  const matchesOf = lazy(() => plannedMatches(attributes, namespaceOf(), equivalentsOf(attributes, context)));
  const equivalentSubjects = lazy(() => equivalentsOf(attributes, context).map(equivalent => subjectOf(attributes, equivalent)));
  const detailOfNamespace = lazy(() => namespaceDetail(attributes, context));
  const detailOfObject = lazy(() => objectDetail(attributes));
  const exempt = isExemptFromWebhooks(context.server, attributes)
    ? skipped('exempt', `webhooks are never called for ${attributes.kind.kind}`)
    : undefined;
  return webhook => {
    if (exempt !== undefined) return exempt;
    if (observer !== undefined) declareWebhook(webhook, observer);
    const matches = matchesOf()(webhook);
    matches.namespace ??= matchNamespace(webhook.selectors.namespace, attributes, namespaceOf);
    const { namespace } = matches;
    if (namespace === 'no') return notSelected('namespaceSelector', detailOfNamespace(), webhook.selectors.namespace);
    const object = matchObject(webhook.selectors.object, attributes);
    if (object === 'no') return notSelected('objectSelector', detailOfObject(), webhook.selectors.object);
    if (matches.sent === undefined) matches.sent = ruleMatch(webhook, attributes, equivalentSubjects) ?? null;
    const { sent } = matches;
    if (observer !== undefined) observeRules(webhook, attributes, sent !== null, observer);
    if (sent === null) {
      matches.byRules ??= { predicate: 'rules', detail: ruleDetail(attributes, webhook.rules) };
      return { outcome: 'skipped', reason: matches.byRules };
    }
    if (namespace !== 'yes') throw namespace.error;
    if (object !== 'yes') throw object.error;
    return { outcome: 'selected', invocation: { webhook, ...sent, subresource: attributes.subresource } };
  };
}

const configurationKinds = new Set([
  'ValidatingWebhookConfiguration',
  'MutatingWebhookConfiguration',
  'ValidatingAdmissionPolicy',
  'ValidatingAdmissionPolicyBinding',
  'MutatingAdmissionPolicy',
  'MutatingAdmissionPolicyBinding',
]);

/**
 * Reports whether webhooks are never called for this request. Otherwise a broken one could not be removed, or could refuse all
 * authentication. Source: apiserver admission/plugin/webhook/generic/webhook.go Dispatch, predicates/rules
 * IsExemptAdmissionConfigurationResource.
 */
export function isExemptFromWebhooks(server: ApiServer, { kind, resource }: Pick<Attributes, 'kind' | 'resource'>): boolean {
  if (kind.group === 'admissionregistration.k8s.io' && configurationKinds.has(kind.kind)) return true;
  return isVirtual(resource) && server.isEnabled('ExcludeAdmissionWebhookVirtualResources');
}

/** Records the rules that are tried, until one matches. */
function observeRules(webhook: Webhook, attributes: Attributes, isMatch: boolean, { reach }: RuleObserver): void {
  const owner = ownerOfWebhook(webhook);
  const { operation, namespace, resource, subresource } = attributes;
  const index = webhook.rules.findIndex(rule => matchesRule(rule, { operation, namespace, resource, subresource }));
  const last = isMatch && index < 0 ? webhook.rules.length : index;
  for (const i of webhook.rules.keys()) if (last < 0 || i <= last) reach({ owner, part: `rule ${i + 1}` }, i === last);
}

function notSelected(predicate: SkipReason['predicate'], detail: string, selector: ReadSelector): WebhookSelection {
  return { outcome: 'skipped', reason: { predicate, detail, wants: requirementsOf(selector) } };
}

const requirementsOf = memoize((selector: ReadSelector) => ('error' in selector ? '' : printSelector(selector) || selector.matches));

function skipped(predicate: SkipReason['predicate'], detail: string): WebhookSelection {
  return { outcome: 'skipped', reason: { predicate, detail } };
}

/** Source: apiserver predicates/namespace/matcher.go. */
export function namespaceMatch(
  webhook: Pick<Webhook, 'namespaceSelector'>,
  attributes: Attributes,
  context: AdmissionContext,
): SelectorMatch {
  return matchNamespace(readSelector(context.server, webhook.namespaceSelector), attributes, () => namespaceObject(attributes, context));
}

function matchNamespace(selector: ReadSelector, attributes: Attributes, namespaceOf: () => Value | undefined): SelectorMatch {
  if (attributes.namespace === '' && attributes.resource.resource !== 'namespaces') return 'yes';
  if ('error' in selector) return selector;
  if (selector.matches === 'everything') return 'yes';
  const namespace = namespaceOf();
  if (namespace === undefined) return { error: notFound({ group: '', resource: 'namespaces' }, attributes.namespace) };
  return selects(selector, labelsOf(namespace)) ? 'yes' : 'no';
}

/** Returns the Namespace whose labels are matched: the object itself when a Namespace is created or updated, else the stored one. */
function namespaceObject(attributes: Attributes, { storage, state }: AdmissionContext): Value | undefined {
  const { operation, resource, subresource, object, namespace } = attributes;
  const isOwn = resource.resource === 'namespaces' && subresource === '' && (operation === 'CREATE' || operation === 'UPDATE');
  if (isOwn) return object?.value;
  const stored = storage.find({ group: '', kind: 'Namespace' }, '', namespace);
  return stored ?? (state.presumesNamespaces ? presumedOnce(namespace) : undefined);
}

/** Every webhook of a call asks for the same one. */
const presumedOnce = memoizeStrings(1000, presumedNamespace);

/** Returns an assumed namespace, with the label that every stored one has. */
export function presumedNamespace(name: string): ValueMap {
  const labels: ValueMap = new Map([['kubernetes.io/metadata.name', name]]);
  const metadata: ValueMap = new Map<string, Value>([
    ['name', name],
    ['labels', labels],
  ]);
  return new Map([['metadata', metadata]]);
}

/** Matches the object selector with the new or the old object; one without metadata never matches. Source: predicates/object/matcher.go. */
export function objectMatch(server: ApiServer, webhook: Pick<Webhook, 'objectSelector'>, attributes: Attributes): SelectorMatch {
  return matchObject(readSelector(server, webhook.objectSelector), attributes);
}

function matchObject(selector: ReadSelector, attributes: Attributes): SelectorMatch {
  if ('error' in selector) return selector;
  if (selector.matches === 'everything') return 'yes';
  const isSelected = [attributes.object, attributes.oldObject].some(
    object => object !== undefined && hasMetadata(object.value) && selects(selector, labelsOf(object.value)),
  );
  return isSelected ? 'yes' : 'no';
}

function hasMetadata(object: Value): boolean {
  return isMap(object) && isMap(object.get('metadata'));
}

/** Returns what the first rule that matches the request's own resource is sent; else, by policy, that of the first match of an equivalent resource. */
function ruleMatch(
  webhook: Webhook,
  attributes: Attributes,
  equivalentSubjects: () => readonly EquivalentSubject[],
): Equivalent | undefined {
  const { resource, kind } = attributes;
  for (const rule of webhook.rules) if (matchesRule(rule, attributes)) return { kind, resource };
  if (webhook.matchPolicy !== 'Equivalent') return undefined;
  const subjects = equivalentSubjects();
  for (const rule of webhook.rules) {
    for (const subject of subjects) if (matchesRule(rule, subject)) return { kind: subject.kind, resource: subject.resource };
  }
  return undefined;
}

type EquivalentSubject = RuleSubject & Equivalent;

function subjectOf({ operation, namespace, subresource }: Attributes, { kind, resource }: Equivalent): EquivalentSubject {
  return { operation, namespace, subresource, kind, resource };
}

/** Describes the labels of the request's namespace. */
export function namespaceDetail(attributes: Attributes, context: AdmissionContext): string {
  const namespace = namespaceObject(attributes, context);
  const isStored = isMap(namespace) && namespace !== attributes.object?.value;
  return `namespace ${attributes.namespace} has the labels ${isStored ? storedLabels(namespace) : printLabels(labelsOf(namespace))}`;
}

/** A call does not change other namespaces than its own object. */
const storedLabels = memoize((namespace: ValueMap) => printLabels(labelsOf(namespace)));

/** Describes the object's labels. */
export function objectDetail({ object, oldObject }: Attributes): string {
  const found = object ?? oldObject;
  return found === undefined || !hasMetadata(found.value)
    ? 'the object has no metadata'
    : `the object has the labels ${printLabels(labelsOf(found.value))}`;
}

/** Describes the request that no rule matches, and the rule that comes nearest. */
export function ruleDetail({ operation, resource, subresource, namespace }: Attributes, rules: readonly Rule[]): string {
  const name = subresource === '' ? resource.resource : `${resource.resource}/${subresource}`;
  const request = `${operation} ${name} of ${resource.group === '' ? 'the core group' : resource.group} ${resource.version}`;
  const nearest = nearestRule(rules, { operation, namespace, resource, subresource });
  const own = nearest === undefined ? 'there is none' : `${rules.length > 1 ? 'the nearest is' : 'it is for'} ${valuesOfRule(nearest)}`;
  return `no rule matches ${request}: ${own}`;
}

function printLabels(labels: ReadonlyMap<string, string>): string {
  return labels.size === 0 ? '(none)' : [...labels].map(([k, v]) => `${k}=${v}`).join(',');
}
