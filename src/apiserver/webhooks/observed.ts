import { type RuleObserver, ruleText } from '../../kubernetes/rule-part.js';
import type { Webhook } from './webhook.js';

/** Name of a webhook in coverage. */
export function ownerOf({ phase, configuration, name }: Pick<Webhook, 'phase' | 'configuration' | 'name'>): string {
  return `${phase === 'mutating' ? 'Mutating' : 'Validating'}WebhookConfiguration ${configuration}, webhook ${name}`;
}

/** Declares the rules and match conditions of a webhook that a call meets. */
export function declareWebhook(webhook: Webhook, { declare }: RuleObserver): void {
  const owner = ownerOf(webhook);
  for (const [i, rule] of webhook.rules.entries()) declare({ owner, part: `rule ${i + 1}`, text: ruleText(rule) });
  for (const { name, expression } of webhook.matchConditions) declare({ owner, part: `condition ${name}`, text: expression.trim() });
}
