import { checkSideEffects } from '../../suites/checks/side-effects.js';
import { checkedCall, hasFailed, isNoAnswer } from './checked-call.js';
import type { CallCheck } from './finding.js';

/** Another decision or patch when only `dryRun` differs. A configuration that refuses dry runs is not a bug. */
export const checkDryRun: CallCheck = async (made, { isNew }) => {
  if (!isNew || hasFailed(made)) return [];
  const { findings } = await checkSideEffects(checkedCall(made));
  return (
    findings
      // A broken connection is a crash, and a late answer slow. Warnings may be about dry runs.
      .filter(({ message }) => !message.startsWith('has sideEffects') && !isNoAnswer(message) && !aboutWarnings.test(message))
      .map(({ webhook, message }) => ({ check: 'dry-run', webhook, message }))
  );
};

const aboutWarnings = /^answers a dry run differently: (?:warnings|auditAnnotations)\b/;
