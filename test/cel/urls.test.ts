import { expect, it } from 'vitest';
import { matchConditionEnvironment } from '../../src/cel/environment/admission.js';
import { compileExpression } from '../../src/cel/program/compile.js';
import { evaluate } from '../../src/cel/program/evaluate.js';
import { server } from '../support/server.js';

it.each([
  ["url('https://h/x y%AF').getEscapedPath() == '/x%20y%AF'", true],
  ["url('https://h/x%20y%AF').getEscapedPath() == '/x%20y%AF'", true],
  ["url('https://h/%C3%A9 ').getEscapedPath() == '/%C3%A9%20'", true],
])('keeps bytes of a path that are not UTF-8: %s', (expression, value) => {
  const compilation = compileExpression(expression, matchConditionEnvironment(server));
  if (compilation.outcome === 'failed') throw new Error(compilation.error.detail);
  expect(evaluate(compilation.program, { resolve: () => undefined })).toMatchObject({ value });
});
