import { isMap, type Value, type ValueMap } from '../../go/value.js';
import type { GroupVersionKind, GroupVersionResource } from '../../kubernetes/group-version.js';
import { labelsOf, type Selector, SelectorError, selectorOf, selects } from '../../kubernetes/label-selector.js';
import { memoize } from '../../kubernetes/memoize.js';
import type { RuleObserver } from '../../kubernetes/rule-part.js';

import { internalError, notFound } from '../../kubernetes/status-errors.js';
import type { Attributes } from '../admission/attributes.js';
import type { AdmissionContext } from '../admission/chain.js';
import type { SkipReason } from '../admission/webhook-report.js';
import { equivalentsOf } from './equivalent.js';
import { declareWebhook, ownerOf } from './observed.js';
import { matchesRule } from './rules.js';
import type { Webhook } from './webhook.js';

/** The webhook is to be called, with the kind and resource it is to receive; or why not. */
export type Selection =
  | { readonly outcome: 'selected'; readonly invocation: Invocation }
  | { readonly outcome: 'skipped'; readonly reason: SkipReason };

export interface Invocation {
  readonly webhook: Webhook;
  readonly kind: GroupVersionKind;
  readonly resource: GroupVersionResource;
  readonly subresource: string;
}

/**
 * Is this webhook to be called? Its selectors, then its rules, against the request as it stands. Match conditions come
 * after. Errors of the selectors only count when a rule matches: they are thrown then.
 * Source: apiserver plugin/webhook/generic/webhook.go ShouldCallHook.
 */
export function selectWebhook(webhook: Webhook, attributes: Attributes, context: AdmissionContext): Selection {
  const { observer } = context.effects;
  if (observer !== undefined) declareWebhook(webhook, observer);
  const namespace = namespaceMatch(webhook, attributes, context);
  if (namespace === 'no') return skipped('namespaceSelector', namespaceDetail(attributes, context));
  const object = objectMatch(webhook, attributes);
  if (object === 'no') return skipped('objectSelector', objectDetail(attributes));
  const invocation = ruleMatch(webhook, attributes, context);
  if (observer !== undefined) observeRules(webhook, attributes, invocation !== undefined, observer);
  if (invocation === undefined) return skipped('rules', ruleDetail(attributes));
  if (namespace !== 'yes') throw namespace.error;
  if (object !== 'yes') throw object.error;
  return { outcome: 'selected', invocation };
}

/** Rules are tried until one matches. */
function observeRules(webhook: Webhook, attributes: Attributes, isMatch: boolean, { reach }: RuleObserver): void {
  const owner = ownerOf(webhook);
  const { operation, namespace, resource, subresource } = attributes;
  const index = webhook.rules.findIndex(rule => matchesRule(rule, { operation, namespace, resource, subresource }));
  const last = isMatch && index < 0 ? webhook.rules.length : index;
  for (const i of webhook.rules.keys()) if (last < 0 || i <= last) reach({ owner, part: `rule ${i + 1}` }, i === last);
}

function skipped(predicate: SkipReason['predicate'], detail: string): Selection {
  return { outcome: 'skipped', reason: { predicate, detail } };
}

/** An error only counts when the webhook's rules match. */
export type SelectorMatch = 'yes' | 'no' | { readonly error: Error };

/** Source: apiserver predicates/namespace/matcher.go. */
export function namespaceMatch(
  webhook: Pick<Webhook, 'namespaceSelector'>,
  attributes: Attributes,
  context: AdmissionContext,
): SelectorMatch {
  if (attributes.namespace === '' && attributes.resource.resource !== 'namespaces') return 'yes';
  const selector = readSelector(webhook.namespaceSelector);
  if ('error' in selector) return selector;
  if (selector.matches === 'everything') return 'yes';
  const namespace = namespaceObject(attributes, context);
  if (namespace === undefined) return { error: notFound({ group: '', resource: 'namespaces' }, attributes.namespace) };
  return selects(selector, labelsOf(namespace)) ? 'yes' : 'no';
}

