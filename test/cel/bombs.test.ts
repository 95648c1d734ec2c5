import { describe, expect, it } from 'vitest';
import { matchConditionEnvironment } from '../../src/cel/environment/admission.js';
import { compileExpression } from '../../src/cel/program/compile.js';
import { evaluate } from '../../src/cel/program/evaluate.js';
import { printed } from '../../src/cel/values/printed.js';
import { server } from '../support/server.js';

/** The first line of an error, or the value. */
function told(expression: string): string {
  const compilation = compileExpression(expression, matchConditionEnvironment(server));
  if (compilation.outcome === 'failed') return compilation.error.detail.split('\n', 1)[0] ?? '';
  const outcome = evaluate(compilation.program, { resolve: () => undefined });
  return outcome.outcome === 'error' ? outcome.message : printed(outcome.value);
}

const costLimit = 'operation cancelled: actual cost limit exceeded';

describe('an expression that would exceed time or memory limits', () => {
  it.each([
    ['loops in loops', 'lists.range(10000).all(x, lists.range(10000).all(y, x + y >= 0))', costLimit],
    ['a list that cannot be made', 'lists.range(4611686018427387904).size() == 0', costLimit],
    ['all elements compared with all', 'sets.contains(lists.range(300000), lists.range(300000))', costLimit],
    ['texts that double', `['${'a'.repeat(1000)}'].map(a, ${doubled('a', 24)}).size() == 1`, costLimit],
    ['deep parentheses', `${'('.repeat(5000)}1${')'.repeat(5000)} == 1`, /expression recursion limit exceeded: 250$/],
    ['a long chain', `${'1 + '.repeat(20000)}1 == 1`, /max recursion depth exceeded$/],
    ['members of members', `object${'.a'.repeat(250)} == 1`, /max recursion depth exceeded$/],
    ['the longest chain of members', `object${'.a'.repeat(49_990)} == 1`, /max recursion depth exceeded$/],
    ['the longest chain of indexes', `object${'[0]'.repeat(33_300)} == 1`, /max recursion depth exceeded$/],
    ['the longest chain of calls', `object${'.a()'.repeat(24_900)} == 1`, /max recursion depth exceeded$/],
    [
      'more characters than an expression may have',
      `object${'.a'.repeat(50_000)}`,
      /code point size exceeds limit: size: 100006, limit 100000$/,
    ],
  ])('fails with the API server’s error: %s', (_, expression, words) => {
    expect(told(expression)).toMatch(words);
  });

  it.each([
    ['a pattern that backtracking engines never finish', `'${'a'.repeat(5000)}'.matches('(a*)*b')`, 'false'],
    ['a pattern beyond what RE2 repeats', `'a'.matches('((a{1,30}){1,30}){1,30}')`, /invalid matches argument$/],
  ])('applies RE2’s limits to patterns: %s', (_, expression, words) => {
    expect(told(expression)).toMatch(words);
  });
});

/** Repeats `a` in an expression whose value is 2^times as long. */
function doubled(name: string, times: number): string {
  let text = name;
  for (let i = 0; i < times; i += 1) text = `[${text}].map(x${i}, x${i} + x${i})[0]`;
  return text;
}
