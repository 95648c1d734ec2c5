import { apiVersionOf } from '../../kubernetes/group-version.js';
import { forbidden } from '../../kubernetes/status-errors.js';
import type { Attributes } from '../admission/attributes.js';
import type { AdmissionContext } from '../admission/chain.js';
import { aggregate } from '../admission/name-in-refusal.js';
import { whenAnswered } from '../admission/pending-answer.js';
import type { SkipReason } from '../admission/webhook-report.js';
import type { WebhookInvocation } from './select.js';
import type { VersionedObjects } from './versioned-request.js';
import { ownerOfWebhook } from './webhook.js';
import { refusingEntry } from './webhook-entry.js';

/**
 * Evaluates the webhook's match conditions. Returns undefined when it is to be called, else the reason; throws the refusal when a condition
 * fails and the policy is Fail, with an entry in the report. Source: apiserver plugin/webhook/generic/webhook.go ShouldCallHook.
 */
export async function checkMatchConditions(
  invocation: WebhookInvocation,
  objects: VersionedObjects,
  attributes: Attributes,
  context: AdmissionContext,
): Promise<SkipReason | undefined> {
  const { matchConditions, failurePolicy } = invocation.webhook;
  if (matchConditions.length === 0) return undefined;
  if (context.effects.unknownVersions?.has(apiVersionOf(invocation.kind)) === true) return undefined;
  // The expression evaluator is loaded only when there are conditions.
  const { evaluateMatchConditions } = await import('./match-conditions.js');
  const { conditionVariables } = await import('./condition-variables.js');
  const { observer } = context.effects;
  const owner = ownerOfWebhook(invocation.webhook);
  const observe = observer && ((name: string, value: boolean) => observer.reach({ owner, part: `condition ${name}` }, value));
  const result = await whenAnswered(() =>
    evaluateMatchConditions(matchConditions, conditionVariables({ invocation, objects, attributes }, context), {
      server: context.server,
      observe,
    }),
  );
  if (result.outcome === 'matches') return undefined;
  if (result.outcome === 'differs') {
    const conditions = [{ index: result.index, error: undefined }];
    return { predicate: 'matchConditions', detail: `condition ${result.condition} is false`, conditions };
  }
  const reason = aggregate(result.errors.map(({ message }) => message));
  const conditions = result.errors.flatMap(({ index, error }) => (index === undefined || error === undefined ? [] : [{ index, error }]));
  const failed: SkipReason = { predicate: 'matchConditions', detail: reason, conditions };
  if (failurePolicy === 'Ignore') return failed;
  const round = invocation.webhook.phase === 'mutating' && context.reinvocation.isReinvoke ? 1 : 0;
  context.record.decidedBy = context.record.webhooks.push(refusingEntry(invocation.webhook, attributes, { round, reason: failed })) - 1;
  throw forbidden(attributes.resource, attributes.name, reason);
}
