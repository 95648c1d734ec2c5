import { sourceTextOf } from '../../encoding/source-text.js';
import { goFloat, writeValue } from '../../go/json/write.js';
import { quote } from '../../go/quote.js';
import { copyOf, isList, isMap, isRawJson, stringAt, type Value, type ValueMap } from '../../go/value.js';
import type { ApiServer } from '../../kubernetes/api-server.js';
import { apiVersionOf, sameGroupVersion } from '../../kubernetes/group-version.js';
import { pathSegmentProblems } from '../../kubernetes/name-rules.js';
import type { LeafSchema, Schema, StructSchema } from '../../kubernetes/schema.js';
import { StatusError } from '../../kubernetes/status.js';
import { badRequest } from '../../kubernetes/status-errors.js';
import { kindOf } from '../../kubernetes/storage.js';
import { schemaOfKind } from '../../kubernetes/type-table.js';
import { NotReproduced } from '../admission/not-reproduced.js';
import { codecFor } from '../call/codec-for.js';
import type { ApiObject } from '../objects/api-object.js';
import { builtInCodec } from '../objects/built-in-codec.js';
import { withClock } from '../objects/codec-with-clock.js';
import { decodeStored } from '../objects/decode-stored.js';
import { zeroTimeText } from '../objects/leaf-text.js';
import { strategyFor } from '../registry/generic/strategy-for.js';
import { noteValidMember } from '../registry/validation/valid-member.js';
import { isAsWritten } from './as-written.js';
import { CorruptObject, rejectAsCorrupt, unreadable } from './corrupt-object.js';
import { readFromStorage, writeToStorage } from './custom-storage.js';
import type { StoreContext } from './store-context.js';
import { isInWatchCache } from './watch-cache.js';

/**
 * Returns the stored object of the URL in the URL's version; undefined when there is none. `isRead`: the store only reads the object, as
 * for a dry run, and reports a corrupt one otherwise than an update does.
 */
export async function readStoredObject(context: StoreContext, isRead: boolean): Promise<ApiObject | undefined> {
  const { endpoint, info, storage } = context;
  checkKey(info.name, context);
  const namespace = endpoint.resource.namespaced ? info.namespace : '';
  const found = storage.find(endpoint.resource.kind, namespace, info.name);
  if (found === undefined) return undefined;
  const object = (await readCachedObject(found, isRead, context)) ?? (await decodeFound(found, isRead, context));
  return isRead && isReadOfCache(context) && !isInWatchCache(found, context) ? undefined : object;
}

async function decodeFound(found: ValueMap, isRead: boolean, context: StoreContext): Promise<ApiObject> {
  try {
    return await decodeInRequestVersion(found, context);
  } catch (error) {
    throw isRead && error instanceof CorruptObject ? unreadable(error, context) : error;
  }
}

/**
 * Returns the object of the watch cache, from which updates start, and which answers reads with a resourceVersion; undefined if storage is
 * read. Throws if it cannot be written to storage as it is. Source: apiserver storage/cacher/delegator.go, storage/etcd3/store.go
 * getStateFromObject.
 */
async function readCachedObject(found: ValueMap, isRead: boolean, context: StoreContext): Promise<ApiObject | undefined> {
  const { serving, custom, info } = context;
  if (custom === undefined || serving?.watchCache === undefined) return undefined;
  const isFromCache = isRead ? isReadOfCache(context) : info.subresource !== 'scale';
  const cache = isFromCache ? await serving.watchCache(context) : undefined;
  const cached = cache === undefined || cache instanceof StatusError ? undefined : cache.objectOf(found);
  if (cached === undefined) return undefined;
  if (!isRead) await writeToStorage(cached, custom, false);
  return { codec: cached.codec, value: copyOf(cached.value) };
}

/** Reports whether a read is answered by the watch cache. */
export function isReadOfCache({ call, query }: StoreContext): boolean {
  return call.method === 'GET' && (query.get('resourceVersion')?.[0] ?? '') !== '';
}

/**
 * Throws a 400 for a name that cannot be part of a key, or without the namespace that the key needs. Source: apiserver
 * registry/generic/registry/store.go NamespaceKeyFunc.
 */
