import { describe, expect, it } from 'vitest';
import { evaluateMatchConditions } from '../../../src/apiserver/webhooks/match-conditions.js';
import { toValue } from '../../../src/go/value.js';

const object = toValue({ spec: { size: 3, list: [1, 2, 3] } });

function verdictOf(...expressions: readonly string[]): unknown {
  const conditions = expressions.map((expression, i) => ({ name: `c${i}`, expression }));
  return evaluateMatchConditions(conditions, { resolve: name => (name === 'object' ? object : undefined) });
}

const costly = 'lists.range(900000).size() > 0';
const bomb = 'lists.range(1000001).size() > 0';
const limitError = `expression '${bomb}' resulted in error: operation cancelled: actual cost limit exceeded`;
const outOfBudget = 'validation failed due to running out of cost budget, no further validation rules will be run';

describe('match conditions', () => {
  it('match when all are true', () => {
    expect(verdictOf('object.spec.size == 3', 'true')).toEqual({ outcome: 'matches' });
  });

  it('differ at the first that is false, whatever errors there are before and after it', () => {
    const verdict = verdictOf('object.spec.none == 1', 'object.spec.size > 3', '1 / 0 == 1', 'false');
    expect(verdict).toEqual({ outcome: 'differs', condition: 'c1' });
  });

  it('fail with the errors of all that are not true', () => {
    expect(verdictOf('object.spec.none == 1', 'true', '1 / 0 == 1')).toEqual({
      outcome: 'failed',
      errors: [
        "expression 'object.spec.none == 1' resulted in error: no such key: none",
        "expression '1 / 0 == 1' resulted in error: division by zero",
      ],
    });
  });

  it('fail with the compiler’s words where one does not compile', () => {
    expect(verdictOf('object.spec.size')).toEqual({
      outcome: 'failed',
      errors: ['compilation error: must evaluate to bool but got dyn'],
    });
  });

  it('stop one that costs too much, twice; the third time the budget of all is spent', () => {
    expect(verdictOf(bomb, bomb)).toEqual({ outcome: 'failed', errors: [limitError, limitError] });
    expect(verdictOf(bomb, bomb, bomb)).toEqual({ outcome: 'failed', errors: [outOfBudget] });
  });

  it('share one budget', () => {
    expect(verdictOf(costly, costly)).toEqual({ outcome: 'matches' });
    expect(verdictOf(costly, costly, costly)).toEqual({ outcome: 'failed', errors: [outOfBudget] });
  });

  it('know a single call that costs more than the budget', () => {
    expect(verdictOf('lists.range(4611686018427387904).size() > 0')).toEqual({ outcome: 'failed', errors: [outOfBudget] });
  });

  it('end when they are interrupted', () => {
    const conditions = [{ name: 'c', expression: 'lists.range(1000).all(x, x >= 0)' }];
    const verdict = evaluateMatchConditions(conditions, { resolve: () => undefined, interrupted: () => true });
    expect(verdict).toEqual({
      outcome: 'failed',
      errors: ["expression 'lists.range(1000).all(x, x >= 0)' resulted in error: operation interrupted"],
    });
  });
});
