import { expect, it } from 'vitest';
import { matchConditionEnvironment } from '../../src/cel/environment/admission.js';
import { compileExpression } from '../../src/cel/program/compile.js';
import { evaluate, perCallLimit } from '../../src/cel/program/evaluate.js';
import { printed } from '../../src/cel/values/printed.js';
import { readUnstructured } from '../../src/encoding/unstructured.js';
import { randomFrom } from '../differential/random.js';
import { randomExpression } from '../differential/random-expression.js';
import { server } from '../support/server.js';

const object = readUnstructured('{"spec":{"size":3,"name":"w","list":[1,2,3],"nothing":null}}');

/** A compilation error, an evaluation error, or a value with its cost. */
function told(expression: string): string {
  const compilation = compileExpression(expression, matchConditionEnvironment(server));
  if (compilation.outcome === 'failed') return compilation.error.detail;
  const outcome = evaluate(compilation.program, { resolve: name => (name === 'object' ? object : null) });
  if (outcome.outcome === 'error') return `error: ${outcome.message}`;
  expect(outcome.cost).toBeLessThanOrEqual(perCallLimit);
  return `${printed(outcome.value)} at ${outcome.cost}`;
}

it('compiles and evaluates random expressions deterministically', () => {
  const random = randomFrom(20);
  const expressions = Array.from({ length: 400 }, () => randomExpression(random));
  const answers = expressions.map(told);
  expect(expressions.map(told)).toEqual(answers);
  const [refused, failed] = [/^(compilation|program instantiation) failed: /, /^error: ./];
  const counts = [refused, failed].map(kind => answers.filter(answer => kind.test(answer)).length);
  // The generator must produce all three.
  expect(Math.min(...counts, answers.length - (counts[0] ?? 0) - (counts[1] ?? 0))).toBeGreaterThan(20);
});
