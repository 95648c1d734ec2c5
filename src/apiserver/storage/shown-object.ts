import { goString } from '../../go/json/write.js';
import { stringAt, type ValueMap } from '../../go/value.js';
import { apiVersionOf } from '../../kubernetes/group-version.js';
import { valuesInside } from '../../kubernetes/memoize.js';
import { schemaOfKind } from '../../kubernetes/type-table.js';
import type { ApiObject } from '../objects/api-object.js';
import { writeMessage } from '../objects/protobuf/write-message.js';
import { strategyFor } from '../registry/generic/strategy-for.js';
import type { StoreContext } from './store-context.js';
import { decodeInRequestVersion } from './stored-object.js';

const shownObjects = new WeakMap<ValueMap, Map<string, ApiObject>>();

/**
 * Returns a stored object in the URL's version, read-only: live storage never changes its objects, so they are decoded once per version.
 * Conversion webhooks are called each time.
 */
export async function decodeShownObject(stored: ValueMap, context: StoreContext): Promise<ApiObject> {
  const known = knownObject(stored, context);
  if (known !== undefined) return known;
  const object = await decodeInRequestVersion(stored, context);
  strategyFor(context.server, context.endpoint.resource, '', context.definition).decorate?.(object.value, '');
  keepShown(stored, object, context);
  return object;
}

/** Returns a stored object that was decoded before, in the URL's version; undefined if it was not. */
export function knownObject(stored: ValueMap, context: StoreContext): ApiObject | undefined {
  if (!isKept(context)) return undefined;
  const known = shownObjects.get(stored)?.get(apiVersionOf(context.endpoint.resource.kind));
  const isCurrent =
    known !== undefined &&
    known.codec.server === context.server &&
    (context.definition === undefined || definitionOfShown.get(known) === context.definition);
  return isCurrent ? known : undefined;
}

/** Keeps an object for later reads: `object` is the stored one in the URL's version, and is not changed from now on. */
export function keepShown(stored: ValueMap, object: ApiObject, context: StoreContext): void {
  if (!isKept(context)) return;
  const versions = shownObjects.get(stored) ?? new Map<string, ApiObject>();
  versions.set(apiVersionOf(context.endpoint.resource.kind), object);
  if (context.definition !== undefined) definitionOfShown.set(object, context.definition);
  shownObjects.set(stored, versions);
}

/** Frees the memory of an object's decoded versions. They are decoded again if they are read. */
export function forgetShown(stored: ValueMap): void {
  shownObjects.delete(stored);
}

function isKept({ state, definition }: StoreContext): boolean {
  return state.live !== undefined && stringAt(definition, 'spec', 'conversion', 'strategy') !== 'Webhook';
}

/** The result depends on the definition. */
const definitionOfShown = new WeakMap<ApiObject, ValueMap>();

const texts = valuesInside<ValueMap, string>();

/** Returns the cached JSON of a read-only object. Items of built-in lists have no kind. */
export function textOfShownObject({ codec, value }: ApiObject, as: 'full' | 'item'): string {
  const known = texts.get(value);
  const text = known ?? codec.encode(value);
  if (known === undefined) texts.set(value, text);
  return as === 'full' ? text : withoutType(text, value);
}

/** Removes the first two fields of every built-in object. */
function withoutType(text: string, value: ValueMap): string {
  const type = `"kind":${goString(stringAt(value, 'kind'))},"apiVersion":${goString(stringAt(value, 'apiVersion'))},`;
  if (!text.startsWith(type, 1)) throw new Error(`an object without kind and apiVersion: ${text.slice(0, 100)}`);
  return `{${text.slice(1 + type.length)}`;
}

const messages = valuesInside<ValueMap, Uint8Array>();

/** Returns the cached protobuf message of a read-only object. Throws for kinds without one. */
export function shownMessage({ codec, value }: ApiObject): Uint8Array {
  const known = messages.get(value);
  if (known !== undefined) return known;
  const { kind } = codec;
  const schema = schemaOfKind(codec.server, kind);
  if (schema === undefined) throw new Error(`no protobuf form is known for ${kind.kind} of ${apiVersionOf(kind)}`);
  // A copy, because small buffers are parts of a shared one, which they would keep in memory.
  const message = new Uint8Array(writeMessage(value, schema));
  messages.set(value, message);
  return message;
}