/** The Namespace whose labels count: the object itself when a Namespace is created or updated, else the stored one. */
function namespaceObject(attributes: Attributes, { storage, state }: AdmissionContext): Value | undefined {
  const { operation, resource, subresource, object, namespace } = attributes;
  const isOwn = resource.resource === 'namespaces' && subresource === '' && (operation === 'CREATE' || operation === 'UPDATE');
  if (isOwn) return object?.value;
  const stored = storage.find({ group: '', kind: 'Namespace' }, '', namespace);
  return stored ?? (state.presumesNamespaces ? presumedNamespace(namespace) : undefined);
}

/** A namespace that is taken to exist carries the label every stored one has. */
export function presumedNamespace(name: string): ValueMap {
  const labels: ValueMap = new Map([['kubernetes.io/metadata.name', name]]);
  const metadata: ValueMap = new Map<string, Value>([
    ['name', name],
    ['labels', labels],
  ]);
  return new Map([['metadata', metadata]]);
}

/** The new object or the old one may match; what has no metadata never meets a requirement. Source: predicates/object/matcher.go. */
export function objectMatch(webhook: Pick<Webhook, 'objectSelector'>, attributes: Attributes): SelectorMatch {
  const selector = readSelector(webhook.objectSelector);
  if ('error' in selector) return selector;
  if (selector.matches === 'everything') return 'yes';
  const isSelected = [attributes.object, attributes.oldObject].some(
    object => object !== undefined && hasMetadata(object.value) && selects(selector, labelsOf(object.value)),
  );
  return isSelected ? 'yes' : 'no';
}

type ReadSelector = Selector | { readonly error: Error };

function readSelector(value: Value): ReadSelector {
  return isMap(value) ? readOnce(value) : readOrError(value);
}

/** A selector is asked in every call, and read once. */
const readOnce = memoize((selector: ValueMap) => readOrError(selector));

/** Configurations that come from files may hold what the API server would never have taken. */
function readOrError(value: Value): ReadSelector {
  try {
    return selectorOf(value);
  } catch (error) {
    if (error instanceof SelectorError) return { error: internalError(error.message) };
    throw error;
  }
}

function hasMetadata(object: Value): boolean {
  return isMap(object) && isMap(object.get('metadata'));
}

/** The first rule that matches the request's own resource; else, by policy, the first equivalent resource a rule matches. */
function ruleMatch(webhook: Webhook, attributes: Attributes, context: AdmissionContext): Invocation | undefined {
  const { operation, namespace, resource, subresource, kind } = attributes;
  const subject = { operation, namespace, resource, subresource };
  if (webhook.rules.some(rule => matchesRule(rule, subject))) return { webhook, kind, resource, subresource };
  if (webhook.matchPolicy !== 'Equivalent') return undefined;
  for (const rule of webhook.rules) {
    for (const equivalent of equivalentsFor(attributes, context)) {
      if (matchesRule(rule, { ...subject, resource: equivalent.resource })) return { webhook, ...equivalent, subresource };
    }
  }
  return undefined;
}

const equivalents = new WeakMap<Attributes, ReturnType<typeof equivalentsOf>>();

/** Other resources that are the request's; memoized by request. */
export function equivalentsFor(attributes: Attributes, context: AdmissionContext): ReturnType<typeof equivalentsOf> {
  const known = equivalents.get(attributes);
  if (known !== undefined) return known;
  const found = equivalentsOf(attributes, context);
  equivalents.set(attributes, found);
  return found;
}

/** Says which labels the request's namespace has. */
export function namespaceDetail(attributes: Attributes, context: AdmissionContext): string {
  const labels = labelsOf(namespaceObject(attributes, context));
  return `namespace ${attributes.namespace} has the labels ${printLabels(labels)}`;
}

/** Says which labels the object has. */
export function objectDetail({ object, oldObject }: Attributes): string {
  const found = object ?? oldObject;
  return found === undefined || !hasMetadata(found.value)
    ? 'the object has no metadata'
    : `the object has the labels ${printLabels(labelsOf(found.value))}`;
}

/** Says what no rule matches. */
export function ruleDetail({ operation, resource, subresource }: Attributes): string {
  const name = subresource === '' ? resource.resource : `${resource.resource}/${subresource}`;
  return `no rule matches ${operation} ${name} of ${resource.group === '' ? 'the core group' : resource.group} ${resource.version}`;
}

function printLabels(labels: ReadonlyMap<string, string>): string {
  return labels.size === 0 ? '(none)' : [...labels].map(([k, v]) => `${k}=${v}`).join(',');
}
