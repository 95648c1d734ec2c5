import type { WebhookReport } from '../../../apiserver/admission/webhook-report.js';
import { valuesOfRule } from '../../../apiserver/webhooks/rules.js';
import { type MatchCondition, type Webhook, webhooksOf } from '../../../apiserver/webhooks/webhook.js';
import { readUnstructured } from '../../../encoding/unstructured.js';
import { isMap, type Value, valueAt } from '../../../go/value.js';
import type { ClusterState } from '../../../kubernetes/api-call.js';
import type { ApiServer } from '../../../kubernetes/api-server.js';
import { type Labels, labelsOf, printSelector, SelectorError, selectorOf } from '../../../kubernetes/label-selector.js';
import { storageOf } from '../../../kubernetes/storage.js';

/** One predicate of a webhook: what it requires, and the value in the call. */
export interface PredicateView {
  readonly predicate: string;
  readonly wants: string;
  readonly saw: string;
  /** The webhook was skipped because of it. */
  readonly decided: boolean;
}

/** The part of a report's entry that describes the request. */
type Seen = Pick<WebhookReport, 'attributes'> & { readonly requestBody?: string | undefined };

/** Returns the predicates of a webhook with the values they saw, in the order of evaluation. Empty for an unknown webhook. */
export function predicatesOf(entry: WebhookReport, state: ClusterState, body: Value | undefined): PredicateView[] {
  const webhook = webhooksOf(storageOf(state), entry.phase).find(w => w.configuration === entry.configuration && w.name === entry.webhook);
  if (webhook === undefined) return [];
  const { namespace } = entry.attributes;
  const views: Omit<PredicateView, 'decided'>[] = [
    {
      predicate: 'namespaceSelector',
      wants: explainedSelector(state.server, webhook.namespaceSelector),
      saw: namespaceText(entry, state, body),
    },
    {
      predicate: 'objectSelector',
      wants: explainedSelector(state.server, webhook.objectSelector),
      saw: objectText(entry, state, body),
    },
    { predicate: 'rules', wants: rulesText(webhook), saw: subjectText(entry, namespace) },
  ];
  const decided = (predicate: string): boolean => entry.skipReason?.predicate === predicate;
  return [
    ...views.map(view => ({ ...view, decided: decided(view.predicate) })),
    ...webhook.matchConditions.map((one, index) => conditionView(one, index, entry)),
  ];
}

/** A selector as text; `anything` for the empty one. */
export function explainedSelector(server: ApiServer, value: Value): string {
  try {
    const selector = selectorOf(server, value);
    return selector.matches === 'everything' ? 'anything' : printSelector(selector);
  } catch (error) {
    if (error instanceof SelectorError) return `cannot be read: ${error.message}`;
    throw error;
  }
}

/** Describes the Namespace that the selector matches: the object itself when a Namespace is created or updated. */
export function namespaceText(entry: Seen, state: ClusterState, body: Value | undefined): string {
  const { namespace, resource, subResource, operation } = entry.attributes;
  const isNamespaces = resource.resource === 'namespaces';
  if (namespace === '' && !isNamespaces) return 'not evaluated: the object is cluster-scoped';
  const isOwn = isNamespaces && subResource === '' && (operation === 'CREATE' || operation === 'UPDATE');
  const found = isOwn ? (body ?? sentObject(entry)) : storageOf(state).find({ group: '', kind: 'Namespace' }, '', namespace);
  // The API server sets the label of the name before it evaluates selectors.
  const labels: Labels = new Map([...labelsOf(found), ['kubernetes.io/metadata.name', namespace]]);
  return `namespace ${namespace} has ${labelsText(labels)}`;
}

/** Describes the labels of the new and the old object: either may match. */
export function objectText(entry: Seen, state: ClusterState, body: Value | undefined): string {
  const { kind, resource, namespace, name, operation } = entry.attributes;
  const stored = storageOf(state).find(kind, resource.resource === 'namespaces' ? '' : namespace, name);
  const labels = labelsText(labelsOf(sentObject(entry) ?? body ?? stored));
  const before = labelsText(labelsOf(stored));
  return operation !== 'UPDATE' || stored === undefined || before === labels ? `labels ${labels}` : `labels ${labels}, before ${before}`;
}

/** Returns the object sent to the webhook; for a deletion the old one. */
function sentObject({ requestBody }: Seen): Value | undefined {
  if (requestBody === undefined) return undefined;
  const request = valueAt(readUnstructured(requestBody), 'request');
  const object = valueAt(request, 'object');
  return isMap(object) ? object : valueAt(request, 'oldObject');
}

function labelsText(labels: Labels): string {
  return labels.size === 0 ? '(none)' : [...labels].map(([key, value]) => `${key}=${value}`).join(',');
}

/** Rules as text, with their match policy. */
export function rulesText({ rules, matchPolicy }: Pick<Webhook, 'rules' | 'matchPolicy'>): string {
  if (rules.length === 0) return 'no rules: it never matches';
  return `${rules.map(valuesOfRule).join('; ')} [${matchPolicy}]`;
}

/** The request that rules are matched against. */
export function subjectText({ attributes }: Seen, namespace: string): string {
  const { operation, resource, subResource } = attributes;
  const name = subResource === '' ? resource.resource : `${resource.resource}/${subResource}`;
  const group = resource.group === '' ? 'core' : resource.group;
  return `${operation} ${name} of ${group} ${resource.version}${namespace === '' ? ', in no namespace' : ''}`;
}

/** Explains one condition: it is false, it fails, or it does not keep the webhook from being called. */
export function conditionView(
  { name, expression }: MatchCondition,
  index: number,
  { skipReason }: Pick<WebhookReport, 'skipReason'>,
): PredicateView {
  const view = { predicate: 'matchConditions', wants: `${name}: ${expression.trim()}` };
  if (skipReason === undefined) return { ...view, saw: 'true', decided: false };
  if (skipReason.predicate !== 'matchConditions') return { ...view, saw: 'not evaluated', decided: false };
  const deciding = skipReason.conditions?.find(condition => condition.index === index);
  if (deciding === undefined) return { ...view, saw: 'did not decide', decided: false };
  return { ...view, saw: deciding.error === undefined ? 'false' : `error: ${deciding.error}`, decided: true };
}
