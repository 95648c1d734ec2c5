import { canonicalIpProblems } from '../kubernetes/ip-rules.js';
import { configMapKeyProblems, dns1123LabelProblems, dns1123SubdomainProblems, pathSegmentProblems } from '../kubernetes/name-rules.js';
import type { Resource } from '../kubernetes/resource-table.js';
import { storageVersionNameProblems } from './apiserverinternal/storage-version/storage-version-validation.js';

type NameRule = (name: string) => string[];

/** Kinds whose names are not DNS subdomains, by `resource.group`. Source: kubernetes pkg/apis, each kind's ValidateName. */
const rules: Readonly<Record<string, NameRule>> = {
  'namespaces.': dns1123LabelProblems,
  'services.': dns1123LabelProblems,
  'statefulsets.apps': dns1123LabelProblems,
  // Asked for by name: no other kind needs these modules.
  'ipaddresses.networking.k8s.io': name => canonicalIpProblems(name),
  'storageversions.internal.apiserver.k8s.io': name => storageVersionNameProblems(name),
  'leasecandidates.coordination.k8s.io': configMapKeyProblems,
  'roles.rbac.authorization.k8s.io': pathSegmentProblems,
  'rolebindings.rbac.authorization.k8s.io': pathSegmentProblems,
  'clusterroles.rbac.authorization.k8s.io': pathSegmentProblems,
  'clusterrolebindings.rbac.authorization.k8s.io': pathSegmentProblems,
  'certificatesigningrequests.certificates.k8s.io': pathSegmentProblems,
  'events.': () => [],
  'events.events.k8s.io': () => [],
};

/** The rule for names of a resource's objects. */
export function nameRuleOf({ resource, group }: Resource): NameRule {
  return rules[`${resource}.${group}`] ?? dns1123SubdomainProblems;
}
