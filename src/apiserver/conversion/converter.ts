import { goString, writeValue } from '../../go/json/write.js';
import { quote } from '../../go/quote.js';
import { copyOf, isMap, listAt, mapAt, stringAt, type Value, type ValueMap } from '../../go/value.js';
import type { ApiServer } from '../../kubernetes/api-server.js';
import { apiVersionOf, type GroupVersion, parseApiVersion, printKind } from '../../kubernetes/group-version.js';
import { ConversionError } from './conversion-error.js';
import { checkedObject } from './converted-object.js';

/** Converts an object, or a list with its items, to a version (`group/version`). Does not modify its input. Throws ConversionError. */
export type Converter = (object: ValueMap, to: string) => Promise<ValueMap>;

/** Side effects of the converter. */
export interface ConversionWorld {
  readonly uid: () => string;
  /** Sends a review and reads the response; throws ConversionError with the cause on failure. */
  readonly send: (review: SentReview) => Promise<ValueMap>;
}

/** A ConversionReview. */
export interface SentReview {
  readonly version: ConversionReviewVersion;
  readonly uid: string;
  readonly body: string;
}

/**
 * Returns the converter of a definition: one that only changes the apiVersion, or one that calls its webhook. Source:
 * apiextensions-apiserver conversion/converter.go ConvertToVersion, nop_converter.go, webhook_converter.go.
 */
export function converterOf(server: ApiServer, definition: ValueMap, world: ConversionWorld): Converter {
  const group = stringAt(definition, 'spec', 'group');
  const known = new Set(listAt(definition, 'spec', 'versions').map(v => apiVersionOf({ group, version: stringAt(v, 'name') })));
  const strategy = stringAt(definition, 'spec', 'conversion', 'strategy') || 'None';
  const reviewVersions = listAt(definition, 'spec', 'conversion', 'webhook', 'conversionReviewVersions').map(String);
  return async (object, to) => {
    checkVersions(object, to, known);
    if (strategy === 'None' || isEmpty(object)) return renamed(object, to);
    if (strategy !== 'Webhook')
      throw new ConversionError(`unknown conversion strategy "${strategy}" for CRD ${stringAt(definition, 'metadata', 'name')}`);
    return callConversionWebhook(server, object, to, { reviewVersions, world });
  };
}

function checkVersions(object: ValueMap, to: string, known: ReadonlySet<string>): void {
  const from = groupVersionOf(object);
  if (from.group !== parseApiVersion(to)?.group)
    throw new ConversionError(
      `${printKind({ ...from, kind: stringAt(object, 'kind') })} is unstructured and is not suitable for converting to "${to}"`,
    );
  if (!known.has(to)) throw new ConversionError(`request to convert CR to an invalid group/version: ${to}`);
  if (!known.has(apiVersionOf(from)))
    throw new ConversionError(`request to convert CR from an invalid group/version: ${apiVersionOf(from)}`);
  for (const [i, item] of itemsOf(object).entries()) {
    const version = apiVersionOf(groupVersionOf(item));
    if (!known.has(version))
      throw new ConversionError(`request to convert CR list failed, list index ${i} has invalid group/version: ${version}`);
  }
}

/** Reports whether an object has only apiVersion and kind, so that there is nothing to convert. */
function isEmpty(object: ValueMap): boolean {
  return object.size === 2 && object.has('apiVersion') && object.has('kind');
}

function renamed(object: ValueMap, to: string): ValueMap {
  const copy = copyOf(object);
  for (const item of itemsOf(copy)) item.set('apiVersion', to);
  return copy.set('apiVersion', to);
}

interface Webhook {
  readonly reviewVersions: readonly string[];
  readonly world: ConversionWorld;
}

async function callConversionWebhook(
  server: ApiServer,
  object: ValueMap,
  to: string,
  { reviewVersions, world }: Webhook,
): Promise<ValueMap> {
  const list = isListObject(object) ? copyOf(object) : undefined;
  const uid = world.uid();
  const objects = (list === undefined ? [object] : itemsOf(object)).filter(o => stringAt(o, 'apiVersion') !== to);
  // Negotiated even when no request is sent.
  const version = conversionReviewVersion(reviewVersions);
  if (objects.length === 0) return (list ?? copyOf(object)).set('apiVersion', to);
  const prefix = `conversion webhook for ${printKind({ ...groupVersionOf(object), kind: stringAt(object, 'kind') })}`;
  const body = writeConversionReview({ version, uid, desiredApiVersion: to, objects });
  const answered = await prefixFailure(prefix, async () => convertedObjectsOf(await world.send({ version, uid, body }), { version, uid }));
  if (answered.length !== objects.length)
    throw new ConversionError(`${prefix} returned ${answered.length} objects, expected ${objects.length}`, 'review');
  const target = parseApiVersion(to) ?? { group: '', version: '' };
  const converted = objects.map((original, i) =>
    checkedObject(server, answered[i] ?? null, original, target, { prefix, index: list === undefined ? undefined : i }),
  );
  if (list === undefined) return converted[0] ?? copyOf(object);
  const left = [...converted];
  const items: Value[] = itemsOf(list).map(item => (stringAt(item, 'apiVersion') === to ? item : (left.shift() ?? item)));
  return list.set('items', items).set('apiVersion', to);
}

async function prefixFailure<T>(prefix: string, run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (error instanceof ConversionError) throw new ConversionError(`${prefix} failed: ${error.message}`, error.failureClass);
    throw error;
  }
}

function isListObject(object: ValueMap): boolean {
  return Array.isArray(object.get('items')) && stringAt(object, 'kind').endsWith('List');
}

function itemsOf(object: ValueMap): ValueMap[] {
  return isListObject(object) ? listAt(object, 'items').filter(isMap) : [];
}

function groupVersionOf(object: ValueMap): GroupVersion {
  return parseApiVersion(stringAt(object, 'apiVersion')) ?? { group: '', version: '' };
}

type ConversionReviewVersion = 'v1' | 'v1beta1';

/**
 * Returns the review version: the first that both sides support. Throws ConversionError. Source: apiextensions-apiserver
 * conversion/webhook_converter.go createConversionReviewObjects.
 */
function conversionReviewVersion(versions: readonly string[]): ConversionReviewVersion {
  const found = versions.find((v): v is ConversionReviewVersion => v === 'v1' || v === 'v1beta1');
  if (found === undefined) throw new ConversionError('no supported conversion review versions');
  return found;
}

/** Content of a ConversionReview request. */
interface ConversionRequest {
  readonly version: ConversionReviewVersion;
  readonly uid: string;
  readonly desiredApiVersion: string;
  readonly objects: readonly ValueMap[];
}

/** Returns the request body, with the empty response and the trailing newline that Go writes. */
function writeConversionReview({ version, uid, desiredApiVersion, objects }: ConversionRequest): string {
  const items = objects.map(object => writeValue(object, 'sorted')).join(',');
  const request = `{"uid":${goString(uid)},"desiredAPIVersion":${goString(desiredApiVersion)},"objects":[${items}]}`;
  const response = '{"uid":"","convertedObjects":null,"result":{"metadata":{}}}';
  return `{"kind":"ConversionReview","apiVersion":"apiextensions.k8s.io/${version}","request":${request},"response":${response}}\n`;
}

/**
 * Returns the converted objects of a decoded review, as they were sent. Throws ConversionError with the reason when there are none. Source:
 * webhook_converter.go getConvertedObjectsFromResponse.
 */
function convertedObjectsOf(review: ValueMap, { version, uid }: Pick<ConversionRequest, 'version' | 'uid'>): readonly Value[] {
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
