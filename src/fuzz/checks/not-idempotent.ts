import { changesObject } from '../../suites/checks/entries.js';
import { checkIdempotence } from '../../suites/checks/idempotent.js';
import { checkedCall, hasFailed, isNoAnswer } from './checked-call.js';
import type { CallCheck } from './finding.js';

/** A second review with the webhook's own result that changes it again. */
export const checkIdempotent: CallCheck = async (made, { isNew }) => {
  if (!isNew || hasFailed(made) || !made.report.webhooks.some(changesObject)) return [];
  const { findings } = await checkIdempotence(checkedCall(made));
  return (
    findings
      // A broken connection is a crash, and a late answer slow.
      .filter(({ message }) => !isNoAnswer(message))
      .map(({ webhook, message }) => ({ check: 'not-idempotent', webhook, message }))
  );
};
