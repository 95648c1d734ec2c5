import { isMap, mapAt, stringAt, type Value, type ValueMap } from '../go/value.js';

/** A captured call: a review, the request of a review alone, or an event of the audit log. */
export interface CapturedObject {
  readonly object: ValueMap;
  /** Pointer of the object's parts in the text: that of a request is shorter by `/request`. */
  readonly prefix: string;
}

/** Returns the capture that a value is; undefined for any other. */
export function capturedObject(value: Value): CapturedObject | undefined {
  if (!isMap(value)) return undefined;
  if (stringAt(value, 'kind') === 'AdmissionReview' || isAuditEvent(value)) return { object: value, prefix: '' };
  if (!isRequest(value)) return undefined;
  const review = new Map<string, Value>([
    ['kind', 'AdmissionReview'],
    ['apiVersion', 'admission.k8s.io/v1'],
    ['request', value],
  ]);
  return { object: review, prefix: '/request' };
}

/** Reports whether an object is an event of the API server's audit log. */
export function isAuditEvent(object: ValueMap): boolean {
  return stringAt(object, 'kind') === 'Event' && stringAt(object, 'apiVersion').startsWith('audit.k8s.io/');
}

/** Is this the `request` of a review, which some webhooks log alone? */
function isRequest(value: ValueMap): boolean {
  const named = ['uid', 'operation'].every(key => stringAt(value, key) !== '');
  return (
    named &&
    stringAt(value, 'kind', 'kind') !== '' &&
    stringAt(value, 'resource', 'resource') !== '' &&
    mapAt(value, 'userInfo') !== undefined
  );
}
