import type { EvaluationOutcome } from '../../../../cel/program/evaluate.js';
import { quote } from '../../../../go/quote.js';
import { trimSpace } from '../../../../go/white-space.js';
import type { CompiledValidationRule } from './compiled-rule.js';

/**
 * Returns the rule's name in messages: its message, or its expression. Source: apiextensions-apiserver schema/cel/validation.go
 * ruleErrorString.
 */
export function ruleName({ rule, message }: CompiledValidationRule): string {
  return trimSpace(message === '' ? rule : message);
}

/** Returns the message of a failed rule without a messageExpression. */
export function ruleMessage(rule: CompiledValidationRule): string {
  return rule.message === '' ? `failed rule: ${ruleName(rule)}` : ruleName(rule);
}

/** Result of a messageExpression: a text, no usable text, or an abort of all evaluation. */
export type EvaluatedMessage =
  | { readonly outcome: 'text'; readonly text: string }
  | { readonly outcome: 'unusable' }
  | { readonly outcome: 'stopped'; readonly error: string };

/** Source: schema/cel/validation.go evalMessageExpression. */
export function messageOfRule(outcome: EvaluationOutcome, expression: string, budget: number): EvaluatedMessage {
  if (outcome.cost > budget)
    return {
      outcome: 'stopped',
      error: 'messageExpression evaluation failed due to running out of cost budget, no further validation rules will be run',
    };
  if (outcome.outcome === 'error') {
    if (!outcome.message.startsWith(overLimit)) return { outcome: 'unusable' };
    const message = 'no further validation rules will be run due to call cost exceeds limit for messageExpression';
    return { outcome: 'stopped', error: `${message}: ${quote(expression)}` };
  }
  const text = typeof outcome.value === 'string' ? trimSpace(outcome.value) : '';
  const isUsable = text !== '' && Buffer.byteLength(text) <= longestMessage && !text.includes('\n');
  return isUsable ? { outcome: 'text', text } : { outcome: 'unusable' };
}

/** Start of cel-go's error for an evaluation over the cost limit. */
export const overLimit = 'operation cancelled: actual cost limit exceeded';

const longestMessage = 5 * 1024;
