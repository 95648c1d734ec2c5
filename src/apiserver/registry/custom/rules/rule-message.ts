import type { Outcome } from '../../../../cel/evaluate.js';
import { quote } from '../../../../go/quote.js';
import { trimSpace } from '../../../../go/white-space.js';
import type { ValidationRule } from './compiled-rule.js';

/** What a rule is called in messages: its message, or itself. Source: apiextensions-apiserver schema/cel/validation.go ruleErrorString. */
export function ruleName({ rule, message }: ValidationRule): string {
  return trimSpace(message === '' ? rule : message);
}

/** What is said of a rule that does not hold, without a messageExpression. */
export function ruleMessage(rule: ValidationRule): string {
  return rule.message === '' ? `failed rule: ${ruleName(rule)}` : ruleName(rule);
}

/** What a messageExpression came to: a text, nothing that can be used, or the end of all evaluation. */
export type EvaluatedMessage =
  | { readonly outcome: 'text'; readonly text: string }
  | { readonly outcome: 'unusable' }
  | { readonly outcome: 'stopped'; readonly error: string };

/** Source: schema/cel/validation.go evalMessageExpression. */
export function messageOf(outcome: Outcome, expression: string, budget: number): EvaluatedMessage {
  if (outcome.cost > budget)
    return {
      outcome: 'stopped',
      error: 'messageExpression evaluation failed due to running out of cost budget, no further validation rules will be run',
    };
  if (outcome.outcome === 'error') {
    if (!outcome.message.startsWith(overLimit)) return { outcome: 'unusable' };
    const words = 'no further validation rules will be run due to call cost exceeds limit for messageExpression';
    return { outcome: 'stopped', error: `${words}: ${quote(expression)}` };
  }
  const text = typeof outcome.value === 'string' ? trimSpace(outcome.value) : '';
  const isUsable = text !== '' && Buffer.byteLength(text) <= longestMessage && !text.includes('\n');
  return isUsable ? { outcome: 'text', text } : { outcome: 'unusable' };
}

/** How cel-go begins the error of an evaluation that cost too much. */
export const overLimit = 'operation cancelled: actual cost limit exceeded';

const longestMessage = 5 * 1024;
