import { DecodeError } from '../../apiserver/objects/codec.js';
import { decodeFolded, decodeTyped } from '../../apiserver/objects/decode-typed.js';
import { encodeTyped } from '../../apiserver/objects/encode-typed.js';
import type { Interpreted } from '../../apiserver/objects/interpret-document.js';
import { interpretDocument } from '../../apiserver/objects/interpret-document.js';
import { notRegistered } from '../../apiserver/objects/not-registered.js';
import { parsePlain, writePlain } from '../../encoding/plain-json.js';
import { yamlToJson } from '../../encoding/yaml.js';
import { readValue } from '../../go/json/reader.js';
import { goString } from '../../go/json/write.js';
import { decodeUtf8Bytes } from '../../go/utf8.js';
import { isMap, isRawJson, listAt, mapAt, stringAt, type Value, type ValueMap } from '../../go/value.js';
import { type GroupVersionKind, parseApiVersion } from '../../kubernetes/group-version.js';
import { memoizeStrings } from '../../kubernetes/memoize.js';
import type { FieldSchema, StructSchema } from '../../kubernetes/schema.js';
import { structNamed } from '../../kubernetes/type-table.js';
import { messageOfResponse } from '../api/responses.js';
import { isPanic } from '../api/thrown.js';
import type { ConversionAnswer, ConversionWebhook } from '../api/types.js';
import { goTypes } from '../go-types.js';
import { type ConvertibleKind, type PlainObject, typedConversion } from './kinds.js';

/**
 * Returns a webhook that answers ConversionReviews for objects of some kinds. Throws an Error for a duplicate kind. Source:
 * controller-runtime webhook/conversion conversion.go.
 */
export function conversion(...kinds: readonly ConvertibleKind[]): ConversionWebhook {
  const known = new Map<string, ConvertibleKind>();
  for (const kind of kinds) {
    const name = groupKind(kind);
    if (known.has(name)) throw new Error(`failed to register Converter for GroupKind ${name}: converter already registered`);
    known.set(name, kind);
  }
  return { webhook: 'conversion', answer: body => answerTo(body, known) };
}

type KnownKinds = ReadonlyMap<string, ConvertibleKind>;

function groupKind({ group, kind }: { readonly group: string; readonly kind: string }): string {
  return group === '' ? kind : `${kind}.${group}`;
}

async function answerTo(body: Uint8Array, known: KnownKinds): Promise<ConversionAnswer> {
  let review: ValueMap;
  try {
    review = readReview(decodeUtf8Bytes(body));
  } catch (error) {
    return unreadable('failed to read conversion request', messageOfResponse(error));
  }
  const request = mapAt(review, 'request');
  if (request === undefined) return unreadable('conversion request is nil', '');
  const { result, panicked, failure } = await convertRequested(request, known);
  const type = ['kind', 'apiVersion'].map(name => [name, stringAt(review, name)] as const).filter(([, text]) => text !== '');
  const members = [
    ...type.map(([name, text]) => `"${name}":${goString(text)}`),
    `"response":{"uid":${goString(stringAt(request, 'uid'))},${result}}`,
  ];
  return { status: 200, body: `{${members.join(',')}}\n`, panicked, failure };
}

function unreadable(message: string, error: string): ConversionAnswer {
  return { status: 400, body: '', panicked: false, failure: { message, error } };
}

/** Returns the review in a body, decoded like Go's encoding/json: the first value, names case-insensitive. */
function readReview(text: string): ValueMap {
  const { end } = readValue(text, 0);
  const review = decodeFolded(goTypes, text.slice(0, end), structNamed(goTypes, 'apiextensions/v1.ConversionReview'));
  return isMap(review) ? review : new Map();
}

interface Result extends Pick<ConversionAnswer, 'panicked' | 'failure'> {
  readonly result: string;
}

async function convertRequested(request: ValueMap, known: KnownKinds): Promise<Result> {
  const desired = stringAt(request, 'desiredAPIVersion');
  try {
    const texts: string[] = [];
    for (const object of listAt(request, 'objects'))
      texts.push(writePlain(await convertRawObject(rawTextOf(object), desired, known), 'kept'));
    const objects = texts.length === 0 ? 'null' : `[${texts.join(',')}]`;
    return { result: `"convertedObjects":${objects},"result":{"metadata":{},"status":"Success"}`, panicked: false };
  } catch (error) {
    const panicked = isPanic(error);
    const message = panicked ? 'internal error occurred during conversion' : messageOfResponse(error);
    const text = message === '' ? '' : `,"message":${goString(message)}`;
    return {
      result: `"convertedObjects":null,"result":{"metadata":{},"status":"Failure"${text}}`,
      panicked,
      failure: failureOf(error, panicked),
    };
  }
}

