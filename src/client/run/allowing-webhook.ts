import { readUnstructured } from '../../encoding/unstructured.js';
import { writeValue } from '../../go/json/write.js';
import { isMap, listAt, stringAt, type ValueMap, valueAt } from '../../go/value.js';
import type { CallWebhook, WebhookAnswer, WebhookCall } from '../../kubernetes/webhook-call.js';

/** Allows every review, and answers every conversion as if there were nothing to convert, without sending it. */
export const allowWithoutSending: CallWebhook = async call => (call.phase === 'conversion' ? renamingAnswer(call) : allowingAnswer(call));

/** Returns the answer of a webhook that allows a review. */
export function allowingAnswer({ apiVersion, uid }: Pick<WebhookCall, 'apiVersion' | 'uid'>): WebhookAnswer {
  return jsonAnswer(`{"kind":"AdmissionReview","apiVersion":"${apiVersion}","response":{"uid":"${uid}","allowed":true}}`);
}

/** Returns the answer of a conversion webhook that changes only the apiVersion. */
function renamingAnswer({ apiVersion, uid, body }: WebhookCall): WebhookAnswer {
  const request = valueAt(readUnstructured(body), 'request');
  const desired = stringAt(request, 'desiredAPIVersion');
  const objects = listAt(request, 'objects').filter(isMap);
  const convertedObjects = objects.map((object): ValueMap => new Map(object).set('apiVersion', desired));
  const response: ValueMap = new Map([['uid', uid]]);
  response.set('convertedObjects', convertedObjects).set('result', new Map([['status', 'Success']]));
  const review: ValueMap = new Map([
    ['kind', 'ConversionReview'],
    ['apiVersion', apiVersion],
  ]);
  return jsonAnswer(writeValue(review.set('response', response), 'kept'));
}

function jsonAnswer(body: string): WebhookAnswer {
  const headers = [['content-type', 'application/json']] as const;
  return { outcome: 'answered', statusCode: 200, headers, body: Buffer.from(body), durationMs: 0 };
}
