import type { CheckedCall } from '../../suites/checks/checked-call.js';
import type { MadeCall } from '../pipeline/pipeline.js';

/** Returns the call for the checks of `review`. */
export function checkedCall({ call, state, report, exchanges, again, send }: MadeCall): CheckedCall {
  return { call, state, report, exchanges, again, send };
}

/** Reports whether a webhook failed: then other differences say nothing. */
export function hasFailed({ report }: MadeCall): boolean {
  return report.webhooks.some(({ failure }) => failure !== undefined);
}

/** Reports whether the message of a check is about a further review that got no answer. */
export function isNoAnswer(message: string): boolean {
  return /failed to call webhook: Post /.test(message);
}
