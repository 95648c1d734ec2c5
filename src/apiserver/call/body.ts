import type { JsonNode } from '../../go/json/node.js';
import { MediaTypeError, parseMediaType } from '../../go/media-type.js';
import { quote } from '../../go/quote.js';
import { decodeUtf8Bytes } from '../../go/utf8.js';
import type { ApiCall } from '../../kubernetes/api-call.js';
import type { ApiServer } from '../../kubernetes/api-server.js';
import type { StepRecorder } from '../../kubernetes/call-steps.js';
import { apiVersionOf, type GroupVersionKind, sameGroupVersion } from '../../kubernetes/group-version.js';
import { memoizeStrings } from '../../kubernetes/memoize.js';
import { AbortedConnection, type StatusError } from '../../kubernetes/status.js';
import { badRequest, requestEntityTooLarge, unsupportedMediaType } from '../../kubernetes/status-errors.js';
import type { ApiObject } from '../objects/api-object.js';
import { builtInCodec } from '../objects/built-in-codec.js';
import { type Codec, DecodeError } from '../objects/codec.js';
import { convertBuiltIn } from '../objects/convert-built-in.js';
import { isCustomCodec } from '../objects/custom-codec.js';
import { type Interpreted, interpretDocument } from '../objects/interpret-document.js';
import { schemeName } from '../objects/not-registered.js';
import { unknownConversion } from '../objects/unknown-conversion.js';
import { jsonOfProtobuf, ProtobufBodyError } from './protobuf-body.js';
import type { FieldValidation } from './request-options.js';

/** Max size of a body, in bytes. */
const bodyLimit = 3145728;

const cbor = 'application/cbor';
const mediaTypes = ['application/json', 'application/yaml', 'application/vnd.kubernetes.protobuf'];
const mediaTypesAndCbor = [...mediaTypes, cbor];

/** Body as JSON text, and the errors of the strict YAML reader. */
export interface BodyText {
  readonly json: string;
  /** Bytes as received, for the summary in error messages. */
  readonly raw: Uint8Array;
  readonly strictErrors: readonly string[];
}

/** Throws 413 for a body over the limit. Source: apiserver handlers/rest.go limitedReadBody. */
export function checkBodySize({ body }: ApiCall): void {
  if (body !== undefined && body.length > bodyLimit) throw requestEntityTooLarge(`limit is ${bodyLimit}`);
}

/** Returns the media type of a body; throws 415 for an unknown one. Source: apiserver handlers/negotiation NegotiateInputSerializer. */
export function checkedBodyType(server: ApiServer, call: ApiCall): string {
  const type = bodyType(call);
  const known = server.isEnabled('CBORServingAndStorage') ? mediaTypesAndCbor : mediaTypes;
  if (type === undefined || !known.includes(type)) throw unsupportedMediaType(known);
  return type;
}

/**
 * Reads the body by its content type. Throws 413, 415, and a 400 or the error of `refuse` for one that cannot be read. Source: apiserver
 * handlers/negotiation, handlers/rest.go.
 */
export async function readBodyText(
  server: ApiServer,
  call: ApiCall,
  expected: GroupVersionKind,
  refuse?: (problem: string) => StatusError,
): Promise<BodyText> {
  checkBodySize(call);
  const type = checkedBodyType(server, call);
  const raw = call.body ?? new Uint8Array();
  const refusal = (problem: string): StatusError => (refuse === undefined ? unrecognized(raw, expected, problem) : refuse(problem));
  if (type === mediaTypes[2]) return protobufText(server, raw, expected, refusal);
  if (type === 'application/json') return { json: decodeUtf8Bytes(raw), raw, strictErrors: [] };
  if (type === cbor) return readCborText(raw, refusal);
  const { yamlToJson, yamlToJsonStrict, YamlError } = await import('../../encoding/yaml.js');
  try {
    const text = decodeUtf8Bytes(raw);
    return { json: yamlToJson(text), raw, strictErrors: duplicateKeys(() => yamlToJsonStrict(text)) };
  } catch (error) {
    throw error instanceof YamlError ? refusal(error.message) : error;
  }
}

async function readCborText(raw: Uint8Array, refusal: (problem: string) => StatusError): Promise<BodyText> {
  const { CborError, jsonOfCbor } = await import('../../encoding/cbor/read-cbor.js');
  try {
    return { json: jsonOfCbor(raw), raw, strictErrors: [] };
  } catch (error) {
    throw error instanceof CborError ? refusal(`unable to determine group/version/kind: ${error.message}`) : error;
  }
}

