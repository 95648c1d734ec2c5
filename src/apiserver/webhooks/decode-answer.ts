import { YamlError, yamlToJson } from '../../encoding/yaml.js';
import { decodeUtf8Bytes } from '../../go/utf8.js';
import type { ValueMap } from '../../go/value.js';
import { trimLeftSpace } from '../../go/white-space.js';
import type { ApiServer } from '../../kubernetes/api-server.js';
import type { GroupVersionKind } from '../../kubernetes/group-version.js';
import { structNamed } from '../../kubernetes/type-table.js';
import { DecodeError } from '../objects/codec.js';
import { decodeTyped } from '../objects/decode-typed.js';
import { interpretDocument } from '../objects/interpret-document.js';
import { notRegistered } from '../objects/not-registered.js';
import { isProtobuf, readAnswerEnvelope, readProtobuf } from './protobuf-answer.js';

/** Response body decoded into a Go type. */
export interface DecodedAnswer {
  /** Type as Go prints it: `v1.AdmissionReview`. */
  readonly goType: string;
  readonly value: ValueMap;
}

/**
 * Decodes the body of a webhook's response into the type that it names, one of the few that the webhook client knows; a missing type is
 * taken from `defaults`. It is protobuf by its prefix, JSON by a leading brace, else YAML, whatever the media type. Throws DecodeError with
 * Go's message. Source: apimachinery serializer/recognizer, serializer/json Serializer.Decode.
 */
export function decodeAnswer(
  server: ApiServer,
  body: Uint8Array,
  defaults: GroupVersionKind,
  scheme: AnswerScheme = admissionScheme,
): DecodedAnswer {
  if (isProtobuf(body)) {
    const envelope = readAnswerEnvelope(body, defaults);
    return { goType: goTypeOf(registeredType(server, envelope.kind, scheme)), value: readProtobuf(envelope) };
  }
  const text = decodeUtf8Bytes(body);
  const json = trimLeftSpace(text).startsWith('{') ? text : fromYaml(text);
  const { kind: named, node } = interpretDocument(json);
  const kind = withDefaults(named, defaults);
  if (kind.kind === '') throw new DecodeError(`Object 'Kind' is missing in '${text}'`);
  if (kind.version === '') throw new DecodeError(`Object 'apiVersion' is missing in '${text}'`);
  const type = registeredType(server, kind, scheme);
  const value = type === internalEvent ? new Map() : decodeTyped(json, structNamed(server, type), node).value;
  return { goType: goTypeOf(type), value };
}

function registeredType(server: ApiServer, kind: GroupVersionKind, scheme: AnswerScheme): string {
  const type = scheme(kind);
  if (type === undefined) throw new DecodeError(notRegistered(server, kind));
  return type;
}

/** Returns `v1.AdmissionReview` for `admission/v1.AdmissionReview`. */
function goTypeOf(type: string): string {
  return type.slice(type.lastIndexOf('/') + 1);
}

/** Go decodes this one into an interface; the result is never a review. */
const internalEvent = 'meta/v1.InternalEvent';

/** Source: apimachinery serializer/json gvkWithDefaults. */
function withDefaults(named: GroupVersionKind, defaults: GroupVersionKind): GroupVersionKind {
  const isBare = named.version === '' && (named.group === '' || named.group === defaults.group);
  const { group, version } = isBare ? defaults : named;
  return { group, version, kind: named.kind === '' ? defaults.kind : named.kind };
}

/** Returns the type of a kind that a client knows, by its name in the table of types; undefined for any other kind. */
export type AnswerScheme = (kind: GroupVersionKind) => string | undefined;

/** Scheme of the conversion webhook client. Source: apiextensions-apiserver apis/apiextensions. */
export function conversionScheme({ group, version, kind }: GroupVersionKind): string | undefined {
  if (group === 'apiextensions.k8s.io' && (version === 'v1' || version === 'v1beta1')) {
    if (definitionKinds.has(kind)) return `apiextensions/${version}.${kind}`;
    if (inEveryGroup.has(kind)) return `meta/v1.${kind}`;
  }
  if (group === 'apiextensions.k8s.io' && version === '__internal' && kind === 'WatchEvent') return internalEvent;
  return withoutVersion.has(kind) ? `meta/v1.${kind}` : undefined;
}

const definitionKinds = new Set(['ConversionReview', 'CustomResourceDefinition', 'CustomResourceDefinitionList']);

/** Scheme of the admission webhook client. */
function admissionScheme({ group, version, kind }: GroupVersionKind): string | undefined {
  if (group === 'admission.k8s.io' && (version === 'v1' || version === 'v1beta1')) {
    if (kind === 'AdmissionReview') return `admission/${version}.AdmissionReview`;
    if (inEveryGroup.has(kind)) return `meta/v1.${kind}`;
  }
  if (group === 'admission.k8s.io' && version === '__internal' && kind === 'WatchEvent') return internalEvent;
  return withoutVersion.has(kind) ? `meta/v1.${kind}` : undefined;
}

/** Source: apimachinery meta/v1 AddToGroupVersion. */
const inEveryGroup = new Set([
  'WatchEvent',
  'ListOptions',
  'GetOptions',
  'DeleteOptions',
  'CreateOptions',
  'UpdateOptions',
  'PatchOptions',
]);
const withoutVersion = new Set(['Status', 'APIVersions', 'APIGroup', 'APIGroupList', 'APIResourceList']);

function fromYaml(text: string): string {
  try {
    return yamlToJson(text);
  } catch (error) {
    if (error instanceof YamlError) throw new DecodeError(error.message);
    throw error;
  }
}
