import type { WebhookReport } from '../../apiserver/admission/webhook-report.js';
import { pointerSteps } from '../../encoding/json-pointer.js';
import { readUnstructured } from '../../encoding/unstructured.js';
import { isList, type Value, valueAt } from '../../go/value.js';
import { lazy } from '../../kubernetes/memoize.js';
import { differencesBetween } from './differences.js';

/** The webhooks of one call that explain what is different about its answer. Each function returns the name of a webhook; empty for none. */
export interface WebhooksAtFault {
  /** The last one that changed a field, which is a JSON pointer. */
  readonly ofField: (path: string) => string;
  readonly ofWarning: (text: string) => string;
  /** The one that a refusal names, of the messages of two answers the first that names one. */
  readonly ofMessages: (messages: readonly string[]) => string;
}

/** Returns the webhooks to name, from the reports of a call's webhooks. */
export function webhooksAtFault(reports: readonly WebhookReport[]): WebhooksAtFault {
  const changes = lazy(() => reports.flatMap(changesOf));
  return {
    ofField: path =>
      changes().findLast(({ before, after }) => differencesBetween(at(before, path), at(after, path)).length > 0)?.webhook ?? '',
    ofWarning: text => reports.find(({ warnings }) => warnings.includes(text))?.webhook ?? '',
    ofMessages: messages => messages.map(webhookIn).find(name => name !== '') ?? '',
  };
}

interface Change {
  readonly webhook: string;
  readonly before: Value;
  readonly after: Value;
}

function changesOf({ webhook, change }: WebhookReport): Change[] {
  if (change === undefined || change.before === change.after) return [];
  return [{ webhook, before: readUnstructured(change.before), after: readUnstructured(change.after) }];
}

function at(value: Value, path: string): Value | undefined {
  return pointerSteps(path).reduce<Value | undefined>((within, step) => valueAt(within, isList(within) ? Number(step) : step), value);
}

/** Source: apiserver plugin/pkg/admission/webhook/errors/statuserror.go ToStatusErr, webhook/generic errors of calls. */
function webhookIn(message: string): string {
  return /\b(?:admission webhook|calling webhook) "([^"]+)"/.exec(message)?.[1] ?? '';
}
