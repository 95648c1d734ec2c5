import type { ApiServer } from '../../kubernetes/api-server.js';
import type { LintedWebhook, LintRule, Problem } from '../rule.js';

/** A condition reads the object although it may be null. */
export const conditionWithoutObject: LintRule = {
  id: 'condition-without-object',
  severity: 'warning',
  reason:
    'object is null on DELETE, oldObject on CREATE and CONNECT: reading a field of null is an error, which rejects the request or skips the webhook, depending on the failurePolicy',
  fix: "check the operation first (request.operation == 'DELETE' || ...), or use the object that is set",
  check: async ({ server, webhooks }) => {
    const asking = webhooks.filter(webhook => webhook.matchConditions.length > 0);
    if (asking.length === 0) return [];
    const probes = await import('../probes.js');
    return asking.flatMap(webhook => problemsOf(server, webhook, probes));
  },
};

const absent = { CREATE: 'oldObject', DELETE: 'object', CONNECT: 'oldObject' } as const;

/** Returns the conditions that fail with null, and not in the same way with an object. */
function problemsOf(
  server: ApiServer,
  webhook: LintedWebhook,
  { conditionErrors, objectWith, operationsOf }: typeof import('../probes.js'),
): Problem[] {
  const full = objectWith({ labels: {}, annotations: {} });
  return operationsOf(webhook).flatMap(operation => {
    if (operation !== 'CREATE' && operation !== 'DELETE' && operation !== 'CONNECT') return [];
    const missing = absent[operation];
    const both = { operation, object: full, oldObject: full };
    const withBoth = conditionErrors(server, webhook, both);
    const without = conditionErrors(server, webhook, { ...both, [missing]: null });
    const first = without.find(({ index, error }) => !withBoth.some(other => other.index === index && other.error === error));
    if (first === undefined) return [];
    const name = webhook.matchConditions[first.index]?.name ?? '';
    return [
      {
        about: webhook,
        at: `/matchConditions/${first.index}/expression`,
        message: `the condition ${name} reads ${missing}, which is null on ${operation}: ${first.error}`,
      },
    ];
  });
}
