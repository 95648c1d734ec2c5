import { stringAt, type ValueMap } from '../go/value.js';
import type { ApiServer } from '../kubernetes/api-server.js';
import { featuresAfter } from './expression-features.js';
import { parseExpression } from './expressions.js';
import { expressionsOf } from './expressions-of.js';
import type { FoundByRule } from './rule.js';

/** Returns a finding for each expression of an object that the API server of Kubernetes v1.MINOR refuses, because it is older than what the expression uses. */
export function newerExpressions(server: ApiServer, object: ValueMap, minor: number): FoundByRule[] {
  return expressionsOf(object).flatMap(({ text, pointer }): FoundByRule[] => {
    const expr = parseExpression(server, text);
    const newer = expr === undefined ? [] : featuresAfter(expr, minor);
    const [newest] = newer;
    if (newest === undefined) return [];
    return [
      {
        finding: {
          rule: 'expression-too-new',
          severity: 'error',
          configuration: stringAt(object, 'metadata', 'name'),
          webhook: '',
          message: `the expression compiles since Kubernetes v1.${newest.since}, not in v1.${minor}: ${newer.map(({ name, since }) => `${name} since v1.${since}`).join(', ')}`,
          reason: 'an API server refuses new expressions with functions that the minor before it does not have',
          fix: `write it without them, or require Kubernetes v1.${newest.since}`,
        },
        place: { object, pointer },
      },
    ];
  });
}
