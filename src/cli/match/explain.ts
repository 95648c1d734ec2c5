import type { WebhookReport } from '../../apiserver/admission/webhook-report.js';
import { type MatchCondition, type Webhook, webhooksOf } from '../../apiserver/webhooks/webhook.js';
import { readUnstructured } from '../../encoding/unstructured.js';
import type { ClusterState } from '../../kubernetes/api-call.js';
import { type Labels, labelsOf, printSelector, SelectorError, selectorOf } from '../../kubernetes/label-selector.js';
import { storageOf } from '../../kubernetes/storage.js';
import { isMap, type Value, valueAt } from '../../kubernetes/value.js';

/** One thing that decides whether a webhook is called: what it asks for, and what the call has. */
export interface PredicateView {
  readonly predicate: string;
  readonly wants: string;
  readonly saw: string;
  /** This one kept the webhook from being called. */
  readonly decided: boolean;
}

/** What an entry of the report tells of the request. */
type Seen = Pick<WebhookReport, 'attributes'> & { readonly requestBody?: string | undefined };

/** Every predicate of a webhook with the value it saw, in the order in which they are asked. Empty for a webhook of no configuration. */
export function predicatesOf(entry: WebhookReport, state: ClusterState, body: Value | undefined): PredicateView[] {
  const webhook = webhooksOf(storageOf(state), entry.phase).find(w => w.configuration === entry.configuration && w.name === entry.webhook);
  if (webhook === undefined) return [];
  const { namespace } = entry.attributes;
  const views: Omit<PredicateView, 'decided'>[] = [
    { predicate: 'namespaceSelector', wants: selectorText(webhook.namespaceSelector), saw: namespaceText(entry, state, body) },
    {
      predicate: 'objectSelector',
      wants: selectorText(webhook.objectSelector),
      saw: objectText(entry, state, body),
    },
    { predicate: 'rules', wants: rulesText(webhook), saw: subjectText(entry, namespace) },
  ];
  const decided = (predicate: string): boolean => entry.skipReason?.predicate === predicate;
  return [
    ...views.map(view => ({ ...view, decided: decided(view.predicate) })),
    ...webhook.matchConditions.map(one => conditionView(one, entry)),
  ];
}

/** A selector as text; `anything` for the empty one. */
export function selectorText(value: Value): string {
  try {
    const selector = selectorOf(value);
    return selector.matches === 'everything' ? 'anything' : printSelector(selector);
  } catch (error) {
    if (error instanceof SelectorError) return `cannot be read: ${error.message}`;
    throw error;
  }
}

/** The Namespace that counts: the object itself when one is created or updated. */
export function namespaceText(entry: Seen, state: ClusterState, body: Value | undefined): string {
  const { namespace, resource, subResource, operation } = entry.attributes;
  const isNamespaces = resource.resource === 'namespaces';
  if (namespace === '' && !isNamespaces) return 'not asked: the object lives in no namespace';
  const isOwn = isNamespaces && subResource === '' && (operation === 'CREATE' || operation === 'UPDATE');
  const found = isOwn ? (body ?? sentObject(entry)) : storageOf(state).find({ group: '', kind: 'Namespace' }, '', namespace);
  // The API server sets the name's label itself, before it asks.
  const labels: Labels = new Map([...labelsOf(found), ['kubernetes.io/metadata.name', namespace]]);
  return `namespace ${namespace} has ${labelsText(labels)}`;
}

/** The new object or the old one may match. */
export function objectText(entry: Seen, state: ClusterState, body: Value | undefined): string {
  const { kind, resource, namespace, name, operation } = entry.attributes;
  const stored = storageOf(state).find(kind, resource.resource === 'namespaces' ? '' : namespace, name);
  const labels = labelsText(labelsOf(sentObject(entry) ?? body ?? stored));
  const before = labelsText(labelsOf(stored));
  return operation !== 'UPDATE' || stored === undefined || before === labels ? `labels ${labels}` : `labels ${labels}, before ${before}`;
}

/** The object as the webhook got it; of a deletion the old one. */
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
  const texts = rules.map(({ operations, apiGroups, apiVersions, resources, scope }) => {
    const groups = apiGroups.map(group => (group === '' ? 'core' : group));
    const scoped = scope === '*' ? '' : ` (${scope})`;
    return `${operations.join('|')} ${resources.join('|')} of ${groups.join('|')} ${apiVersions.join('|')}${scoped}`;
  });
  return `${texts.join('; ')} [${matchPolicy}]`;
}

/** What rules are held against. */
export function subjectText({ attributes }: Seen, namespace: string): string {
  const { operation, resource, subResource } = attributes;
  const name = subResource === '' ? resource.resource : `${resource.resource}/${subResource}`;
  const group = resource.group === '' ? 'core' : resource.group;
  return `${operation} ${name} of ${group} ${resource.version}${namespace === '' ? ', in no namespace' : ''}`;
}

/** A condition is false, or an error, or does not keep the webhook from being called. */
export function conditionView({ name, expression }: MatchCondition, { skipReason }: Pick<WebhookReport, 'skipReason'>): PredicateView {
  const view = { predicate: 'matchConditions', wants: `${name}: ${expression.trim()}` };
  if (skipReason === undefined) return { ...view, saw: 'true', decided: false };
  if (skipReason.predicate !== 'matchConditions') return { ...view, saw: 'not asked', decided: false };
  if (skipReason.detail === `condition ${name} is false`) return { ...view, saw: 'false', decided: true };
  const [, error] = skipReason.detail.split(`expression '${expression}' resulted in error: `);
  // Several errors stand in brackets, with commas between.
  const text = error?.split(/, expression '|\]$/, 1)[0];
  return text === undefined ? { ...view, saw: 'not what decided', decided: false } : { ...view, saw: `error: ${text}`, decided: true };
}