/** Returns the media type of the body. Source: apiserver handlers/negotiation NegotiateInputSerializerForMediaType. */
function bodyType({ contentType = '' }: ApiCall): string | undefined {
  return contentType === '' ? 'application/json' : mediaTypeOf(contentType);
}

const mediaTypeOf = memoizeStrings(100, (contentType): string | undefined => {
  try {
    return parseMediaType(contentType).type;
  } catch (error) {
    if (error instanceof MediaTypeError) return undefined;
    throw error;
  }
});

/** Source: apimachinery runtime/serializer/protobuf. */
function protobufText(server: ApiServer, raw: Uint8Array, expected: GroupVersionKind, refusal: (problem: string) => StatusError): BodyText {
  // The API server panics on a protobuf body of a custom resource: the client gets no answer.
  if (builtInCodec(server, expected) === undefined) throw new AbortedConnection();
  try {
    return { json: jsonOfProtobuf(server, raw, expected), raw, strictErrors: [] };
  } catch (error) {
    throw error instanceof ProtobufBodyError ? refusal(error.message) : error;
  }
}

/** Decodes a custom resource, whose body must state its type; validation refuses another kind of the group. */
function decodeCustomBody(body: BodyText, { codec, validation, warn, steps }: BodyReading): ApiObject {
  const { kind, node } = interpretBody(codec.server, body, codec.kind);
  if (kind.kind === '') throw unrecognized(body.raw, codec.kind, `Object 'Kind' is missing in '${decodeUtf8Bytes(body.raw)}'`);
  const decoded = orCannotHandle(kind, codec, () => codec.decode(body.json, node));
  const strictErrors = [...body.strictErrors, ...decoded.strictErrors].slice(0, 100);
  if (strictErrors.length > 0 && validation === 'Strict') {
    throw badRequest(`${cannotHandle(kind, codec)}strict decoding error: ${strictText(body.strictErrors, decoded.strictErrors)}`);
  }
  if (validation === 'Warn') warn(strictErrors);
  if (!sameGroupVersion(kind, codec.kind)) throw otherVersion(kind, codec.kind);
  steps?.enter({ kind: 'defaults', phase: 'request' }, () => codec.encode(decoded.value));
  codec.applyDefaults(decoded.value);
  return { codec, value: decoded.value };
}

function otherVersion(found: GroupVersionKind, expected: GroupVersionKind): StatusError {
  return badRequest(
    `the API version in the data (${apiVersionOf(found)}) does not match the expected API version (${apiVersionOf(expected)})`,
  );
}

function unrecognized(raw: Uint8Array, expected: GroupVersionKind, problem: string): StatusError {
  return badRequest(`the object provided is unrecognized (must be of type ${expected.kind}): ${problem} (${summary(raw)})`);
}

/** Returns the strict YAML reader's errors about duplicate keys, one a line. */
function duplicateKeys(read: () => string): string[] {
  try {
    read();
    return [];
  } catch (error) {
    const [first, ...lines] = (error instanceof Error ? error.message : String(error)).split('\n');
    return first === 'yaml: unmarshal errors:' ? lines.map(line => line.trim()) : [];
  }
}

/** Options for decoding a body. */
export interface BodyReading {
  readonly codec: Codec;
  readonly validation: FieldValidation;
  /** Receives what strict validation would refuse. */
  readonly warn: (texts: readonly string[]) => void;
  /** Receives the decoded object, before anything changes it. */
  readonly onDecoded?: ((object: ApiObject) => void) | undefined;
  readonly steps?: StepRecorder | undefined;
}

/**
 * Decodes the body as an object of the endpoint's kind, with defaults. Throws a 400 when that fails. Source: apiserver handlers/create.go,
 * runtime/serializer/json.
 */
export function decodeBody(body: BodyText, reading: BodyReading): ApiObject {
  reading.steps?.enter({ kind: 'decode', phase: 'request' });
  const object = decodedBody(body, reading);
  reading.onDecoded?.(object);
  return object;
}

