import type { WebhookReport } from '../../apiserver/admission/webhook-report.js';
import { stringAt } from '../../go/value.js';

/** The message of a webhook that refused, without the API server's prefix. */
export function denialOf({ status }: WebhookReport): string {
  return (status?.message ?? '').replace(/^admission webhook "[^"]*" denied the request:? ?/, '') || 'without explanation';
}

/** The operations of a patch in short form: `add /spec/containers/-`. */
export function operationWords({ patch }: WebhookReport): string[] {
  return patch.map(operation => `${stringAt(operation, 'op')} ${stringAt(operation, 'path')}`);
}

/** Reports whether the patch changed the object. A patch without effect is ignored. */
export function changesObject({ change }: WebhookReport): boolean {
  return change !== undefined && change.before !== change.after;
}
