import type { ApiServer } from './api-server.js';
import type { GroupVersionKind } from './group-version.js';
import type { KubernetesMinor } from './kubernetes-version.js';
import { lazy, memoize } from './memoize.js';
import { baseMinor, objectInTable, readTable } from './table-file.js';

/** Resource that the API server serves in one version: built in, or from a CRD. */
export interface Resource {
  readonly group: string;
  readonly version: string;
  /** The plural in the URL: `pods`. */
  readonly resource: string;
  readonly singular: string;
  readonly kind: GroupVersionKind;
  readonly namespaced: boolean;
  readonly verbs: readonly string[];
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  readonly subresources: readonly Subresource[];
  /** Built in, or made from a CustomResourceDefinition. */
  readonly custom: boolean;
}

export interface Subresource {
  readonly name: string;
  /** Kind of the body: Scale, Eviction, PodExecOptions, or the parent's kind. */
  readonly kind: GroupVersionKind;
  readonly verbs: readonly string[];
}

/** Groups with their versions, both in the server's order of preference. */
export interface ServedGroup {
  readonly group: string;
  readonly versions: readonly string[];
}

export interface ResourceTable {
  readonly groups: readonly ServedGroup[];
  readonly resources: readonly Resource[];
}

/** Returns the resources of an API server without flags, or with every API enabled (`--runtime-config=api/all=true`). */
export function builtInResources(server: ApiServer, apis: 'default' | 'all'): ResourceTable {
  return tables(server)[apis]();
}

const tables = memoize(({ minor }: ApiServer) => ({
  default: lazy(() => resourceTableOf(minor, 'default')),
  all: lazy(() => resourceTableOf(minor, 'all')),
}));

/** The same for any minor, not cached. */
export function resourceTableOf(minor: KubernetesMinor, apis: 'default' | 'all'): ResourceTable {
  const data = dataOf(minor, apis);
  return { groups: data.groups, resources: rowsOf(data, apis).map(resourceOf) };
}

function dataOf(minor: KubernetesMinor, apis: 'default' | 'all'): ResourceData {
  const table = readTable(minor, 'resources.json');
  if (table === undefined) throw new Error(`no table of resources for ${minor}`);
  return objectInTable(table, apis) as ResourceData;
}

/** In the tables of other minors, rows equal to those of the base minor are stored as names only. */
function rowsOf(data: ResourceData, apis: 'default' | 'all'): readonly ResourceRow[] {
  if (!data.resources.some(row => typeof row === 'string')) return data.resources as readonly ResourceRow[];
  const rows = dataOf(baseMinor, apis).resources as readonly ResourceRow[];
  const base = new Map(rows.map(row => [`${row.group}/${row.version}/${row.resource}`, row]));
  return data.resources.map(row => {
    const found = typeof row === 'string' ? base.get(row) : row;
    if (found === undefined) throw new Error(`no ${String(row)} in the table of resources of ${baseMinor}`);
    return found;
  });
}

interface KindRow {
  readonly kind: string;
  readonly kindGroup?: string;
  readonly kindVersion?: string;
}

interface ResourceRow extends KindRow {
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly singular: string;
  readonly namespaced: boolean;
  readonly verbs: readonly string[];
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
  readonly subresources?: readonly (KindRow & { readonly name: string; readonly verbs: readonly string[] })[];
}

interface ResourceData {
  readonly groups: readonly ServedGroup[];
  /** A row, or the name of one of the base minor: `apps/v1/deployments`. */
  readonly resources: readonly (ResourceRow | string)[];
}

function resourceOf(row: ResourceRow): Resource {
  return {
    group: row.group,
    version: row.version,
    resource: row.resource,
    singular: row.singular,
    kind: kindIn(row, row),
    namespaced: row.namespaced,
    verbs: row.verbs,
    shortNames: row.shortNames ?? [],
    categories: row.categories ?? [],
    subresources: (row.subresources ?? []).map(s => ({ name: s.name, kind: kindIn(s, row), verbs: s.verbs })),
    custom: false,
  };
}

function kindIn(row: KindRow, parent: ResourceRow): GroupVersionKind {
  return { group: row.kindGroup ?? parent.group, version: row.kindVersion ?? parent.version, kind: row.kind };
}
