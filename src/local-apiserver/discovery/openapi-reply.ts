import { queryOfRequest } from '../../apiserver/call/request-info.js';
import { setOwnMember } from '../../go/own-members.js';
import { isMap, listAt, stringAt } from '../../go/value.js';
import type { GroupVersionKind } from '../../kubernetes/group-version.js';
import { memoize } from '../../kubernetes/memoize.js';
import { type HttpReply, headerOfRequest, type Incoming, pathOfRequest } from '../http/exchange.js';
import { etagOf } from './aggregated-documents.js';
import { customOpenApi } from './custom-openapi.js';
import type { Document } from './custom-openapi-example.js';
import { customSchemaV2, withDirectReferences } from './custom-openapi-v2.js';
import { pathsV2 } from './custom-paths-v2.js';
import { builtInDocuments, type OpenApiDocument } from './openapi-documents.js';
import { openApiV2Protobuf } from './openapi-v2-protobuf.js';
import type { Plain } from './plain-schema.js';
import { orderedSchema, sortedMap } from './schema-order.js';
import type { Discovered } from './served-groups.js';

/** Returns the OpenAPI v3 documents of all served groups, by path. */
const documentsOf = memoize((found: Discovered): ReadonlyMap<string, OpenApiDocument> => {
  const documents = new Map([...builtInDocuments(found.server)].filter(([path]) => path !== 'v2' && !path.startsWith('crd-')));
  for (const { group, versions } of found.groups) {
    for (const version of versions) {
      const resources = found.resourcesOf(group, version).filter(({ resource }) => resource.custom);
      if (resources.length > 0) documents.set(`apis/${group}/${version}`, customOpenApi(found.server, group, version, resources));
    }
  }
  return documents;
});

/** Returns OpenAPI v2 with the schemas and paths of custom resources. */
const v2Document = memoize((found: Discovered): string => {
  const text = builtInDocuments(found.server).get('v2')?.json() ?? '{}';
  const custom = [...documentsOf(found).values()].filter(({ path }) => !builtInDocuments(found.server).has(path));
  if (custom.length === 0) return text;
  const document = JSON.parse(text) as { readonly paths: Plain; readonly definitions: Plain; readonly parameters: Plain };
  const { paths, definitions } = document;
  for (const { json } of custom) {
    const published = JSON.parse(json()) as Document;
    Object.assign(paths, pathsV2(published.paths, document.parameters));
    const own = Object.entries(published.components.schemas).filter(([name]) => !Object.hasOwn(definitions, name));
    for (const [name, schema] of own) setOwnMember(definitions, name, orderedSchema(publishedV2(schema as Plain, found)));
  }
  return JSON.stringify({ ...document, paths: sortedMap(paths), definitions: sortedMap(definitions) });
});

/** Returns the schema of a custom resource, or of a list of them, as OpenAPI v2 has it. */
function publishedV2(schema: Plain, found: Discovered): unknown {
  const [{ group, version, kind } = unnamed] = (schema['x-kubernetes-group-version-kind'] ?? []) as readonly GroupVersionKind[];
  const custom = found.resourcesOf(group, version).find(({ resource }) => resource.custom && resource.kind.kind === kind);
  if (custom === undefined) return withDirectReferences(schema);
  const own = listAt(custom.definition, 'spec', 'versions').find(entry => stringAt(entry, 'name') === version);
  return customSchemaV2(isMap(own) ? own : undefined, schema);
}

const unnamed: GroupVersionKind = { group: '', version: '', kind: '' };

const protobufV2 = 'application/com.github.proto-openapi.spec.v2.v1.0+protobuf';

/** Documents of the services of API services: their URLs by path. */
export type RemoteDocuments = ReadonlyMap<string, { readonly url: string }>;

/** Returns the reply for an OpenAPI path; undefined for other paths. Source: kube-openapi pkg/handler, handler3. */
export function openApiReply(request: Incoming, found: Discovered, remote: RemoteDocuments = new Map()): HttpReply | undefined {
  const path = pathOfRequest(request);
  if (path === '/openapi/v2') return v2Reply(request, found);
  if (path === '/openapi/v3') return indexReply(found, remote);
  if (!path.startsWith('/openapi/v3/')) return undefined;
  const document = documentsOf(found).get(path.slice('/openapi/v3/'.length));
  if (document === undefined) return { status: 404, headers: [], body: '' };
  const accept = headerOfRequest(request, 'accept') ?? '';
  if (!acceptsJson(accept)) return { status: 406, headers: [['Vary', 'Accept']], body: '' };
  return documentReply(request, document);
}

function documentReply(request: Incoming, { hash, json, path }: OpenApiDocument): HttpReply {
  const etag = `"${hash}"`;
  const headers: [string, string][] = [
    ['Content-Type', 'application/json'],
    ['ETag', etag],
    ['Vary', 'Accept'],
  ];
  const asked = queryOfRequest(request.url).get('hash')?.[0];
  if (asked !== undefined && asked !== hash)
    return { status: 301, headers: [...headers, ['Location', `/openapi/v3/${path}?hash=${hash}`]], body: '' };
  // The path contains the hash, so the contents never change.
  const caching: [string, string][] =
    asked === undefined
      ? []
      : [
          ['Cache-Control', 'public, immutable'],
          ['Expires', 'Fri, 31 Dec 2100 00:00:00 UTC'],
        ];
  if (headerOfRequest(request, 'if-none-match') === etag) return { status: 304, headers: [...headers, ...caching], body: '' };
  return { status: 200, headers: [...headers, ...caching], body: json() };
}

function indexReply(found: Discovered, remote: RemoteDocuments): HttpReply {
  const own = [...documentsOf(found).values()].map(({ path, hash }): [string, string] => [path, `/openapi/v3/${path}?hash=${hash}`]);
  const urls = new Map([...[...remote].map(([path, { url }]): [string, string] => [path, url]), ...own]);
  const entries = [...urls].sort(([a], [b]) => (a < b ? -1 : 1));
  const paths = Object.fromEntries(entries.map(([path, serverRelativeURL]) => [path, { serverRelativeURL }]));
  return { status: 200, headers: [['Content-Type', 'text/plain; charset=utf-8']], body: JSON.stringify({ paths }) };
}

function v2Reply(request: Incoming, found: Discovered): HttpReply {
  const json = v2Document(found);
  const etag = etagOf(json);
  const headers: [string, string][] = [
    ['ETag', etag],
    ['Vary', 'Accept-Encoding'],
    ['Vary', 'Accept'],
  ];
  if (headerOfRequest(request, 'if-none-match') === etag) return { status: 304, headers, body: '' };
  const accept = headerOfRequest(request, 'accept') ?? '';
  if (wantsProtobuf(accept)) return { status: 200, headers: [['Content-Type', protobufV2], ...headers], body: openApiV2Protobuf(json) };
  if (!acceptsJson(accept)) return { status: 406, headers, body: '' };
  return { status: 200, headers: [['Content-Type', 'application/json'], ...headers], body: json };
}

/** There are two spellings of the media type. */
function wantsProtobuf(accept: string): boolean {
  const first = (accept.split(',', 1)[0] ?? '').split(';', 1)[0]?.trim();
  return first === protobufV2 || first === protobufV2.replace('v2.v1.0', 'v2@v1.0');
}

function acceptsJson(accept: string): boolean {
  if (accept === '') return true;
  const ranges = accept.split(',').map(range => (range.split(';', 1)[0] ?? '').trim());
  return ranges.some(range => range === '*/*' || range === 'application/*' || range === 'application/json');
}
