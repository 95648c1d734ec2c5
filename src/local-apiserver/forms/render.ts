import { type Encoding, mediaTypes } from '../../apiserver/endpoints/negotiation.js';
import { listFrame, type ShownList } from '../../apiserver/handlers/list-body.js';
import { partialObject } from '../../apiserver/handlers/partial-object.js';
import type { ApiObject } from '../../apiserver/objects/api-object.js';
import { isCustomCodec } from '../../apiserver/objects/custom-codec.js';
import { envelopeAround } from '../../apiserver/objects/protobuf/envelope.js';
import { WireWriter } from '../../apiserver/objects/protobuf/wire-writer.js';
import type { ServedCall, ShownToServing } from '../../apiserver/report/serving.js';
import { textOfShownObject, writeShownMessage } from '../../apiserver/storage/shown-object.js';
import { cborOfJson } from '../../encoding/cbor/write-cbor.js';
import { writeStatus } from '../../encoding/status-json.js';
import { readUnstructured } from '../../encoding/unstructured.js';
import { stringAt } from '../../go/value.js';
import type { ApiServer } from '../../kubernetes/api-server.js';
import { type GroupVersionKind, parseApiVersion } from '../../kubernetes/group-version.js';
import { notAcceptable } from '../../kubernetes/status-errors.js';
import { bytesOfBody, type HttpReply } from '../http/exchange.js';
import { listBody, type WrittenList } from './list-body.js';
import { errorForm, type Form } from './negotiation.js';
import { protobufObject, writtenDocument, writtenJson, writtenYaml } from './written-object.js';

const statusKind = { group: '', version: 'v1', kind: 'Status' };

/** Context for rendering a reply. */
export interface FormRendering {
  readonly form: Form;
  readonly accept: string;
  /** Forms that the endpoint supports. */
  readonly formats: readonly Encoding[];
  /** Requested by the client, or the client is a browser or similar. */
  readonly pretty: boolean;
  /** Renders a Table, which needs the columns of the kind; undefined for a form that is none. */
  readonly table: (shown: ShownToServing, form: Form) => string | undefined;
}

/** Returns the reply in the negotiated form. Source: apiserver handlers/response.go, responsewriters/writers.go. */
export function rendered(server: ApiServer, { report, shown }: ServedCall, rendering: FormRendering): HttpReply {
  const { answer } = report;
  const { form } = rendering;
  if (answer.status >= 400) return errorReply(server, answer.status, answer.body, rendering);
  const contents = shown?.();
  const isPretty = form.pretty || rendering.pretty;
  if (contents === undefined) {
    if (!answer.body.startsWith('{') || form.format === 'json')
      return reply(answer.status, form.format, isPretty ? writtenJson(answer.body, true) : answer.body);
    return reply(answer.status, form.format, writtenDocument(server, answer.body.trimEnd(), kindIn(answer.body), form.format, isPretty));
  }
  if (form.as === 'object' && form.format === 'json' && contents.type === 'object')
    return reply(answer.status, 'json', isPretty ? writtenJson(answer.body, true) : answer.body);
  if (form.as === 'object' && form.format === 'cbor') return reply(answer.status, 'cbor', cborOfJson(answer.body));
  const pretty = { ...form, pretty: isPretty };
  const table = form.as === 'Table' ? rendering.table(contents, form) : undefined;
  if (table !== undefined) return textReply(answer.status, table, pretty);
  const mismatch = formMismatch(server, contents, form);
  if (mismatch !== undefined) return errorReply(server, 406, writeStatus(mismatch.status), { ...rendering, accept: 'none' });
  return contents.type === 'object' ? objectReply(answer.status, contents.object, pretty) : listReply(answer.status, contents, pretty);
}

function textReply(status: number, json: string, { format, pretty }: Form): HttpReply {
  if (format === 'cbor') return reply(status, format, cborOfJson(json));
  return reply(status, format, format === 'yaml' ? writtenYaml(json) : writtenJson(json, pretty));
}

function reply(status: number, format: Encoding, body: string | Uint8Array): HttpReply {
  return { status, headers: [['Content-Type', mediaTypes[format]]], body };
}

/** Returns an error in a form that the client accepts, or as indented JSON if there is none. */
export function errorReply(
  server: ApiServer,
  status: number,
  json: string,
  { accept, formats, pretty }: Pick<FormRendering, 'accept' | 'formats' | 'pretty'>,
): HttpReply {
  if (!json.startsWith('{'))
    return {
      status,
      headers: [
        ['Content-Type', 'text/plain; charset=utf-8'],
        ['X-Content-Type-Options', 'nosniff'],
      ],
      body: json,
    };
  const form = errorForm(accept, formats);
  if (form === undefined) return reply(status, 'json', writtenJson(json, true));
  const isPretty = form.pretty || pretty;
  if (form.format === 'json') return reply(status, 'json', isPretty ? writtenJson(json, true) : `${json.trimEnd()}\n`);
  return reply(status, form.format, writtenDocument(server, json, statusKind, form.format, false));
}

