import { asksAboutPods } from '../reach.js';
import type { LintRule } from '../rule.js';

/** What the API server gives one request, in seconds. */
const deadlineSeconds = 34;

/** Mutating webhooks for pods that may together take longer than the request has. */
export const timeoutsPastDeadline: LintRule = {
  id: 'timeouts-past-deadline',
  severity: 'warning',
  reason:
    'mutating webhooks are called one after another: when several hang, the request ends before their timeouts, whatever their failurePolicy',
  fix: 'give them shorter timeouts: what answers at all answers within a few seconds',
  check: ({ webhooks }) => {
    const asked = webhooks.filter(webhook => webhook.phase === 'mutating' && asksAboutPods(webhook, 'CREATE'));
    let seconds = 0;
    return asked.flatMap(webhook => {
      const before = seconds;
      seconds += webhook.timeoutSeconds;
      return before <= deadlineSeconds && seconds > deadlineSeconds
        ? [
            {
              about: webhook,
              at: '/timeoutSeconds',
              message: `with it, the timeouts of the mutating webhooks for pods add up to ${seconds} s; a request has ${deadlineSeconds} s`,
            },
          ]
        : [];
    });
  },
};
