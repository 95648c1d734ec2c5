import type { CallContext } from '../../apiserver/call/call-context.js';
import type { WatchCache } from '../../apiserver/call/watch-cache.js';
import { partialObject } from '../../apiserver/handlers/partial-object.js';
import type { ApiObject } from '../../apiserver/objects/api-object.js';
import { builtInCodec } from '../../apiserver/objects/built-in-codec.js';
import { isCustomCodec } from '../../apiserver/objects/custom-codec.js';
import { writeFrame } from '../../apiserver/objects/protobuf/envelope.js';
import { decodeShownObject, textOfShownObject } from '../../apiserver/storage/shown-object.js';
import { cborEvent, cborOfJson } from '../../encoding/cbor/write-cbor.js';
import { writeStatus } from '../../encoding/status-json.js';
import { toValue, type ValueMap } from '../../go/value.js';
import type { ApiServer } from '../../kubernetes/api-server.js';
import { apiVersionOf } from '../../kubernetes/group-version.js';
import type { StatusError } from '../../kubernetes/status.js';
import type { Form } from '../forms/negotiation.js';
import { protobufObject } from '../forms/written-object.js';

export type EventType = 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK' | 'ERROR';

/** Encodes the events of one watch. */
export interface EventWriter {
  /** A stored object in the version of the watch. */
  shown(stored: ValueMap): Promise<ApiObject>;
  /** Returns the encoded event; undefined if the form omits it. */
  frame(type: EventType, stored: ValueMap): Promise<string | Uint8Array | undefined>;
  /** The same for an object in the version of the watch. */
  frameOf(type: EventType, object: ApiObject): Promise<string | Uint8Array | undefined>;
}

/** Returns the encoder for the form of a watch. */
export function eventWriter(context: CallContext, form: Form, cache: WatchCache | undefined): EventWriter {
  const decodeShown = (stored: ValueMap): Promise<ApiObject> => cache?.decoded(stored) ?? decodeShownObject(stored, context);
  let isFirst = true;
  const writer: EventWriter = {
    shown: decodeShown,
    frame: async (type, stored) => writer.frameOf(type, await decodeShown(stored)),
    frameOf: async (type, object) => {
      if (form.as === 'Table') {
        const { printedTableOf } = await import('../tables/table.js');
        const table = printedTableOf(
          { type: 'object', object },
          {
            server: context.server,
            version: form.version,
            includeObject: context.query.get('includeObject')?.[0] ?? '',
            resource: context.endpoint.resource,
            withColumns: isFirst,
            definition: context.definition,
            now: context.effects.now(),
          },
        );
        isFirst = false;
        return `{"type":"${type}","object":${table}}\n`;
      }
      // PartialObjectMetadataList cannot represent a single object.
      if (form.as === 'PartialObjectMetadataList') return undefined;
      return written(type, form.as === 'PartialObjectMetadata' ? partialObject(object, form.version) : object, form);
    },
  };
  return writer;
}

function written(type: EventType, object: ApiObject, form: Form): string | Uint8Array {
  if (form.format === 'protobuf') return writeFrame(type, protobufObject(object));
  if (form.format === 'cbor') return cborEvent(type, cborOfJson(textOfShownObject(object, 'full')));
  return `{"type":"${type}","object":${textOfShownObject(object, 'full')}}\n`;
}

/** Returns an object of the kind with only its resourceVersion. */
export async function encodeBookmark(
  { codec }: CallContext,
  form: Form,
  { revision, initial }: { readonly revision: number; readonly initial: boolean },
): Promise<string | Uint8Array> {
  const annotations = initial ? { annotations: { 'k8s.io/initial-events-end': 'true' } } : {};
  const metadata = { resourceVersion: String(revision), ...(isCustomCodec(codec) ? {} : {}), ...annotations };
  const value = toValue({ kind: codec.kind.kind, apiVersion: apiVersionOf(codec.kind), metadata }) as ValueMap;
  if (form.as === 'Table') {
    const { bookmarkTable } = await import('../tables/table.js');
    return `{"type":"BOOKMARK","object":${bookmarkTable({ codec, value }, form.version)}}\n`;
  }
  const object = { codec, value };
  return written('BOOKMARK', form.as === 'object' ? object : partialObject(object, form.version), form);
}

const statusKind = { group: '', version: 'v1', kind: 'Status' };

/** The error that ends a watch. */
export function errorFrame(server: ApiServer, { status }: StatusError, form: Form): string | Uint8Array {
  const json = writeStatus(status);
  if (form.format === 'cbor') return cborEvent('ERROR', cborOfJson(json));
  if (form.format !== 'protobuf') return `{"type":"ERROR","object":${json}}\n`;
  const codec = builtInCodec(server, statusKind);
  if (codec === undefined) throw new Error('no type Status in the table of Kubernetes types');
  return writeFrame('ERROR', protobufObject({ codec, value: codec.decode(json).value }));
}
