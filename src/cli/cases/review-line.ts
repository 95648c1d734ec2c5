import { handleCall } from '../../apiserver/handle-call.js';
import { writeValue } from '../../go/json/write.js';
import { toValue } from '../../go/value.js';
import type { CallWebhook } from '../../kubernetes/webhook-call.js';
import { reportDocument } from '../../reports/report-document.js';
import { effectsFor } from '../effects.js';
import type { RecordedCase } from './recorded-case.js';

/** A line of `review --case`: the report in one line, the case's name in front and the exact answer behind. Webhooks are really called. */
export async function reviewLine({ name, call, state }: RecordedCase, callWebhook: CallWebhook): Promise<string> {
  const report = await handleCall(call, state, effectsFor(callWebhook));
  const document = reportDocument({ report, command: undefined, exchanges: [], kubectl: [], findings: [] }, { withExchange: false });
  return writeValue(new Map([['name', name], ...document, ['answer', toValue(report.answer)]]), 'kept');
}
