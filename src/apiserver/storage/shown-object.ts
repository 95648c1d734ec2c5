import { CompactObject, flatText } from '../../encoding/compact-object.js';
import { readUnstructured } from '../../encoding/unstructured.js';
import { goString } from '../../go/json/write.js';
import { stringAt, type ValueMap } from '../../go/value.js';
import type { ApiServer } from '../../kubernetes/api-server.js';
import { apiVersionOf, type GroupVersionKind, sameGroupVersion } from '../../kubernetes/group-version.js';
import { type Labels, labelsOf } from '../../kubernetes/label-selector.js';
import { memoize, valuesInside } from '../../kubernetes/memoize.js';
import { schemaOfKind } from '../../kubernetes/type-table.js';
import { codecFor } from '../call/codec-for.js';
import type { ApiObject } from '../objects/api-object.js';
import type { Codec } from '../objects/codec.js';
import { isCustomCodec } from '../objects/custom-codec.js';
import { decodeStored } from '../objects/decode-stored.js';
import type { WireWriter } from '../objects/protobuf/wire-writer.js';
import { writeMessage } from '../objects/protobuf/write-message.js';
import { writeStoredMessage } from '../objects/protobuf/write-stored.js';
import { strategyFor } from '../registry/generic/strategy-for.js';
import type { StoreContext } from './store-context.js';
import { decodeInRequestVersion } from './stored-object.js';

/**
 * An object as clients see it, read-only. Of one whose tree is not needed any more, it keeps the text and the labels; the members are read from
 * the text again, and those of the last few objects are kept: watches that select by fields read the same ones.
 */
class ShownObject implements ApiObject {
  #tree: ValueMap | undefined;
  #text: string | undefined;
  #labels: Labels | undefined;

  constructor(
    readonly codec: Codec,
    tree: ValueMap,
    readonly definition: ValueMap | undefined,
  ) {
    this.#tree = tree;
  }

