import type { WebhookReport } from '../../apiserver/admission/webhook-report.js';
import { type Webhook, webhooksOf } from '../../apiserver/webhooks/webhook.js';
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
      saw: `labels ${labelsText(objectLabels(entry, state, body))}`,
    },
    { predicate: 'rules', wants: rulesText(webhook), saw: subjectText(entry, namespace) },
    ...webhook.matchConditions.map(({ name, expression }) => ({
      predicate: 'matchConditions',
      wants: `${name}: ${expression.trim()}`,
      saw: conditionText(entry),
    })),
  ];
  return views.map(view => ({ ...view, decided: entry.skipReason?.predicate === view.predicate }));
}

function selectorText(value: Value): string {
  try {
    const selector = selectorOf(value);
    return selector.matches === 'everything' ? 'anything' : printSelector(selector);
  } catch (error) {
    if (error instanceof SelectorError) return `cannot be read: ${error.message}`;
    throw error;
  }
}

/** The Namespace that counts: the object itself when one is created or updated. */
function namespaceText(entry: WebhookReport, state: ClusterState, body: Value | undefined): string {
  const { namespace, resource, subResource, operation } = entry.attributes;
  const isNamespaces = resource.resource === 'namespaces';
  if (namespace === '' && !isNamespaces) return 'not asked: the object lives in no namespace';
  const isOwn = isNamespaces && subResource === '' && (operation === 'CREATE' || operation === 'UPDATE');
  const found = isOwn ? (body ?? sentObject(entry)) : storageOf(state).find({ group: '', kind: 'Namespace' }, '', namespace);
  const implied: Labels = new Map([['kubernetes.io/metadata.name', namespace]]);
  const labels = found === undefined || (isOwn && labelsOf(found).size === 0) ? implied : labelsOf(found);
  return `namespace ${namespace} has ${labelsText(labels)}`;
}

function objectLabels(entry: WebhookReport, state: ClusterState, body: Value | undefined): Labels {
  const { kind, namespace, name } = entry.attributes;
  return labelsOf(sentObject(entry) ?? body ?? storageOf(state).find(kind, namespace, name));
}

/** The object as the webhook got it; of a deletion the old one. */
function sentObject({ requestBody }: WebhookReport): Value | undefined {
  if (requestBody === undefined) return undefined;
  const request = valueAt(readUnstructured(requestBody), 'request');
  const object = valueAt(request, 'object');
  return isMap(object) ? object : valueAt(request, 'oldObject');
}

function labelsText(labels: Labels): string {
  return labels.size === 0 ? '(none)' : [...labels].map(([key, value]) => `${key}=${value}`).join(',');
}

function rulesText({ rules, matchPolicy }: Webhook): string {
  if (rules.length === 0) return 'no rules: it never matches';
  const texts = rules.map(({ operations, apiGroups, apiVersions, resources, scope }) => {
    const groups = apiGroups.map(group => (group === '' ? 'core' : group));
    const scoped = scope === '*' ? '' : ` (${scope})`;
    return `${operations.join('|')} ${resources.join('|')} of ${groups.join('|')} ${apiVersions.join('|')}${scoped}`;
  });
  return `${texts.join('; ')} [${matchPolicy}]`;
}

function subjectText({ attributes }: WebhookReport, namespace: string): string {
  const { operation, resource, subResource } = attributes;
  const name = subResource === '' ? resource.resource : `${resource.resource}/${subResource}`;
  const group = resource.group === '' ? 'core' : resource.group;
  return `${operation} ${name} of ${group} ${resource.version}${namespace === '' ? ', in no namespace' : ''}`;
}

function conditionText({ outcome, skipReason }: WebhookReport): string {
  if (skipReason === undefined) return outcome === 'skipped' ? 'not asked' : 'true';
  return skipReason.predicate === 'matchConditions' ? skipReason.detail : 'not asked';
}