export function checkKey(name: string, { endpoint, info }: Pick<StoreContext, 'endpoint' | 'info'>): void {
  if (endpoint.resource.namespaced && info.namespace === '') throw badRequest('Namespace parameter required.');
  const problems = pathSegmentProblems(name);
  if (problems.length > 0) throw badRequest(`Name parameter invalid: ${quote(name)}: ${problems.join(';')}`);
}

/** Returns an object of the state in the URL's version, with defaults. Through a Scale endpoint it is the object itself. */
export async function decodeInRequestVersion(found: ValueMap, context: StoreContext): Promise<ApiObject> {
  const { custom, endpoint } = context;
  const codec = withClock(codecFor(context.server, endpoint.resource.kind, context.definition), context.effects.now);
  if (custom !== undefined)
    return rejectAsCorrupt(context.server, readFromStorage(found, custom, codec), found, stringAt(found, 'metadata', 'resourceVersion'));
  const kind = kindOf(found);
  const own = sameGroupVersion(kind, codec.kind) ? codec : builtInCodec(context.server, kind);
  if (own === undefined)
    throw new NotReproduced(`the stored object is a ${kind.kind} of ${apiVersionOf(kind)}, which is not in the table of types`);
  const source = sourceTextOf(found);
  const node = source?.node;
  const text = source?.text ?? writeValue(found, 'kept');
  const value = node === undefined ? decodeStored(own, text) : own.decode(text, node).value;
  const schema = schemaOfKind(context.server, kind);
  // Such a text has decimal points as they were sent, and zero times as null.
  if (schema !== undefined && source?.text.includes('null') !== false) restoreShown(value, found, schema);
  if (isAsWritten(found, context.server)) noteValid(value, context.server);
  else own.applyDefaults(value);
  strategyFor(context.server, endpoint.resource, '').restoreHidden?.(value);
  value.set('kind', kind.kind);
  value.set('apiVersion', apiVersionOf(kind));
  const object = { codec: own, value };
  return own === codec ? object : context.admission.convert(object, codec.kind);
}

function noteValid(value: ValueMap, server: ApiServer): void {
  const spec = value.get('spec');
  if (isMap(spec)) noteValidMember(spec, server);
}

/**
 * Restores in a stored object what decoding an API server's answer would lose. Changes `read`. Zero times that are set: Go prints them as
 * `null`, like nil ones, but omits the latter where allowed. Decimal points of whole numbers in raw JSON (`1.0`), which is kept as sent.
 */
export function restoreShown(read: ValueMap, shown: ValueMap, schema: StructSchema): void {
  for (const [name, member] of shown) {
    const field = schema.fieldsByName.get(name);
    if (field === undefined) continue;
    const leaf = field.schema.type === 'leaf' ? field.schema.leaf : undefined;
    const isTime = leaf === 'time' || leaf === 'microtime';
    if (isTime && member === null && field.pointer && field.omitEmpty) read.set(name, zeroTimeText);
    else if (leaf === undefined) restoreWithin(read.get(name), member, field.schema);
    else if (rawLeaves.includes(leaf) && isRawJson(read.get(name))) {
      if (isRawJson(member)) read.set(name, member);
      else if (hasFloat(member)) read.set(name, { rawJson: writeValue(withPoints(member), 'kept') });
    }
  }
}

const rawLeaves: readonly LeafSchema['leaf'][] = ['rawextension', 'fieldsv1', 'json'];

function restoreWithin(read: Value | undefined, shown: Value, schema: Schema): void {
  if (schema.type === 'struct' && isMap(read) && isMap(shown)) restoreShown(read, shown, schema);
  else if (schema.type === 'list' && isList(read) && isList(shown))
    for (const [index, item] of shown.entries()) restoreWithin(read[index], item, schema.items);
}

function hasFloat(value: Value): boolean {
  if (isList(value)) return value.some(hasFloat);
  if (!isMap(value)) return typeof value === 'number';
  for (const member of value.values()) if (hasFloat(member)) return true;
  return false;
}

function withPoints(value: Value): Value {
  if (isMap(value)) return new Map([...value].map(([key, member]) => [key, withPoints(member)]));
  if (isList(value)) return value.map(withPoints);
  if (typeof value !== 'number') return value;
  const text = goFloat(value);
  return /^-?\d+$/.test(text) ? { rawJson: `${text}.0` } : value;
}
