/**
 * Resources that are only answered, never stored, and have no metadata of their own. Policies are never evaluated for them, and webhooks not
 * since v1.37. Source: kubernetes pkg/kubeapiserver/admission/exclusion.
 */
const virtual: readonly string[] = [
  'authentication.k8s.io/selfsubjectreviews',
  'authentication.k8s.io/tokenreviews',
  'authorization.k8s.io/localsubjectaccessreviews',
  'authorization.k8s.io/selfsubjectaccessreviews',
  'authorization.k8s.io/selfsubjectrulesreviews',
  'authorization.k8s.io/subjectaccessreviews',
];

/** Reports whether the resource is virtual. */
export function isVirtual({ group, resource }: { readonly group: string; readonly resource: string }): boolean {
  return virtual.includes(`${group}/${resource}`);
}
