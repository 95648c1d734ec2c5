import * as v from 'valibot';
import { JsonTypeError, unstructuredOf } from '../../encoding/unstructured.js';
import type { JsonNode } from '../../go/json/node.js';
import { ownMember, setOwnMember } from '../../go/own-members.js';
import { isMap, type Value } from '../../go/value.js';

/** The document is invalid. */
export class MalformedDocument extends Error {
  override readonly name = 'MalformedDocument';
  /** Offset in the text, from 0. */
  readonly offset: number;

  constructor(message: string, offset: number) {
    super(message);
    this.offset = offset;
  }
}

/**
 * Schema of a part of a document: the type of what is read, and the checks. Its input is a node of the JSON, so that values are lossless and
 * mistakes have a place; its messages say what the part must be.
 */
export type DocumentSchema<T> = v.GenericSchema<JsonNode, T>;

/** Type of what a schema reads. */
export type ReadBy<S extends v.GenericSchema<JsonNode, unknown>> = v.InferOutput<S>;

/** Returns what a node contains; throws MalformedDocument for the first wrong or missing member. */
export function readReportDocument<T>(schema: DocumentSchema<T>, node: JsonNode): T {
  const { success, output, issues } = v.safeParse(schema, node, { abortEarly: true });
  if (success) return output;
  const [{ path: steps = [], message }] = issues;
  const keys = steps.map(({ key }) => (typeof key === 'number' ? `[${key}]` : `.${String(key)}`));
  const name = keys.join('').replace(/^\./, '') || 'the document';
  const isMissing = steps.at(-1)?.value === undefined && steps.length > 0;
  const nodes = [node, ...steps.map(({ value }) => value as JsonNode | undefined)];
  const { start } = nodes.findLast(step => step !== undefined) ?? node;
  throw new MalformedDocument(isMissing ? `${name} is missing` : `${name} must be ${message}`, start);
}

function nodeOf<K extends JsonNode['type']>(type: K, wanted: string) {
  return v.custom<Extract<JsonNode, { readonly type: K }>>(input => (input as JsonNode).type === type, wanted);
}

/** Throws MalformedDocument for a number that no float64 holds. */
function decoded(node: JsonNode): Value {
  try {
    return unstructuredOf(node);
  } catch (error) {
    if (error instanceof JsonTypeError) throw new MalformedDocument(error.message, node.start);
    throw error;
  }
}

/** A string. */
export const textSchema = v.pipe(
  nodeOf('string', 'a text'),
  v.transform(node => node.value),
);

/** A number. */
export const numberSchema = v.pipe(
  nodeOf('number', 'a number'),
  v.transform(node => Number(node.text)),
);

/** An integer, exact. */
export const integerSchema = v.pipe(
  nodeOf('number', 'a whole number'),
  v.check(node => /^-?\d+$/.test(node.text), 'a whole number'),
  v.transform(node => BigInt(node.text)),
);

/** A boolean. */
export const flagSchema = v.pipe(
  nodeOf('literal', 'true or false'),
  v.check(node => node.value !== null, 'true or false'),
  v.transform(node => node.value === true),
);

/** Any value, decoded as Kubernetes does. */
export const value: DocumentSchema<Value> = v.pipe(
  v.custom<JsonNode>(() => true),
  v.transform(decoded),
);

/** A Kubernetes object. */
export const valueMap = v.pipe(value, v.guard(isMap, 'an object'));

/** One of some strings. */
export function oneOf<const T extends string>(...choices: readonly T[]): DocumentSchema<T> {
  const isOne = (word: string): word is T => choices.some(known => known === word);
  const wanted = `one of ${choices.join(', ')}`;
  return v.pipe(
    nodeOf('string', wanted),
    v.transform(node => node.value),
    v.guard(isOne, wanted),
  );
}

/** A member that may be missing. */
export function optionalSchema<const S extends DocumentSchema<unknown>>(schema: S): v.ExactOptionalSchema<S, undefined> {
  return v.exactOptional(schema);
}

/** A member that may be null. */
export function nullable<T>(schema: DocumentSchema<T>): DocumentSchema<T | null> {
  const nothing = v.pipe(
    v.custom<JsonNode>(input => (input as JsonNode).type === 'literal' && (input as { value?: unknown }).value === null),
    v.transform(() => null),
  );
  return v.lazy(input => ((input as { readonly value?: unknown }).value === null ? nothing : schema));
}

/** A list. */
export function listSchema<T>(item: DocumentSchema<T>): DocumentSchema<readonly T[]> {
  return v.pipe(
    nodeOf('array', 'a list'),
    v.transform(node => [...node.items]),
    v.array(item),
  );
}

/** An object with arbitrary keys. */
export function recordSchema<T>(item: DocumentSchema<T>): DocumentSchema<Readonly<Record<string, T>>> {
  return v.pipe(
    nodeOf('object', 'an object'),
    v.transform(node => new Map(node.members.map(member => [member.key, member.value]))),
    v.map(v.string(), item),
    v.transform(found => Object.fromEntries(found)),
  );
}

/** An object with these members; others are ignored, because a later version may have more. */
export function object<const E extends v.ObjectEntries>(entries: E): DocumentSchema<v.InferOutput<v.ObjectSchema<E, undefined>>> {
  const members = v.object(entries) as unknown as v.GenericSchema<Record<string, JsonNode>, v.InferOutput<v.ObjectSchema<E, undefined>>>;
  return v.pipe(nodeOf('object', 'an object'), v.transform(membersByKey), members);
}

/** A schema for every member: a forgotten one does not compile. */
export type EntriesOf<T> = {
  readonly [K in keyof T]-?: Record<never, never> extends Pick<T, K>
    ? v.ExactOptionalSchema<DocumentSchema<Exclude<T[K], undefined>>, undefined>
    : DocumentSchema<T[K]>;
};

/** An object of a type that the program has already, with all of its members. */
export function objectSchema<T extends object>(entries: EntriesOf<T>): DocumentSchema<T> {
  return object(entries as v.ObjectEntries) as DocumentSchema<unknown> as DocumentSchema<T>;
}

/** A union of objects of such types, discriminated by the string under a key. */
export function unionBy<T extends object>(key: keyof T & string, options: Readonly<Record<string, DocumentSchema<T>>>): DocumentSchema<T> {
  const word = oneOf(...Object.keys(options));
  const discriminator = object({ [key]: word });
  return v.lazy(input => {
    const { success, output } = v.safeParse(discriminator, input, { abortEarly: true });
    const option = success ? ownMember(options, String(output[key])) : undefined;
    return option ?? (discriminator as DocumentSchema<unknown> as DocumentSchema<T>);
  });
}

function membersByKey(node: Extract<JsonNode, { readonly type: 'object' }>): Record<string, JsonNode> {
  const members: Record<string, JsonNode> = Object.create(null);
  for (const member of node.members) setOwnMember(members, member.key, member.value);
  return members;
}