function decodedBody(body: BodyText, reading: BodyReading): ApiObject {
  const { codec, validation, warn } = reading;
  if (isCustomCodec(codec)) return decodeCustomBody(body, reading);
  const { kind: said, node } = interpretBody(codec.server, body, codec.kind);
  const kind = withKindOfUrl(said, codec.kind);
  if (kind.version === '') throw badRequest(`${cannotHandle(kind, codec)}Object 'apiVersion' is missing in '${decodeUtf8Bytes(body.raw)}'`);
  const source = sourceCodec(kind, codec);
  const decoded = decodeAs({ json: body.json, node }, source, codec);
  const strictErrors = [...body.strictErrors, ...decoded.strictErrors].slice(0, 100);
  if (strictErrors.length > 0 && validation === 'Strict') {
    throw badRequest(`${cannotHandle(kind, codec)}strict decoding error: ${strictText(body.strictErrors, decoded.strictErrors)}`);
  }
  if (validation === 'Warn') warn(strictErrors);
  if (source !== codec && !takesOtherVersions(codec.kind)) throw otherVersion(source.kind, codec.kind);
  reading.steps?.enter({ kind: 'defaults', phase: 'request' }, () => source.encode(decoded.value));
  orCannotHandle(source.kind, codec, () => source.applyDefaults(decoded.value));
  // The Scale of a custom resource keeps the type that the body names, or none.
  if (codec.patched === undefined) decoded.value.set('kind', source.kind.kind).set('apiVersion', apiVersionOf(source.kind));
  const value = source === codec ? decoded.value : convertBuiltIn(reading.codec.server, decoded.value, source.kind, codec.kind);
  return { codec, value };
}

/** Reports whether the endpoint accepts other versions than the URL's: only evictions. */
function takesOtherVersions({ kind }: GroupVersionKind): boolean {
  return kind === 'Eviction';
}

function strictText(yaml: readonly string[], json: readonly string[]): string {
  const first = yaml.length === 0 ? [] : [`yaml: unmarshal errors:\n  ${yaml.join('\n  ')}`];
  return [...first, ...json].slice(0, 100).join(', ');
}

/** Returns the type in the body; empty where it is missing. */
function interpretBody(server: ApiServer, body: BodyText, expected: GroupVersionKind): Interpreted {
  try {
    return interpretDocument(body.json, server);
  } catch (error) {
    if (error instanceof DecodeError) throw unrecognized(body.raw, expected, error.message);
    throw error;
  }
}

/** Returns a built-in kind with missing parts filled in from the URL. Source: apimachinery serializer/json gvkWithDefaults. */
function withKindOfUrl(said: GroupVersionKind, expected: GroupVersionKind): GroupVersionKind {
  const kind = said.kind === '' ? expected.kind : said.kind;
  const isMissing = said.version === '' && (said.group === '' || said.group === expected.group);
  return { group: isMissing ? expected.group : said.group, version: isMissing ? expected.version : said.version, kind };
}

/** Returns the codec for the body: for its own type if it is another version of the endpoint's kind. */
function sourceCodec(kind: GroupVersionKind, codec: Codec): Codec {
  if (sameGroupVersion(kind, codec.kind) && kind.kind === codec.kind.kind) return codec;
  const other = builtInCodec(codec.server, kind);
  if (other === undefined) {
    throw badRequest(
      `${cannotHandle(kind, codec)}no kind ${quote(kind.kind)} is registered for version ${quote(apiVersionOf(kind))} in scheme "${schemeName(codec.server)}"`,
    );
  }
  return other;
}

function decodeAs(
  { json, node }: { readonly json: string; readonly node: JsonNode },
  source: Codec,
  codec: Codec,
): ReturnType<Codec['decode']> {
  return orCannotHandle(source.kind, codec, () => {
    const decoded = source.decode(json, node);
    if (source !== codec && source.kind.kind !== codec.kind.kind) {
      throw new DecodeError(unknownConversion(codec.server, source.kind, codec.kind));
    }
    return decoded;
  });
}

/** Returns the decoded and defaulted body, or throws a 400 with the reason. */
function orCannotHandle<T>(kind: GroupVersionKind, codec: Codec, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof DecodeError) throw badRequest(`${cannotHandle(kind, codec)}${error.message}`);
    throw error;
  }
}

function cannotHandle(kind: GroupVersionKind, codec: Codec): string {
  return `${kind.kind} in version ${quote(kind.version)} cannot be handled as a ${codec.kind.kind}: `;
}

/** Returns the first 30 bytes of a body: as text when it looks like JSON, else in hexadecimal. */
function summary(raw: Uint8Array): string {
  if (raw.length === 0) return '<empty>';
  const first = raw.slice(0, 30);
  const text = raw[0] === 0x7b ? decodeUtf8Bytes(first) : Buffer.from(first).toString('hex');
  return raw.length > 30 ? `${text} ...` : text;
}
