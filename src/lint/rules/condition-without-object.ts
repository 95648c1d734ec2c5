import type { ApiServer } from '../../kubernetes/api-server.js';
import type { LintedWebhook, LintRule, RuleProblem } from '../rule.js';

/** A condition reads the object although it may be null. */
export const conditionWithoutObject: LintRule = {
  id: 'condition-without-object',
  severity: 'warning',
  reason: 'object is null on DELETE, oldObject on CREATE and CONNECT: reading a field of null is an error',
  fix: "check the operation first (request.operation == 'DELETE' || ...), or use the object that is set",
  check: async ({ server, webhooks }) => {
    const asking = webhooks.filter(webhook => webhook.matchConditions.length > 0);
    if (asking.length === 0) return [];
    const probes = await import('../probes.js');
    return asking.flatMap(webhook => problemsOf(server, webhook, probes));
  },
};

const absent = { CREATE: 'oldObject', DELETE: 'object', CONNECT: 'oldObject' } as const;

/** A condition that fails because one of the objects is null. */
export interface FailureWithoutObject {
  readonly index: number;
  readonly operation: string;
  readonly missing: 'object' | 'oldObject';
  readonly error: string;
}

/** Returns the first condition of each operation that fails with null, and not in the same way with an object. */
export function failuresWithoutObject(
  server: ApiServer,
  webhook: LintedWebhook,
  { conditionErrors, objectWith, probedOperationsOf }: typeof import('../probes.js'),
): FailureWithoutObject[] {
  const full = objectWith({ labels: {}, annotations: {} });
  return probedOperationsOf(webhook).flatMap(operation => {
    if (operation !== 'CREATE' && operation !== 'DELETE' && operation !== 'CONNECT') return [];
    const missing = absent[operation];
    const both = { operation, object: full, oldObject: full };
    const withBoth = conditionErrors(server, webhook, both);
    const without = conditionErrors(server, webhook, { ...both, [missing]: null });
    const first = without.find(({ index, error }) => !withBoth.some(other => other.index === index && other.error === error));
    return first === undefined ? [] : [{ ...first, operation, missing }];
  });
}

function problemsOf(server: ApiServer, webhook: LintedWebhook, probes: typeof import('../probes.js')): RuleProblem[] {
  return failuresWithoutObject(server, webhook, probes).map(({ index, operation, missing, error }) => {
    const { name = '', expression = '' } = webhook.matchConditions[index] ?? {};
    const message = `the condition ${name} reads ${missing}, which is null on ${operation}: ${error}`;
    const at = `/matchConditions/${index}/expression`;
    return {
      about: webhook,
      at,
      message,
      fix: `write: request.operation == '${operation}' || (${expression.trim()}), or use the object that is set`,
    };
  });
}
