import type { ApiServer } from '../../kubernetes/api-server.js';
import type { LintedWebhook, LintRule, Problem } from '../rule.js';

/** A condition reads members that objects and requests may lack. */
export const conditionCanFail: LintRule = {
  id: 'condition-can-fail',
  severity: 'warning',
  reason: 'reading a missing key is an error: it rejects the request with failurePolicy Fail, and skips the webhook with Ignore',
  fix: 'check with has(...) or `in` first, or use optional selection: object.metadata.?labels',
  check: async ({ server, webhooks }) => {
    const asking = webhooks.filter(webhook => webhook.matchConditions.length > 0);
    if (asking.length === 0) return [];
    const probes = await import('../probes.js');
    return asking.flatMap(webhook => problemsOf(server, webhook, probes));
  },
};

/** Objects without labels and annotations, and with others than those in the condition. */
const samples = [{}, { labels: { probe: '' }, annotations: { probe: '' } }];

/** Optional members of objects, and of requests without a subresource. */
const optional: ReadonlySet<string> = new Set([
  ...['labels', 'annotations', 'ownerReferences', 'finalizers', 'generateName', 'deletionTimestamp'],
  ...['subResource', 'requestSubResource', 'extra'],
]);

function problemsOf(
  server: ApiServer,
  webhook: LintedWebhook,
  { conditionErrors, objectWith, operationsOf }: typeof import('../probes.js'),
): Problem[] {
  const found = new Map<number, Problem>();
  for (const operation of operationsOf(webhook)) {
    for (const sample of samples) {
      const probe = objectWith(sample);
      const [object, oldObject] = [operation === 'DELETE' ? null : probe, operation === 'UPDATE' || operation === 'DELETE' ? probe : null];
      for (const { index, error } of conditionErrors(server, webhook, { operation, object, oldObject })) {
        const { name, expression } = webhook.matchConditions[index] ?? { name: '', expression: '' };
        const key = /^no such key: (.*)$/s.exec(error)?.[1] ?? '';
        if (found.has(index) || !(optional.has(key) || isEntry(expression, key))) continue;
        const message = `the condition ${name} reads ${key}, which may be missing, on ${operation}: ${error}`;
        found.set(index, { about: webhook, at: `/matchConditions/${index}/expression`, message });
      }
    }
  }
  return [...found.values()];
}

/** Returns whether a key is read from labels or annotations. */
function isEntry(expression: string, key: string): boolean {
  return ['labels', 'annotations'].some(
    map => expression.includes(`${map}.${key}`) || expression.includes(`${map}['${key}']`) || expression.includes(`${map}["${key}"]`),
  );
}
