import { describe, expect, it } from 'vitest';
import { compiledCondition } from '../../src/cel/compiled-condition.js';
import { evaluate } from '../../src/cel/program/evaluate.js';
import { evaluatedExpression } from '../../src/cel/subexpressions.js';
import { apiServers } from '../../src/cli/work/api-servers/api-servers.js';
import { toValue } from '../../src/go/value.js';
import type { EvaluatedExpression } from '../../src/kubernetes/evaluated-expression.js';

const object = toValue({ metadata: { name: 'web', labels: { app: 'a' } }, spec: { replicas: 3, ports: [80, 443] } });

function partsOf(expression: string): string[] {
  const compilation = compiledCondition(apiServers(), expression);
  if (compilation.outcome === 'failed') throw new Error(compilation.error.detail);
  const found: EvaluatedExpression[] = [];
  evaluate(compilation.program, {
    resolve: name => (name === 'object' ? object : undefined),
    evaluated: (program, values) => found.push(evaluatedExpression(program, values)),
  });
  return found.flatMap(({ parts }) => parts.map(({ text, value, depth }) => `${' '.repeat(depth)}${text} = ${value}`));
}

describe('the parts of an expression have the values of its evaluation', () => {
  it.each([
    ['object.spec.replicas > 2', ['object.spec.replicas > 2 = true', ' object.spec.replicas = 3']],
    [
      '"x" in object.metadata.labels || object.metadata.name == "web"',
      [
        '("x" in object.metadata.labels) || (object.metadata.name == "web") = true',
        ' "x" in object.metadata.labels = false',
        '  object.metadata.labels = {app: a}',
        ' object.metadata.name == "web" = true',
        '  object.metadata.name = "web"',
      ],
    ],
    [
      'has(object.spec.replicas) && object.spec.ports.all(p, p < 100)',
      [
        'has(object.spec.replicas) && object.spec.ports.all(p, p < 100) = false',
        ' has(object.spec.replicas) = true',
        ' object.spec.ports.all(p, p < 100) = false',
        '  object.spec.ports = [80, 443]',
        '  p < 100 = false',
      ],
    ],
    [
      'object.spec.ports[0] + 1 == 81 ? !(1 == 2) : false',
      [
        '((object.spec.ports[0] + 1) == 81) ? !(1 == 2) : false = true',
        ' (object.spec.ports[0] + 1) == 81 = true',
        '  object.spec.ports[0] + 1 = 81',
        '   object.spec.ports[0] = 80',
        '    object.spec.ports = [80, 443]',
        ' !(1 == 2) = true',
        '  1 == 2 = false',
      ],
    ],
    [
      'object.spec.missing == 1',
      [
        'object.spec.missing == 1 = error: no such key: missing',
        ' object.spec.missing = error: no such key: missing',
        '  object.spec = {replicas: 3, ports: [80, 443]}',
      ],
    ],
    [
      'object.spec.ports.filter(p, p > 80).map(p, p * 2) == [886] && object.spec.ports.exists_one(p, p == 80)',
      [
        '(object.spec.ports.filter(p, p > 80).map(p, p * 2) == [886]) && object.spec.ports.exists_one(p, p == 80) = true',
        ' object.spec.ports.filter(p, p > 80).map(p, p * 2) == [886] = true',
        '  object.spec.ports.filter(p, p > 80).map(p, p * 2) = [886]',
        '   object.spec.ports.filter(p, p > 80) = [443]',
        '    object.spec.ports = [80, 443]',
        '    p > 80 = true',
        '   p * 2 = 886',
        ' object.spec.ports.exists_one(p, p == 80) = true',
        '  object.spec.ports = [80, 443]',
        '  p == 80 = false',
      ],
    ],
    [
      'object.spec.ports.map(p, p > 80, p + 1).exists(p, p == 444)',
      [
        'object.spec.ports.map(p, p > 80, p + 1).exists(p, p == 444) = true',
        ' object.spec.ports.map(p, p > 80, p + 1) = [444]',
        '  object.spec.ports = [80, 443]',
        '  p > 80 = true',
        '  p + 1 = 444',
        ' p == 444 = true',
      ],
    ],
  ])('%s', (expression, parts) => {
    expect(partsOf(expression)).toEqual(parts);
  });
});
