import type { LintRule } from '../rule.js';

/** Side effects make every dry run fail. */
export const sideEffectsForbidDryRun: LintRule = {
  id: 'side-effects-forbid-dry-run',
  severity: 'error',
  reason: 'kubectl diff and --dry-run=server are rejected for everything that its rules match',
  fix: 'set sideEffects to None, or to NoneOnDryRun if the webhook respects request.dryRun',
  check: ({ webhooks }) =>
    webhooks
      .filter(({ sideEffects }) => sideEffects === 'Some' || sideEffects === 'Unknown')
      .map(webhook => ({ about: webhook, at: '/sideEffects', message: `sideEffects is ${webhook.sideEffects}` })),
};