function failureOf(error: unknown, panicked: boolean): ConversionAnswer['failure'] {
  if (!panicked) return { message: 'failed to convert', error: messageOfResponse(error) };
  return { message: 'Observed a panic', error: messageOfResponse(error), stacktrace: error instanceof Error ? error.stack : undefined };
}

function rawTextOf(object: Value): string {
  return isRawJson(object) ? (object.sent ?? object.rawJson) : '';
}

async function convertRawObject(raw: string, desired: string, known: KnownKinds): Promise<PlainObject> {
  const source = decoded(raw, known);
  const { kind } = source;
  const target = { ...(parseApiVersion(desired) ?? { group: '', version: '' }), kind: kind.kind };
  if (!isKnown(target, known)) throw new DecodeError(notRegistered(goTypes, target));
  const own = ownType(source.object);
  if (own.group !== target.group || own.kind !== target.kind)
    throw new DecodeError(`src ${goType(kind)} and dst ${goType(target)} does not belong to same API Group`);
  if (own.version === target.version) throw new DecodeError(`conversion is not allowed between same type ${goType(kind)}`);
  const convert = known.get(groupKind(kind))?.convert;
  if (convert === undefined) throw new DecodeError(`${goType(kind)} is not convertible to ${goType(target)}`);
  return typedConversion(await convert(source.object, kind.version, target.version), target);
}

/** Source: apimachinery serializer/json Serializer.Decode without a target. */
function decoded(raw: string, known: KnownKinds): { readonly kind: GroupVersionKind; readonly object: PlainObject } {
  const text = /^\s*\{/.test(raw) ? raw : yamlToJson(raw);
  const interpreted = interpretDocument(text);
  const { kind } = interpreted;
  if (kind.kind === '') throw new DecodeError(`Object 'Kind' is missing in '${raw}'`);
  if (kind.version === '') throw new DecodeError(`Object 'apiVersion' is missing in '${raw}'`);
  if (!isKnown(kind, known)) throw new DecodeError(notRegistered(goTypes, kind));
  return { kind, object: readObject(text, interpreted) };
}

/** Returns the type that Go finds in the decoded object. The decoder found it case-insensitively, but the fields are case-sensitive. */
function ownType({ apiVersion, kind }: PlainObject): GroupVersionKind {
  return { ...(parseApiVersion(apiVersion ?? '') ?? { group: '', version: '' }), kind: kind ?? '' };
}

function isKnown(kind: GroupVersionKind, known: KnownKinds): boolean {
  return known.get(groupKind(kind))?.versions.includes(kind.version) === true;
}

function goType({ version, kind }: GroupVersionKind): string {
  return `*${version}.${kind}`;
}

/**
 * Returns plain data of an object in a JSON text whose type was read. Its metadata is read as Go reads ObjectMeta, which every type with a converter has:
 * unknown fields are dropped. Other members are unchanged, because their Go types are unknown. Throws DecodeError with Go's message for
 * metadata of a wrong type. Source: sigs.k8s.io/json decode.go.
 */
function readObject(text: string, { kind, node }: Interpreted): PlainObject {
  const schema = withMetadata(kind.kind);
  const { metadata } = parsePlain(encodeTyped(decodeTyped(text, schema, node).value, schema)) as PlainObject;
  const { metadata: sent, ...object } = parsePlain(text) as PlainObject;
  return sent === undefined || sent === null ? object : { ...object, metadata };
}

/** Schema of a Go struct with that name which has metadata. */
const withMetadata = memoizeStrings(100, (goName): StructSchema => {
  const found = structNamed(goTypes, 'meta/v1.PartialObjectMetadata').fieldsByName.get('metadata');
  if (found === undefined) throw new Error('no metadata in the table of Kubernetes types');
  const metadata: FieldSchema = { ...found, declaredBy: goName };
  return { type: 'struct', server: goTypes, name: goName, goName, fields: [metadata], fieldsByName: new Map([[metadata.name, metadata]]) };
});
