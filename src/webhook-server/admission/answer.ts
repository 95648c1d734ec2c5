import { decodeTyped } from '../../apiserver/objects/decode-typed.js';
import { interpretDocument } from '../../apiserver/objects/interpret-document.js';
import { type Message, readMessage } from '../../encoding/protobuf.js';
import { yamlToJson } from '../../encoding/yaml.js';
import type { JsonNode } from '../../go/json/node.js';
import { decodeUtf8Bytes } from '../../go/utf8.js';
import { mapAt, stringAt, type ValueMap } from '../../go/value.js';
import { type GroupVersionKind, parseApiVersion } from '../../kubernetes/group-version.js';
import { lazy } from '../../kubernetes/memoize.js';
import type { StructSchema } from '../../kubernetes/schema.js';
import { structNamed } from '../../kubernetes/type-table.js';
import { createPatchText } from '../api/create-patch.js';
import { errored, messageOfResponse } from '../api/responses.js';
import type { AdmissionRequest, AdmissionResponse, AdmissionWebhook } from '../api/types.js';
import { goTypes } from '../go-types.js';
import { ConnectionAborted, type HttpHandler, type HttpResponse, headerOfMessage, sniffedText } from '../http/message.js';
import { reviewText } from './encode-review.js';
import { requestOf } from './request-of.js';

/** Observers of admission events. */
export interface AdmissionObserver {
  /** Called when a handler panics. */
  readonly onPanic: (value: unknown) => void;
  /** Called when a request cannot be read or a response not be written, which controller-runtime logs. */
  readonly onError: (message: string, error: string) => void;
}

/** controller-runtime's limit of a body; a body of exactly this size is refused. */
const maxRequestBytes = 7 * 1024 * 1024;

/** Returns an HTTP handler that answers AdmissionReviews. Source: controller-runtime webhook/admission http.go, webhook.go. */
export function admissionHandler(webhook: AdmissionWebhook, observer: AdmissionObserver): HttpHandler {
  return async request => {
    const refused = (code: number, log: string, error: string): HttpResponse => {
      observer.onError(log, error);
      return sniffedText(reviewText(errored(code, new Error(error)), undefined));
    };
    if (!request.hasBody) return refused(400, 'bad request', 'request body is empty');
    const { bytes, error } = await request.readBody(maxRequestBytes);
    if (error !== undefined) return refused(400, 'unable to read the body from the incoming request', error);
    if (bytes.length >= maxRequestBytes) {
      const tooLarge = `request entity is too large; limit is ${maxRequestBytes} bytes`;
      return refused(413, 'unable to read the body from the incoming request; limit reached', tooLarge);
    }
    const contentType = headerOfMessage(request.headers, 'content-type');
    if (contentType !== 'application/json') {
      const shown = Buffer.from(contentType, 'latin1').toString('utf8');
      return refused(400, 'unable to process a request with unknown content type', `contentType=${shown}, expected application/json`);
    }
    let review: DecodedReview;
    try {
      review = decodeReview(bytes);
    } catch (failure) {
      return refused(400, 'unable to decode the request', messageOfResponse(failure));
    }
    const response = await handleAdmission(requestOf(review.request), webhook, observer);
    return sniffedText(reviewText(response, review.kind));
  };
}

/** Returns the complete response of a webhook to a request. Throws ConnectionAborted for a panic that is not recovered. */
async function handleAdmission(
  request: AdmissionRequest,
  webhook: AdmissionWebhook,
  observer: AdmissionObserver,
): Promise<AdmissionResponse> {
  const { uid } = request;
  let response: AdmissionResponse;
  try {
    const answer = webhook.handler(request);
    response = answer instanceof Promise ? await answer : answer;
    if (typeof response !== 'object' || response === null)
      throw new TypeError(`the handler returned ${String(response)}: expected a response such as allowed()`);
  } catch (thrown) {
    observer.onPanic(thrown);
    if (!webhook.recoverPanic) throw new ConnectionAborted(messageOfResponse(thrown));
    return complete(errored(500, new Error(`panic: ${messageOfResponse(thrown)} [recovered]`)), uid);
  }
  try {
    return complete(response, uid);
  } catch (error) {
    observer.onError('unable to encode response', messageOfResponse(error));
    return complete(errored(500, new Error('unable to encode response')), uid);
  }
}

