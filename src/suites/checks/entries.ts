import type { WebhookReport } from '../../apiserver/admission/webhook-report.js';
import { stringAt } from '../../go/value.js';

/** What a refusing webhook said, without the API server's words around it. */
export function denialOf({ status }: WebhookReport): string {
  return (status?.message ?? '').replace(/^admission webhook "[^"]*" denied the request:? ?/, '') || 'without explanation';
}

/** The operations of a patch in few words: `add /spec/containers/-`. */
export function operationWords({ patch }: WebhookReport): string[] {
  return patch.map(operation => `${stringAt(operation, 'op')} ${stringAt(operation, 'path')}`);
}

/** Did the patch leave another object behind? One that changes nothing is as good as none. */
export function changesObject({ change }: WebhookReport): boolean {
  return change !== undefined && change.before !== change.after;
}