  get value(): ValueMap {
    if (this.#tree !== undefined) return this.#tree;
    const tree = this.read();
    this.#tree = tree;
    const recent = recentlyRead(this.codec.server);
    recent.push(this);
    if (recent.length > maxRecent) recent.shift()?.forgetTree();
    return tree;
  }

  get text(): string {
    return this.#text ?? (this.#tree === undefined ? '' : textOfTree(this.codec, this.#tree));
  }

  writeMessage(writer: WireWriter): void {
    if (this.#tree !== undefined) writer.raw(messageOfTree(this.codec, this.#tree));
    else if (!writeStoredMessage(writer, this.codec, this.text)) writer.raw(messageOf(this.codec, this.read()));
  }

  get labels(): Labels {
    return this.#labels ?? labelsOf(this.#tree);
  }

  /** Gives up the tree. `stored` is the text of the stored object, which is mostly the same one; `isAsStored` says that it is. */
  compact(stored: string | undefined, isAsStored = false): void {
    if (this.#tree === undefined || this.#text !== undefined) return;
    this.#text = isAsStored && stored !== undefined ? stored : this.textLike(stored);
    this.#labels = new Map([...labelsOf(this.#tree)].map(([key, value]) => [copyOfText(key), copyOfText(value)]));
    this.#tree = undefined;
  }

  /** Returns the text of the tree: the given one, if it is the same. */
  private textLike(stored: string | undefined): string {
    const text = flatText(texts.get(this.#tree as ValueMap) ?? this.codec.encode(this.#tree as ValueMap));
    return text === stored ? stored : text;
  }

  /** Gives up a tree that was read from the text. */
  private forgetTree(): void {
    this.#tree = undefined;
  }

  private read(): ValueMap {
    const { codec, text } = this;
    if (isCustomCodec(codec)) return readUnstructured(text) as ValueMap;
    const value = decodeStored(codec, text);
    value.set('kind', codec.kind.kind);
    value.set('apiVersion', apiVersionOf(codec.kind));
    return value;
  }
}

/** Objects of which the text was read last, the oldest one first. */
const recentlyRead = memoize((_: ApiServer): ShownObject[] => []);
const maxRecent = 8;

/** Returns a text that keeps no other one in memory: a part of a text keeps all of it. V8 copies short ones. */
function copyOfText(text: string): string {
  return text.length < minPart ? text : Buffer.from(text).toString();
}

const minPart = 13;

/** The versions of a stored object that were shown. */
const shownVersions = valuesInside<ValueMap, readonly ShownObject[]>();

/**
 * Returns a stored object in the URL's version, read-only: live storage never changes its objects, so they are decoded once per version.
 * Conversion webhooks are called each time.
 */
export async function decodeShownObject(stored: ValueMap, context: StoreContext): Promise<ApiObject> {
  const known = knownObject(stored, context);
  if (known !== undefined) return known;
  const object = await decodeInRequestVersion(stored, context);
  strategyFor(context.server, context.endpoint.resource, '', context.definition).decorate?.(object.value, '');
  return keepShown(stored, object, context);
}

/** Returns a stored object that was decoded before, in the URL's version; undefined if it was not. */
export function knownObject(stored: ValueMap, context: StoreContext): ApiObject | undefined {
  if (!isKept(context)) return undefined;
  const kind = context.endpoint.resource.kind;
  const known = shownVersions.get(stored)?.find(({ codec }) => sameGroupVersion(codec.kind, kind));
  return known !== undefined && known.codec.server === context.server && known.definition === context.definition ? known : undefined;
}

/**
 * Keeps an object for later reads, and returns it for this one: `object` is the stored one in the URL's version, and is not changed from now
 * on. `isAsStored` says that its text is known to be that of the stored one.
 */
export function keepShown(stored: ValueMap, object: ApiObject, context: StoreContext, isAsStored = false): ApiObject {
  if (!isKept(context)) return object;
  const shown = new ShownObject(lastingCodec(object.codec, context.definition), object.value, context.definition);
  const others = shownVersions.get(stored)?.filter(({ codec }) => !sameGroupVersion(codec.kind, shown.codec.kind)) ?? [];
  shownVersions.set(stored, [...others, shown]);
  if (stored instanceof CompactObject && stored.isCompact) shown.compact(stored.text, isAsStored);
  return shown;
}

/** Codecs of shown objects by kind, for the built-in kinds of a server and for those of a definition. */
const lastingCodecs = memoize((_: ApiServer | ValueMap) => new Map<string, Codec>());

/** Returns the codec that all objects of a kind share: the given one belongs to one call. */
function lastingCodec(codec: Codec, definition: ValueMap | undefined): Codec {
  const codecs = lastingCodecs(definition ?? codec.server);
  const name = `${apiVersionOf(codec.kind)} ${codec.kind.kind}`;
  const known = codecs.get(name);
  if (known?.server === codec.server) return known;
  const made = codecFor(codec.server, codec.kind, definition);
  codecs.set(name, made);
  return made;
}

/** Gives up the trees of the versions of a compact object. */
export function compactShown(stored: CompactObject): void {
  for (const shown of shownVersions.get(stored) ?? []) shown.compact(stored.text);
}

/** Frees the memory of an object's decoded versions. They are decoded again if they are read. */
export function forgetShown(stored: ValueMap): void {
  shownVersions.set(stored, []);
}

function isKept({ state, definition }: StoreContext): boolean {
  return state.live !== undefined && stringAt(definition, 'spec', 'conversion', 'strategy') !== 'Webhook';
}

/** Returns the labels of an object, which for a shown one need no tree. */
export function labelsOfShown(object: ApiObject): Labels {
  return object instanceof ShownObject ? object.labels : labelsOf(object.value);
}

const texts = valuesInside<ValueMap, string>();

function textOfTree(codec: Codec, value: ValueMap): string {
  const known = texts.get(value);
  if (known !== undefined) return known;
  const text = codec.encode(value);
  texts.set(value, text);
  return text;
}

/**
 * Returns the cached JSON of a read-only object. Items of built-in lists have no kind; `rest` is the text of one without its first brace, and so a
 * part of the cached text.
 */
export function textOfShownObject(object: ApiObject, as: 'full' | 'item' | 'rest'): string {
  const text = object instanceof ShownObject ? object.text : textOfTree(object.codec, object.value);
  if (as === 'full') return text;
  const rest = afterType(text, object.codec.kind);
  return as === 'rest' ? rest : `{${rest}`;
}

/** Returns the text after the first two fields of every built-in object. */
function afterType(text: string, kind: GroupVersionKind): string {
  const type = `"kind":${goString(kind.kind)},"apiVersion":${goString(apiVersionOf(kind))},`;
  if (!text.startsWith(type, 1)) throw new Error(`an object without kind and apiVersion: ${text.slice(0, 100)}`);
  return text.slice(1 + type.length);
}

const messages = valuesInside<ValueMap, Uint8Array>();

/** Writes the protobuf message of a read-only object. Throws for kinds without one. */
export function writeShownMessage(writer: WireWriter, object: ApiObject): void {
  if (object instanceof ShownObject) object.writeMessage(writer);
  else writer.raw(messageOfTree(object.codec, object.value));
}

function messageOfTree(codec: Codec, value: ValueMap): Uint8Array {
  const known = messages.get(value);
  if (known !== undefined) return known;
  const message = messageOf(codec, value);
  messages.set(value, message);
  return message;
}

function messageOf(codec: Codec, value: ValueMap): Uint8Array {
  const { kind } = codec;
  const schema = schemaOfKind(codec.server, kind);
  if (schema === undefined) throw new Error(`no protobuf form is known for ${kind.kind} of ${apiVersionOf(kind)}`);
  // Small buffers are parts of a shared one, which they would keep in memory.
  return new Uint8Array(writeMessage(value, schema));
}
