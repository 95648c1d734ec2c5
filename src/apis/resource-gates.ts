/** The gates without which resources, `resource.group`, are not installed. Source: kubernetes pkg/registry, the rest packages of the groups. */
export const resourceGates: ReadonlyMap<string, string> = new Map([
  ['clustertrustbundles.certificates.k8s.io', 'ClusterTrustBundle'],
  ['podcertificaterequests.certificates.k8s.io', 'PodCertificateRequest'],
  ['evictionrequests.lifecycle.k8s.io', 'EvictionRequestAPI'],
  ['evictions.lifecycle.k8s.io', 'EvictionRequestAPI'],
  ['workloads.scheduling.k8s.io', 'GenericWorkload'],
  ['podgroups.scheduling.k8s.io', 'GenericWorkload'],
  ['compositepodgroups.scheduling.k8s.io', 'CompositePodGroup'],
  ['storageversionmigrations.storagemigration.k8s.io', 'StorageVersionMigrator'],
]);
