import { decodeTyped } from '../../apiserver/objects/decode-typed.js';
import { interpretDocument } from '../../apiserver/objects/interpret-document.js';
import { yamlToJson } from '../../encoding/yaml.js';
import type { JsonNode } from '../../go/json/node.js';
import { decodeUtf8Bytes } from '../../go/utf8.js';
import { mapAt, type ValueMap } from '../../go/value.js';
import type { GroupVersionKind } from '../../kubernetes/group-version.js';
import { lazy } from '../../kubernetes/memoize.js';
import type { StructSchema } from '../../kubernetes/schema.js';
import { structNamed } from '../../kubernetes/type-table.js';
import { goTypes } from '../go-types.js';
import { readProtobufKind } from './protobuf-review.js';

/** Decoded AdmissionReview. */
export interface DecodedReview {
  /** Kind in the body; empty strings when it is missing. */
  readonly kind: GroupVersionKind;
  /** Its request; empty when there is none. */
  readonly request: ValueMap;
}

/**
 * Decodes a body as controller-runtime does: JSON, YAML or protobuf, of any kind that parses. Throws an Error with Go's message. Source:
 * webhook/admission http.go, apimachinery serializer/recognizer.
 */
export function decodeReview(body: Uint8Array): DecodedReview {
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
