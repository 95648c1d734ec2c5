import type { ApiServer } from '../../../kubernetes/api-server.js';
import type { KubernetesMinor } from '../../../kubernetes/kubernetes-version.js';
import { excluding, type FieldFilter, keepAll } from '../structured-merge/field-filter.js';
import { pathOf } from '../structured-merge/field-set.js';

/** Endpoint whose writes reset some fields. */
export interface ResettingEndpoint {
  readonly group: string;
  readonly resource: string;
  /** Empty for the main resource. */
  readonly subresource: string;
  readonly custom: boolean;
  /** Whether the resource has a status subresource (in the version of the request, for custom resources). */
  readonly hasStatus: boolean;
}

/**
 * Returns the fields that writes at an endpoint do not own, because the endpoint resets them: mostly the status at the main resource and
 * the spec at the status. Source: GetResetFields and GetResetFieldsFilter of the strategies under kubernetes pkg/registry.
 */
export function resetFields(server: ApiServer, endpoint: ResettingEndpoint): FieldFilter {
  const own = exceptions.get(`${endpoint.group}/${endpoint.resource}/${endpoint.subresource}`);
  if (own !== undefined) return own;
  const early = earlyExceptions.find(
    ({ endpoints, minor }) => server.until(minor) && endpoints.includes(`${endpoint.group}/${endpoint.resource}/${endpoint.subresource}`),
  );
  if (early !== undefined) return early.filter;
  if (endpoint.subresource === '') return endpoint.hasStatus ? excluding(status) : keepAll;
  if (endpoint.subresource !== 'status') return keepAll;
  const wipesMetadata = endpoint.custom ? server.since('v1.36') : metadataRestored.has(`${endpoint.group}/${endpoint.resource}`);
  return wipesMetadata ? excluding(spec, pathOf('metadata')) : excluding(spec);
}

const status = pathOf('status');
const spec = pathOf('spec');

/** Resources whose status endpoint also restores the metadata. */
const metadataRestored: ReadonlySet<string> = new Set([
  'admissionregistration.k8s.io/validatingadmissionpolicies',
  'apiregistration.k8s.io/apiservices',
  'flowcontrol.apiserver.k8s.io/flowschemas',
  'flowcontrol.apiserver.k8s.io/prioritylevelconfigurations',
  'internal.apiserver.k8s.io/storageversions',
  'networking.k8s.io/servicecidrs',
  'resource.k8s.io/devicetaintrules',
  'resource.k8s.io/resourceclaims',
  'resource.k8s.io/resourcepoolstatusrequests',
  'scheduling.k8s.io/podgroups',
  'storage.k8s.io/csinodes',
  'storage.k8s.io/volumeattachments',
  'storagemigration.k8s.io/storageversionmigrations',
]);

/** Endpoints whose rules changed, and the last minor that had these. */
const earlyExceptions: readonly { readonly endpoints: readonly string[]; readonly minor: KubernetesMinor; readonly filter: FieldFilter }[] =
  [
    { endpoints: ['resource.k8s.io/resourceclaims/status'], minor: 'v1.34', filter: excluding(spec) },
    // The rules named a group that does not exist.
    { endpoints: ['networking.k8s.io/servicecidrs/', 'networking.k8s.io/servicecidrs/status'], minor: 'v1.35', filter: keepAll },
  ];

/** Endpoints with rules of their own, by `group/resource/subresource`. Those of pods' `ephemeralcontainers` and `resize` are never asked for. */
const exceptions: ReadonlyMap<string, FieldFilter> = new Map([
  ['/namespaces/finalize', excluding(status)],
  ['/pods/status', excluding(spec, pathOf('metadata', 'deletionTimestamp'), pathOf('metadata', 'ownerReferences'))],
  ['apps/deployments/status', excluding(spec, pathOf('metadata', 'labels'))],
  ['certificates.k8s.io/certificatesigningrequests/', excluding(spec, status)],
  ['certificates.k8s.io/certificatesigningrequests/status', excluding(spec, pathOf('status', 'conditions'))],
  ['certificates.k8s.io/certificatesigningrequests/approval', excluding(spec, pathOf('status', 'certificate'))],
  ['certificates.k8s.io/podcertificaterequests/', keepAll],
]);
