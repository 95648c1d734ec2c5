import type { ServedEndpoint } from '../../apiserver/call/served-resources.js';
import { matchesRoute, parseAccept } from '../../apiserver/endpoints/accept-header.js';
import { type Encoding, encodingsOf, mediaTypes } from '../../apiserver/endpoints/negotiation.js';
import { hasTables } from '../../apiserver/handlers/has-tables.js';
import type { ApiServer } from '../../kubernetes/api-server.js';
import { failure, methodNotAllowed, notAcceptable, unroutedMediaType } from '../../kubernetes/status-errors.js';
import { headerOfRequest, type Incoming } from '../http/exchange.js';

/** Negotiated form of a response. */
export interface Form {
  readonly format: Encoding;
  /** Target of the conversion. */
  readonly as: 'object' | 'PartialObjectMetadata' | 'PartialObjectMetadataList' | 'Table';
  /** `v1` or `v1beta1` of meta.k8s.io, for Tables and partial objects. */
  readonly version: string;
  readonly pretty: boolean;
}

/** Forms that an endpoint supports. */
export interface Offer {
  readonly formats: readonly Encoding[];
  /** Those of objects, not all of which event streams have. */
  readonly encodings: readonly Encoding[];
  /** Event streams: YAML is not supported. */
  readonly stream: boolean;
  /** Conversion to Tables and partial objects, or only to the latter. */
  readonly converts: 'all' | 'metadata' | 'none';
  /** Custom resources have a protobuf form of their metadata only. */
  readonly custom: boolean;
}

/** Returns the forms that are supported for a call. */
export function offerOf(server: ApiServer, endpoint: ServedEndpoint, stream: boolean): Offer {
  const { resource, verb } = endpoint;
  const all = encodingsOf(server);
  const formats = stream && !resource.custom ? all.filter(hasStreams) : all;
  return {
    formats,
    encodings: all,
    stream,
    converts: verb === 'connect' ? 'none' : hasTables(server, endpoint) ? 'all' : 'metadata',
    custom: resource.custom,
  };
}

/** Returns the form of the response; undefined if none is acceptable. Source: apiserver handlers/negotiation/negotiate.go. */
export function formOf(accept: string, { formats, stream, converts, custom }: Offer): Form | undefined {
  const plain = { as: 'object', version: 'v1', pretty: false } as const;
  if (accept === '') return { format: 'json', ...plain };
  for (const { type, subtype, parameters } of parseAccept(accept)) {
    for (const format of formats) {
      const [, offered] = mediaTypes[format].split('/');
      const fits = type === '*' ? subtype === '*' : type === 'application' && (subtype === '*' || subtype === offered);
      if (!fits) continue;
      if (parameters.has('stream') && (!stream || parameters.get('stream') !== 'watch')) continue;
      const form = converted({ format, ...plain, pretty: parameters.get('pretty') === '1' }, parameters, converts);
      if (form !== undefined && !(custom && hasNoForm(form, stream))) return form;
    }
  }
  return undefined;
}

/** Events are not written as YAML. */
function hasStreams(format: Encoding): boolean {
  return format !== 'yaml';
}

function hasNoForm({ format, as }: Form, stream: boolean): boolean {
  return (format === 'protobuf' && as === 'object') || (stream && format === 'yaml');
}

function converted(form: Form, parameters: ReadonlyMap<string, string>, converts: Offer['converts']): Form | undefined {
  const as = parameters.get('as');
  if (as === undefined || as === '') return form;
  const version = parameters.get('v') ?? '';
  const isMeta = parameters.get('g') === 'meta.k8s.io' && (version === 'v1' || version === 'v1beta1');
  if (converts === 'none' || !isMeta) return undefined;
  if (as === 'Table')
    return form.format === 'protobuf' || form.format === 'cbor' || converts === 'metadata' ? undefined : { ...form, as, version };
  return as === 'PartialObjectMetadata' || as === 'PartialObjectMetadataList' ? { ...form, as, version } : undefined;
}

/** Returns the form of an error, which is never converted to another kind. */
export function errorForm(accept: string, formats: readonly Encoding[]): Form | undefined {
  return formOf(accept, { formats, encodings: formats, stream: false, converts: 'none', custom: false });
}

/**
 * Throws a 406: of the router, which compares media types without parameters, or of the handler. Source: emicklei/go-restful matchesAccept,
 * apiserver handlers/negotiation/errors.go.
 */
export function checkAcceptable(accept: string, offer: Offer, offered: readonly string[]): void {
  if (!offer.custom) checkRoute(accept, offered);
  // The form of objects is negotiated first, then that of the stream.
  const plain = { ...offer, formats: offer.encodings };
  if (formOf(accept, plain) === undefined) throw notAcceptable(offer.encodings.map(format => mediaTypes[format]));
  if (formOf(accept, offer) === undefined) throw notAcceptable(offer.formats.map(offer.custom ? format => mediaTypes[format] : streamType));
}

/**
 * Throws the router's 405, 415 or 406 for a document that is only read; a body's type counts even without a body. Source:
 * emicklei/go-restful jsr311.go detectRoute, route.go matchesContentType.
 */
export function checkReadOnlyRoute(request: Pick<Incoming, 'method' | 'headers'>, types: readonly string[]): void {
  if (request.method !== 'GET') throw methodNotAllowed();
  const contentType = headerOfRequest(request, 'content-type') ?? '';
  const sent = contentType.split(',').map(type => type.split(';', 1)[0]?.trim() ?? '');
  if (contentType !== '' && !sent.some(type => types.includes(type))) throw unroutedMediaType();
  checkRoute(headerOfRequest(request, 'accept') ?? '', types);
}

/** Throws the router's 406 if no media type is accepted. */
export function checkRoute(accept: string, offered: readonly string[]): void {
  if (matchesRoute(accept, offered)) return;
  const message = `406: Not Acceptable\n\nAvailable representations: ${offered.join(', ')}`;
  throw failure({ code: 406, reason: 'NotAcceptable', message, details: {} });
}

/** Returns the media type of a watch in a format. */
export function streamType(format: Encoding): string {
  return format === 'cbor' ? 'application/cbor-seq' : `${mediaTypes[format]};stream=watch`;
}

/** Media types of an endpoint's routes, as listed in its 406. */
export function routeTypes(server: ApiServer, { verb }: ServedEndpoint): readonly string[] {
  const encodings = encodingsOf(server);
  const types = encodings.map(format => mediaTypes[format]);
  return verb === 'list' ? [...types, ...encodings.filter(hasStreams).map(streamType)] : types;
}
