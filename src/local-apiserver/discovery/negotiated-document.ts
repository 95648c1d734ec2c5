import { type Encoding, mediaTypes } from '../../apiserver/endpoints/negotiation.js';
import type { ApiServer } from '../../kubernetes/api-server.js';
import { notAcceptable } from '../../kubernetes/status-errors.js';
import { checkReadOnlyRoute, formOf } from '../forms/negotiation.js';
import { writtenDocument } from '../forms/written-object.js';
import { headerOf, type Incoming, type Reply } from '../http/exchange.js';
import type { DiscoveryDocument } from './legacy-documents.js';

const formats: readonly Encoding[] = ['json', 'yaml', 'protobuf'];

/** Throws the router's 405, 415 or 406 for a discovery document with a route of its own. */
export function checkDocumentRoute(request: Incoming): void {
  checkReadOnlyRoute(
    request,
    formats.map(format => mediaTypes[format]),
  );
}

/** Returns a discovery document in a form that the client accepts. Throws a 406. */
export function negotiatedDocument(server: ApiServer, request: Incoming, { json, kind }: DiscoveryDocument, pretty: boolean): Reply {
  const accept = headerOf(request, 'accept') ?? '';
  const form = formOf(accept, { formats, stream: false, converts: false, custom: false });
  if (form === undefined) throw notAcceptable(formats.map(format => mediaTypes[format]));
  const body = writtenDocument(server, json, kind, form.format, pretty || form.pretty);
  return { status: 200, headers: [['Content-Type', mediaTypes[form.format]]], body };
}

const aggregated = { as: 'APIGroupDiscoveryList', g: 'apidiscovery.k8s.io', v: 'v2' };

/** Reports whether the client prefers aggregated discovery. Source: apiserver endpoints/discovery/aggregated/wrapper.go. */
export function wantsAggregated(accept: string): boolean {
  for (const range of accept.split(',')) {
    const [type = '', ...parameters] = range.split(';').map(part => part.trim());
    const isAggregated = Object.entries(aggregated).every(([key, value]) => parameters.includes(`${key}=${value}`));
    if (isAggregated && (type === 'application/json' || type === 'application/*' || type === '*/*')) return true;
    if (!parameters.some(parameter => parameter.startsWith('as='))) return false;
  }
  return false;
}

/** Media type of aggregated discovery. */
export const aggregatedType = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';
