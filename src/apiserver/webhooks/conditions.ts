import { forbidden } from '../../kubernetes/status-errors.js';
import type { Attributes } from '../admission/attributes.js';
import type { AdmissionContext } from '../admission/chain.js';
import { aggregate } from '../admission/name-in-refusal.js';
import type { SkipReason } from '../admission/webhook-report.js';
import type { VersionedObjects } from './invoke.js';
import { ownerOf } from './observed.js';
import type { Invocation } from './select.js';
import { refusingEntry } from './webhook-entry.js';

/**
 * Do the webhook's match conditions let it be called? Undefined when they do, else why not; throws the refusal when one
 * errors and the policy is Fail, with an entry in the report. Source: apiserver plugin/webhook/generic/webhook.go ShouldCallHook.
 */
export async function conditionsAllow(
  invocation: Invocation,
  objects: VersionedObjects,
  attributes: Attributes,
  context: AdmissionContext,
): Promise<SkipReason | undefined> {
  const { matchConditions, failurePolicy } = invocation.webhook;
  if (matchConditions.length === 0) return undefined;
  // Nothing of the expressions is loaded while there are none.
  const { evaluateMatchConditions } = await import('./match-conditions.js');
  const { conditionVariables } = await import('./condition-variables.js');
  const { observer } = context.effects;
  const owner = ownerOf(invocation.webhook);
  const verdict = evaluateMatchConditions(matchConditions, conditionVariables({ invocation, objects, attributes }, context), {
    observe: observer && ((name, value) => observer.reach({ owner, part: `condition ${name}` }, value)),
  });
  if (verdict.outcome === 'matches') return undefined;
  if (verdict.outcome === 'differs') {
    const conditions = [{ index: verdict.index, error: undefined }];
    return { predicate: 'matchConditions', detail: `condition ${verdict.condition} is false`, conditions };
  }
  const reason = aggregate(verdict.errors.map(({ message }) => message));
  const conditions = verdict.errors.flatMap(({ index, error }) => (index === undefined || error === undefined ? [] : [{ index, error }]));
  const failed: SkipReason = { predicate: 'matchConditions', detail: reason, conditions };
  if (failurePolicy === 'Ignore') return failed;
  const round = invocation.webhook.phase === 'mutating' && context.reinvocation.isReinvoke ? 1 : 0;
  context.record.decidedBy = context.record.webhooks.push(refusingEntry(invocation.webhook, attributes, { round, reason: failed })) - 1;
  throw forbidden(attributes.resource, attributes.name, reason);
}
