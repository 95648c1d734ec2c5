import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { matchConditionEnvironment } from '../../src/cel/environment/admission.js';
import { authorizerValue, resourceCheckValue } from '../../src/cel/library/authorizer.js';
import { compileExpression } from '../../src/cel/program/compile.js';
import { evaluate } from '../../src/cel/program/evaluate.js';
import { GoPanic } from '../../src/cel/values/go-panic.js';
import { printed } from '../../src/cel/values/printed.js';
import { typeText } from '../../src/cel/values/type.js';
import { celTypeOf } from '../../src/cel/values/type-of.js';
import type { FoundValue } from '../../src/cel/values/value.js';
import { readUnstructured } from '../../src/encoding/unstructured.js';
import { server } from '../support/server.js';

/** Recorded answer of the API server's own packages: a compilation error, or type, cost, and value or error. */
interface Answer {
  readonly expression: string;
  readonly refused?: string;
  readonly panic?: string;
  readonly type?: string;
  readonly cost?: number;
  readonly value?: string;
  readonly error?: string;
}

const answers = JSON.parse(readFileSync(new URL('answers.json', import.meta.url), 'utf8')) as Record<string, readonly Answer[]>;

const object = readUnstructured(
  '{"metadata":{"name":"w"},"spec":{"size":3,"name":"Wïdget","cpu":"500m","list":[1,2,3],"words":["b","a","b"],' +
    '"flags":{"on":true,"off":false},"items":[{"id":1,"on":true},{"id":2,"on":true,"extra":2},{"id":3,"on":false}]}}',
);
const user = { username: 'alice', uid: 'u-1', groups: ['devs'], extra: new Map() };
const authorizer = {
  authorize: ({ verb }: { readonly verb: string }) => ({ allowed: verb === 'create' || verb === 'get', reason: '', error: undefined }),
};
const parts = {
  group: 'example.com',
  resource: 'widgets',
  subresource: '',
  namespace: 'team',
  name: 'w',
  fieldSelector: '',
  labelSelector: '',
};
const variables = new Map<string, FoundValue>([
  ['object', object],
  ['oldObject', null],
  ['authorizer', authorizerValue(user, authorizer)],
  ['authorizer.requestResource', resourceCheckValue({ user, authorizer }, parts)],
]);

describe.each(Object.entries(answers))('CEL answers recorded from the API server: %s', (_, rows) => {
  it.each(rows.map(row => [row.expression, row] as const))('%s', (expression, row) => {
    expect(answerTo(expression)).toEqual(row);
  });
});

it('has recorded answers for every part of the language', () => {
  expect(Object.fromEntries(Object.entries(answers).map(([part, rows]) => [part, rows.length]))).toEqual({
    syntax: 38,
    types: 37,
    operators: 52,
    conversions: 30,
    strings: 28,
    macros: 20,
    optionals: 19,
    lists: 20,
    time: 13,
    kubernetes: 30,
    costs: 15,
  });
});

function answerTo(expression: string): Answer {
  try {
    const compilation = compileExpression(expression, matchConditionEnvironment(server));
    if (compilation.outcome === 'failed') return { expression, refused: compilation.error.detail };
    const { program } = compilation;
    const outcome = evaluate(program, { resolve: name => variables.get(name) });
    const told = { expression, type: typeText(program.type), cost: outcome.cost };
    if (outcome.outcome === 'error') return { ...told, error: outcome.message };
    return { ...told, value: `${celTypeOf(outcome.value).name} ${printed(outcome.value)}` };
  } catch (error) {
    if (error instanceof GoPanic) return { expression, panic: error.message };
    throw error;
  }
}