function kindIn(json: string): GroupVersionKind {
  const document = readUnstructured(json);
  return { ...(parseApiVersion(stringAt(document, 'apiVersion')) ?? { group: '', version: 'v1' }), kind: stringAt(document, 'kind') };
}

/** PartialObjectMetadataList is only valid for lists, and PartialObjectMetadata only for objects. */
function formMismatch(server: ApiServer, shown: ShownToServing, { as }: Form): ReturnType<typeof notAcceptable> | undefined {
  if (as === 'PartialObjectMetadata' && shown.type === 'list')
    return refused(`you requested PartialObjectMetadata, but the requested object is a list (*${internalTypeName(server, shown)})`);
  if (as === 'PartialObjectMetadataList' && shown.type === 'object')
    return refused(`you requested PartialObjectMetadataList, but the requested object is not a list (*${internalTypeName(server, shown)})`);
  return undefined;
}

function refused(message: string): ReturnType<typeof notAcceptable> {
  const error = notAcceptable([]);
  return Object.assign(error, { status: { ...error.status, message } });
}

function objectReply(status: number, object: ApiObject, { as, format, version, pretty }: Form): HttpReply {
  const shown = as === 'PartialObjectMetadata' ? partialObject(object, version) : object;
  if (format === 'protobuf') return reply(status, format, protobufObject(shown));
  return textReply(status, textOfShownObject(shown, 'full'), { as, format, version, pretty });
}

function listReply(status: number, list: ShownList, { as, format, version, pretty }: Form): HttpReply {
  const isPartial = as === 'PartialObjectMetadataList';
  const shown = isPartial ? partialList(list, version) : list;
  if (format === 'protobuf') return { ...reply(status, format, ''), body: listBody(protobufList(shown)) };
  const isPlain = format === 'json' && !pretty;
  const body = listBody(jsonList(shown, { isPartial, end: isPlain ? '\n' : '' }));
  if (isPlain) return { ...reply(status, format, ''), body };
  return textReply(status, bytesOfBody(body).toString('utf8'), { as, format, version, pretty });
}

function partialList(list: ShownList, version: string): ShownList {
  const items = list.items.map(item => partialObject(item, version));
  return { ...list, items, custom: false, kind: 'PartialObjectMetadataList', apiVersion: `meta.k8s.io/${version}` };
}

function jsonList(list: ShownList, { isPartial, end }: { readonly isPartial: boolean; readonly end: string }): WrittenList {
  const { items } = list;
  const { head, tail, itemsAs } = listFrame(list);
  const isWhole = isPartial || itemsAs === 'full';
  const brace = isWhole ? '' : '{';
  // The list of metadata is made by its first item. Source: apiserver endpoints/handlers/response.go asPartialObjectMetadataList.
  const isNull = isPartial && items.length === 0;
  return {
    items,
    form: isWhole ? 'json' : 'json item',
    writeItem: (writer, item, isFirst) => {
      writer.characters(isFirst ? brace : `,${brace}`);
      writer.characters(textOfShownObject(item, isWhole ? 'full' : 'rest'));
    },
    around: () => (isNull ? { head: `${head.slice(0, -1)}null`, tail: `${tail.slice(1)}${end}` } : { head, tail: `${tail}${end}` }),
  };
}

/** Every list is `{1: metadata, 2: repeated items}`. */
function protobufList({ items, kind, apiVersion, metadata }: ShownList): WrittenList {
  const meta = new WireWriter();
  meta.message(1, () => {
    meta.text(1, '');
    meta.text(2, metadata.resourceVersion);
    meta.text(3, metadata.continue);
    if (metadata.remainingItemCount !== undefined) {
      meta.tag(4, 0);
      meta.varint(metadata.remainingItemCount);
    }
    const { shards } = metadata;
    if (shards !== undefined) meta.message(5, () => meta.text(1, shards));
  });
  const start = meta.finish();
  return {
    items,
    form: 'protobuf',
    writeItem: (writer, item) => {
      const message = writer.begin(2);
      writeShownMessage(writer, item);
      writer.end(message);
    },
    around: size => {
      const { head, tail } = envelopeAround({ apiVersion, kind }, start.length + size);
      return { head: Buffer.concat([head, start]), tail };
    },
  };
}

/** Returns the internal Go type of a response, as errors print it: `core.ConfigMapList`. */
function internalTypeName({ scheme }: ApiServer, shown: ShownToServing): string {
  if (shown.type === 'object') {
    const { codec } = shown.object;
    return isCustomCodec(codec) ? 'unstructured.Unstructured' : `${scheme.internalPackage(codec.kind.group)}.${codec.kind.kind}`;
  }
  if (shown.custom) return 'unstructured.UnstructuredList';
  return `${scheme.internalPackage(parseApiVersion(shown.apiVersion)?.group ?? '')}.${shown.kind}`;
}
