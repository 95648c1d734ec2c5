import { describe, expect, it } from 'vitest';
import { evaluateMatchConditions } from '../../../src/apiserver/webhooks/match-conditions.js';
import { toValue } from '../../../src/go/value.js';
import { server } from '../../support/server.js';

const object = toValue({ spec: { size: 3, list: [1, 2, 3] } });

function resultOf(...expressions: readonly string[]): unknown {
  const conditions = expressions.map((expression, i) => ({ name: `c${i}`, expression }));
  return evaluateMatchConditions(conditions, { resolve: name => (name === 'object' ? object : undefined) }, { server });
}

const costly = 'lists.range(900000).size() > 0';
const bomb = 'lists.range(1000001).size() > 0';
const outOfBudget = {
  index: undefined,
  error: undefined,
  message: 'validation failed due to running out of cost budget, no further validation rules will be run',
};

function failed(index: number, expression: string, error: string): object {
  return { index, error, message: `expression '${expression}' resulted in error: ${error}` };
}

describe('match conditions', () => {
  it('match when all are true', () => {
    expect(resultOf('object.spec.size == 3', 'true')).toEqual({ outcome: 'matches' });
  });

  it('do not match if one is false, regardless of errors in others', () => {
    const result = resultOf('object.spec.none == 1', 'object.spec.size > 3', '1 / 0 == 1', 'false');
    expect(result).toEqual({ outcome: 'differs', condition: 'c1', index: 1 });
  });

  it('fail with the errors of all that are not true', () => {
    expect(resultOf('object.spec.none == 1', 'true', '1 / 0 == 1')).toEqual({
      outcome: 'failed',
      errors: [failed(0, 'object.spec.none == 1', 'no such key: none'), failed(2, '1 / 0 == 1', 'division by zero')],
    });
  });

  it('fail with the compiler’s message if one does not compile', () => {
    expect(resultOf('object.spec.size')).toEqual({
      outcome: 'failed',
      errors: [{ index: 0, error: undefined, message: 'compilation error: must evaluate to bool but got dyn' }],
    });
  });

  it('stop an expensive condition twice; then the total budget is exhausted', () => {
    expect(resultOf(bomb, bomb)).toEqual({
      outcome: 'failed',
      errors: [0, 1].map(index => failed(index, bomb, 'operation cancelled: actual cost limit exceeded')),
    });
    expect(resultOf(bomb, bomb, bomb)).toEqual({ outcome: 'failed', errors: [outOfBudget] });
  });

  it('share one budget', () => {
    expect(resultOf(costly, costly)).toEqual({ outcome: 'matches' });
    expect(resultOf(costly, costly, costly)).toEqual({ outcome: 'failed', errors: [outOfBudget] });
  });

  it('detect a single call that exceeds the budget', () => {
    expect(resultOf('lists.range(4611686018427387904).size() > 0')).toEqual({ outcome: 'failed', errors: [outOfBudget] });
  });

  it('end when they are interrupted', () => {
    const conditions = [{ name: 'c', expression: 'lists.range(1000).all(x, x >= 0)' }];
    const result = evaluateMatchConditions(conditions, { resolve: () => undefined, interrupted: () => true }, { server });
    expect(result).toEqual({
      outcome: 'failed',
      errors: [failed(0, 'lists.range(1000).all(x, x >= 0)', 'operation interrupted')],
    });
  });
});
