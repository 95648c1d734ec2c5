import type { ServedGroup } from '../../kubernetes/resource-table.js';
import { resourceNotFound } from '../../kubernetes/status-errors.js';
import { headerOf, type Incoming, pathOf, type Reply } from '../http/exchange.js';
import { aggregatedDocument, etagOf } from './aggregated-documents.js';
import { apiVersions, type DiscoveryDocument, groupDocument, groupList, resourceList } from './legacy-documents.js';
import { aggregatedType, checkDocumentRoute, negotiatedDocument, wantsAggregated } from './negotiated-document.js';
import type { Discovered } from './served-groups.js';

/** Input of discovery. */
export interface DiscoverySource {
  readonly found: Discovered;
  /** Groups and versions that are listed, and not served. */
  readonly written: readonly ServedGroup[];
  readonly address: string;
  readonly pretty: boolean;
}

/** Returns the reply for a discovery path; undefined for other paths and for groups that are not served. Throws a 404, 405, 406 or 415. */
export function discoveryReply(request: Incoming, { found, written, address, pretty }: DiscoverySource): Reply | undefined {
  const path = pathOf(request);
  const [, root, group, version, ...rest] = path.replace(/\/$/, '').split('/');
  if ((root !== 'api' && root !== 'apis') || rest.length > 0) return undefined;
  const document = documentAt(root, [group, version], { found, groups: withWritten(found.groups, written), address });
  if (document === undefined) return undefined;
  // The aggregator and the handler of custom resources answer every method.
  if (root === 'api' || (version !== undefined && !found.isCustom(group ?? ''))) checkDocumentRoute(request);
  const isAggregated = group === undefined && path !== '/apis/' && wantsAggregated(headerOf(request, 'accept') ?? '');
  return isAggregated
    ? aggregatedReply(request, aggregatedDocument(found, root, written))
    : negotiatedDocument(found.server, request, document, pretty);
}

function documentAt(
  root: string,
  [group, version]: readonly [string | undefined, string | undefined],
  { found, groups, address }: { readonly found: Discovered; readonly groups: readonly ServedGroup[]; readonly address: string },
): DiscoveryDocument | undefined {
  if (group === undefined) return root === 'api' ? apiVersions(address) : groupList({ groups });
  const isCore = root === 'api';
  if (version === undefined && !isCore) return groupDocument({ groups }, group);
  if (isCore && version !== undefined) return undefined;
  const list = isCore ? resourceList(found, '', group) : resourceList(found, group, version ?? '');
  if (list !== undefined) return list;
  if (isCore || found.groups.some(g => g.group === group && !found.isCustom(group))) throw resourceNotFound();
  return undefined;
}

function withWritten(served: readonly ServedGroup[], written: readonly ServedGroup[]): readonly ServedGroup[] {
  if (written.length === 0) return served;
  const more = new Map(written.map(({ group, versions }) => [group, versions]));
  const extended = served.map(({ group, versions }) => ({ group, versions: [...new Set([...versions, ...(more.get(group) ?? [])])] }));
  return [...extended, ...written.filter(({ group }) => !served.some(other => other.group === group))];
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
