import { goString, writeValue } from '../../go/json/write.js';
import { quote } from '../../go/quote.js';
import { listAt, mapAt, stringAt, type Value, type ValueMap } from '../../go/value.js';
import { parseApiVersion, printKind } from '../../kubernetes/group-version.js';
import { ConversionError } from './conversion-error.js';

export type ConversionReviewVersion = 'v1' | 'v1beta1';

/**
 * Returns the review version: the first that both sides support. Throws ConversionError. Source: apiextensions-apiserver
 * conversion/webhook_converter.go createConversionReviewObjects.
 */
export function conversionReviewVersion(versions: readonly string[]): ConversionReviewVersion {
  const found = versions.find((v): v is ConversionReviewVersion => v === 'v1' || v === 'v1beta1');
  if (found === undefined) throw new ConversionError('no supported conversion review versions');
  return found;
}

/** Content of a ConversionReview request. */
export interface ConversionRequest {
  readonly version: ConversionReviewVersion;
  readonly uid: string;
  readonly desiredApiVersion: string;
  readonly objects: readonly ValueMap[];
}

/** Returns the request body, with the empty response and the trailing newline that Go writes. */
export function writeConversionReview({ version, uid, desiredApiVersion, objects }: ConversionRequest): string {
  const items = objects.map(object => writeValue(object, 'sorted')).join(',');
  const request = `{"uid":${goString(uid)},"desiredAPIVersion":${goString(desiredApiVersion)},"objects":[${items}]}`;
  const response = '{"uid":"","convertedObjects":null,"result":{"metadata":{}}}';
  return `{"kind":"ConversionReview","apiVersion":"apiextensions.k8s.io/${version}","request":${request},"response":${response}}\n`;
}

/**
 * Returns the converted objects of a decoded review, as they were sent. Throws ConversionError with the reason when there are none. Source:
 * webhook_converter.go getConvertedObjectsFromResponse.
 */
export function convertedObjectsOf(review: ValueMap, { version, uid }: Pick<ConversionRequest, 'version' | 'uid'>): readonly Value[] {
  const found = foundKind(review);
  if (version === 'v1' && found !== 'apiextensions.k8s.io/v1, Kind=ConversionReview') {
    throw new ConversionError(`expected webhook response of apiextensions.k8s.io/v1, Kind=ConversionReview, got ${found}`, 'review');
  }
  const response = mapAt(review, 'response');
  if (response === undefined) throw new ConversionError('no response provided', 'review');
  const answered = stringAt(response, 'uid');
  // v1beta1 checks neither the type nor the uid.
  if (version === 'v1' && answered !== uid) {
    throw new ConversionError(`expected response.uid=${quote(uid)}, got ${quote(answered)}`, 'review');
  }
  const status = stringAt(response, 'result', 'status');
  const message = stringAt(response, 'result', 'message');
  if (status !== 'Success') {
    const detail = message === '' ? `response.result.status was '${status}', not 'Success'` : message;
    throw new ConversionError(detail, status === 'Failure' ? undefined : 'review');
  }
  return listAt(response, 'convertedObjects');
}

function foundKind(review: ValueMap): string {
  const { group, version } = parseApiVersion(stringAt(review, 'apiVersion')) ?? { group: '', version: '' };
  return printKind({ group, version, kind: stringAt(review, 'kind') });
}
