import { resourceNotFound } from '../../kubernetes/status-errors.js';
import { headerOf, type Incoming, pathOf, type Reply } from '../http/exchange.js';
import { aggregatedDocument, etagOf } from './aggregated-documents.js';
import { apiVersions, type DiscoveryDocument, groupDocument, groupList, resourceList } from './legacy-documents.js';
import { aggregatedType, checkDocumentRoute, negotiatedDocument, wantsAggregated } from './negotiated-document.js';
import type { Discovered } from './served-groups.js';

/** Input of discovery. */
export interface DiscoverySource {
  readonly found: Discovered;
  readonly address: string;
  readonly pretty: boolean;
}

/** Returns the reply for a discovery path; undefined for other paths and for groups that are not served. Throws a 404, 405, 406 or 415. */
export function discoveryReply(request: Incoming, { found, address, pretty }: DiscoverySource): Reply | undefined {
  const path = pathOf(request);
  const [, root, group, version, ...rest] = path.replace(/\/$/, '').split('/');
  if ((root !== 'api' && root !== 'apis') || rest.length > 0) return undefined;
  const document = documentAt(root, [group, version], found, address);
  if (document === undefined) return undefined;
  // The aggregator and the handler of custom resources answer every method.
  if (root === 'api' || (version !== undefined && !found.isCustom(group ?? ''))) checkDocumentRoute(request);
  const isAggregated = group === undefined && path !== '/apis/' && wantsAggregated(headerOf(request, 'accept') ?? '');
  return isAggregated
    ? aggregatedReply(request, aggregatedDocument(found, root))
    : negotiatedDocument(found.server, request, document, pretty);
}

function documentAt(
  root: string,
  [group, version]: readonly [string | undefined, string | undefined],
  found: Discovered,
  address: string,
): DiscoveryDocument | undefined {
  if (group === undefined) return root === 'api' ? apiVersions(address) : groupList(found);
  const isCore = root === 'api';
  if (version === undefined && !isCore) return groupDocument(found, group);
  if (isCore && version !== undefined) return undefined;
  const list = isCore ? resourceList(found, '', group) : resourceList(found, group, version ?? '');
  if (list !== undefined) return list;
  if (isCore || found.groups.some(g => g.group === group && !found.isCustom(group))) throw resourceNotFound();
  return undefined;
}

function aggregatedReply(request: Incoming, json: string): Reply {
  const body = `${json}\n`;
  const etag = etagOf(body);
  const headers: [string, string][] = [
    ['Cache-Control', 'public'],
    ['ETag', etag],
    ['Vary', 'Accept'],
  ];
  if (headerOf(request, 'if-none-match') === etag) return { status: 304, headers, body: '' };
  return { status: 200, headers: [...headers, ['Content-Type', aggregatedType]], body };
}
