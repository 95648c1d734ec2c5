import type { ApiServer } from '../../kubernetes/api-server.js';
import { builtInResources, type Resource, type ResourceTable } from '../../kubernetes/resource-table.js';
import { serverOptions } from '../../kubernetes/server-options.js';

/**
 * Returns the resources served with these flags: `--runtime-config` enables and disables versions by stability (`api/beta=true`) or one by
 * one (`apps/v1=false`). Source: apiserver server/resourceconfig/helpers.go.
 */
export function resourcesByFlags(server: ApiServer, flags: readonly string[]): ResourceTable {
  const settings = serverOptions(flags).runtimeConfig;
  if (settings.size === 0) return builtInResources(server, 'default');
  const all = builtInResources(server, 'all');
  const isDefault = new Set(builtInResources(server, 'default').resources.map(nameOf));
  const resources = all.resources.filter(r => (isOn(r, settings) ?? isDefault.has(nameOf(r))) && isInstalled(server, r));
  const served = new Set(resources.map(r => `${r.group}/${r.version}`));
  const groups = all.groups.map(({ group, versions }) => ({ group, versions: versions.filter(v => served.has(`${group}/${v}`)) }));
  return { groups: groups.filter(g => g.versions.length > 0), resources };
}

/** Resources that are only installed if a gate is enabled. Source: kubernetes pkg/registry, the rest packages of the groups. */
const gates: ReadonlyMap<string, string> = new Map([
  ['certificates.k8s.io/clustertrustbundles', 'ClusterTrustBundle'],
  ['certificates.k8s.io/podcertificaterequests', 'PodCertificateRequest'],
  ['lifecycle.k8s.io/evictionrequests', 'EvictionRequestAPI'],
  ['lifecycle.k8s.io/evictions', 'EvictionRequestAPI'],
  ['scheduling.k8s.io/workloads', 'GenericWorkload'],
  ['scheduling.k8s.io/podgroups', 'GenericWorkload'],
  ['scheduling.k8s.io/compositepodgroups', 'CompositePodGroup'],
  ['storagemigration.k8s.io/storageversionmigrations', 'StorageVersionMigrator'],
]);

function isInstalled(server: ApiServer, { group, resource }: Resource): boolean {
  const gate = gates.get(`${group}/${resource}`);
  return gate === undefined || server.isEnabled(gate);
}

/** Returns the most specific setting; undefined if none applies. */
function isOn({ group, version, resource }: Resource, settings: ReadonlyMap<string, boolean>): boolean | undefined {
  const own = `${group === '' ? '' : `${group}/`}${version}`;
  return settings.get(`${own}/${resource}`) ?? settings.get(own) ?? settings.get(stability(version)) ?? settings.get('api/all');
}

function stability(version: string): string {
  if (version.includes('alpha')) return 'api/alpha';
  return version.includes('beta') ? 'api/beta' : 'api/ga';
}

function nameOf({ group, version, resource }: Resource): string {
  return `${group}/${version}/${resource}`;
}
