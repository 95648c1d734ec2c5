import type { LintRule } from '../rule.js';

/** An object that is guarded against changes, but not against being deleted and made anew. */
export const missingDelete: LintRule = {
  id: 'missing-delete',
  severity: 'info',
  reason: 'what may not be changed may still be deleted',
  fix: 'add DELETE to the operations if the webhook protects what exists',
  check: ({ webhooks }) =>
    webhooks
      .filter(webhook => {
        const operations = new Set(webhook.rules.flatMap(rule => rule.operations));
        return (
          webhook.phase === 'validating' &&
          operations.has('UPDATE') &&
          !operations.has('CREATE') &&
          !operations.has('DELETE') &&
          !operations.has('*')
        );
      })
      .map(webhook => ({
        about: webhook,
        at: `/rules/${webhook.rules.findIndex(rule => rule.operations.includes('UPDATE'))}/operations`,
        message: 'it is asked about UPDATE, but not about DELETE',
      })),
};