/** Source: webhook/admission webhook.go Response.Complete. */
function complete(response: AdmissionResponse, uid: string): AdmissionResponse {
  const { status, patches = [] } = response;
  const completed = { ...response, uid, status: { ...status, code: status?.code || 200 } };
  return patches.length === 0 ? completed : { ...completed, patch: createPatchText(patches), patchType: 'JSONPatch' };
}

/** Decoded AdmissionReview. */
interface DecodedReview {
  /** Kind in the body; empty strings when it is missing. */
  readonly kind: GroupVersionKind;
  /** Its request; empty when there is none. */
  readonly request: ValueMap;
}

/**
 * Decodes a body as controller-runtime does: JSON, YAML or protobuf, of any kind that parses. Throws an Error with Go's message. Source:
 * webhook/admission http.go, apimachinery serializer/recognizer.
 */
function decodeReview(body: Uint8Array): DecodedReview {
  const protobuf = readProtobufKind(body);
  if (protobuf !== undefined) return { kind: protobuf, request: new Map() };
  const sent = decodeUtf8Bytes(body);
  const text = /^[ \t\n\r\f\v\u0085\u00a0]*\{/.test(sent) ? sent : yamlToJson(sent);
  const { kind, node } = interpretDocument(text);
  const { value } = decodeTyped(text, reviewSchema(), node);
  const first = withoutEarlyNull(node);
  const request = mapAt(first === node ? value : decodeTyped(text, reviewSchema(), first).value, 'request');
  return { kind, request: request ?? new Map() };
}

/** Type into which controller-runtime decodes a review: it embeds AdmissionReview. */
const reviewSchema = lazy((): StructSchema => {
  const fields = structNamed(goTypes, 'admission/v1.AdmissionReview').fields.map(field => ({
    ...field,
    declaredBy: 'unversionedAdmissionReview',
    embeddedIn: ['AdmissionReview', ...(field.embeddedIn ?? [])],
  }));
  return {
    type: 'struct',
    server: goTypes,
    name: 'unversionedAdmissionReview',
    goName: 'admission.unversionedAdmissionReview',
    fields,
    fieldsByName: new Map(fields.map(field => [field.name, field])),
  };
});

/** Returns the document up to a `request` that is null: contents of later ones do not reach Go's request. */
function withoutEarlyNull(node: JsonNode): JsonNode {
  if (node.type !== 'object') return node;
  const at = node.members.findIndex(({ key, value }) => key === 'request' && value.type === 'literal' && value.value === null);
  return at < 0 ? node : { ...node, members: node.members.slice(0, at) };
}

const magic = [0x6b, 0x38, 0x73, 0x00];

const typeMeta: Message = {
  name: 'TypeMeta',
  fields: new Map([
    [1, { goName: 'APIVersion', jsonName: 'apiVersion', type: 'string' }],
    [2, { goName: 'Kind', jsonName: 'kind', type: 'string' }],
  ]),
};

const unknown: Message = {
  name: 'Unknown',
  fields: new Map([
    [1, { goName: 'TypeMeta', jsonName: 'typeMeta', type: typeMeta }],
    [2, { goName: 'Raw', jsonName: 'raw', type: 'bytes' }],
    [3, { goName: 'ContentEncoding', jsonName: 'contentEncoding', type: 'string' }],
    [4, { goName: 'ContentType', jsonName: 'contentType', type: 'string' }],
  ]),
};

/**
 * Returns the kind of a body in Kubernetes' protobuf envelope, whose contents controller-runtime ignores; undefined for a body of another
 * format. Throws an Error with Go's message. Source: apimachinery serializer/protobuf Serializer.Decode.
 */
function readProtobufKind(body: Uint8Array): GroupVersionKind | undefined {
  if (!magic.every((byte, i) => body[i] === byte)) return undefined;
  if (body.length === magic.length) throw new Error('empty body');
  const read = readMessage(body.subarray(magic.length), unknown);
  const apiVersion = stringAt(read, 'typeMeta', 'apiVersion');
  const groupVersion = parseApiVersion(apiVersion);
  if (groupVersion === undefined) throw new Error(`unexpected GroupVersion string: ${apiVersion}`);
  return { ...groupVersion, kind: stringAt(read, 'typeMeta', 'kind') };
}
