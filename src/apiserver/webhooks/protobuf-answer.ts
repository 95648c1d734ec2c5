import { type Message, ProtobufError, type ProtobufField, readMessage } from '../../encoding/protobuf.js';
import { decodeGoBase64 } from '../../go/base64.js';
import { mapAt, stringAt, type ValueMap } from '../../go/value.js';
import { apiVersionOf, type GroupVersionKind, parseApiVersion } from '../../kubernetes/group-version.js';
import { DecodeError } from '../objects/codec.js';

/** Reports whether a body starts with the prefix of Kubernetes' protobuf. */
export function isProtobuf(body: Uint8Array): boolean {
  return prefix.every((byte, i) => body[i] === byte);
}

/** Type of a protobuf body, and the bytes of the object in it. */
export interface AnswerEnvelope {
  readonly kind: GroupVersionKind;
  readonly raw: Uint8Array;
}

/**
 * Decodes the envelope of a protobuf body; a missing type is taken from `defaults`. Throws DecodeError. Source: apimachinery
 * serializer/protobuf.
 */
export function readAnswerEnvelope(body: Uint8Array, defaults: GroupVersionKind): AnswerEnvelope {
  if (body.length === prefix.length) throw new DecodeError('empty body');
  const unknown = decoded(body.subarray(prefix.length), unknownObject);
  const apiVersion = stringAt(mapAt(unknown, 'typeMeta'), 'apiVersion');
  const kind = stringAt(mapAt(unknown, 'typeMeta'), 'kind');
  const named = parseApiVersion(apiVersion) ?? { group: '', version: '' };
  const { group, version } = named.version === '' ? defaults : named;
  return { kind: { group, version, kind: kind === '' ? defaults.kind : kind }, raw: decodeGoBase64(stringAt(unknown, 'raw')) };
}

/**
 * Decodes a review or a Status from protobuf; the request in a review is ignored. Any other type gives an empty object. Throws DecodeError.
 */
export function readProtobuf({ kind, raw }: AnswerEnvelope): ValueMap {
  const message = kind.kind === 'AdmissionReview' ? admissionReview : kind.kind === 'Status' ? status : undefined;
  const value = message === undefined ? new Map() : decoded(raw, message);
  return value.set('kind', kind.kind).set('apiVersion', apiVersionOf(kind));
}

/** Prefix: `k8s` and a zero byte. */
const prefix = [0x6b, 0x38, 0x73, 0];

function decoded(bytes: Uint8Array, message: Message): ValueMap {
  try {
    return readMessage(bytes, message);
  } catch (error) {
    if (error instanceof ProtobufError) throw new DecodeError(error.message);
    throw error;
  }
}

function message(name: string, fields: readonly (readonly [number, string, string, ProtobufField['type'], 'pointer'?])[]): Message {
  return {
    name,
    fields: new Map(
      fields.map(([number, goName, jsonName, type, pointer]) => [number, { goName, jsonName, type, pointer: pointer === 'pointer' }]),
    ),
  };
}

const unknownObject = message('Unknown', [
  [
    1,
    'TypeMeta',
    'typeMeta',
    message('TypeMeta', [
      [1, 'APIVersion', 'apiVersion', 'string'],
      [2, 'Kind', 'kind', 'string'],
    ]),
  ],
  [2, 'Raw', 'raw', 'bytes'],
  [3, 'ContentEncoding', 'contentEncoding', 'string'],
  [4, 'ContentType', 'contentType', 'string'],
]);

const status = message('Status', [
  [
    1,
    'ListMeta',
    'metadata',
    message('ListMeta', [
      [1, 'SelfLink', 'selfLink', 'string'],
      [2, 'ResourceVersion', 'resourceVersion', 'string'],
      [3, 'Continue', 'continue', 'string'],
      [4, 'RemainingItemCount', 'remainingItemCount', 'int64', 'pointer'],
    ]),
  ],
  [2, 'Status', 'status', 'string'],
  [3, 'Message', 'message', 'string'],
  [4, 'Reason', 'reason', 'string'],
  [
    5,
    'Details',
    'details',
    message('StatusDetails', [
      [1, 'Name', 'name', 'string'],
      [2, 'Group', 'group', 'string'],
      [3, 'Kind', 'kind', 'string'],
      [
        4,
        'Causes',
        'causes',
        {
          listOf: message('StatusCause', [
            [1, 'Type', 'reason', 'string'],
            [2, 'Message', 'message', 'string'],
            [3, 'Field', 'field', 'string'],
          ]),
        },
      ],
      [5, 'RetryAfterSeconds', 'retryAfterSeconds', 'int32'],
      [6, 'UID', 'uid', 'string'],
    ]),
  ],
  [6, 'Code', 'code', 'int32'],
]);

const admissionReview = message('AdmissionReview', [
  [
    2,
    'Response',
    'response',
    message('AdmissionResponse', [
      [1, 'UID', 'uid', 'string'],
      [2, 'Allowed', 'allowed', 'bool'],
      [3, 'Result', 'status', status],
      [4, 'Patch', 'patch', 'bytes'],
      [5, 'PatchType', 'patchType', 'string', 'pointer'],
      [6, 'AuditAnnotations', 'auditAnnotations', 'textMap'],
      [7, 'Warnings', 'warnings', 'texts'],
    ]),
  ],
]);
