import { listAt, stringAt, type Value, type ValueMap } from '../../go/value.js';

/** Rule of a role. */
export interface PolicyRule {
  readonly verbs: readonly string[];
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly resourceNames: readonly string[];
  readonly nonResourceUrls: readonly string[];
}

/** Subject of a role binding. */
export interface RoleBinding {
  readonly kind: 'ClusterRoleBinding' | 'RoleBinding';
  /** Empty for a ClusterRoleBinding. */
  readonly namespace: string;
  readonly name: string;
  readonly role: { readonly kind: string; readonly name: string };
  readonly subjects: readonly Subject[];
}

export interface Subject {
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
}

/** Returns the rules of a Role or ClusterRole. */
export function rulesOfRole(role: ValueMap): readonly PolicyRule[] {
  return listAt(role, 'rules').map(rule => ({
    verbs: strings(rule, 'verbs'),
    apiGroups: strings(rule, 'apiGroups'),
    resources: strings(rule, 'resources'),
    resourceNames: strings(rule, 'resourceNames'),
    nonResourceUrls: strings(rule, 'nonResourceURLs'),
  }));
}

/** Returns a binding as a state holds it. */
export function bindingOf(object: ValueMap): RoleBinding {
  return {
    kind: stringAt(object, 'kind') === 'RoleBinding' ? 'RoleBinding' : 'ClusterRoleBinding',
    namespace: stringAt(object, 'metadata', 'namespace'),
    name: stringAt(object, 'metadata', 'name'),
    role: { kind: stringAt(object, 'roleRef', 'kind'), name: stringAt(object, 'roleRef', 'name') },
    subjects: listAt(object, 'subjects').map(subject => ({
      kind: stringAt(subject, 'kind'),
      namespace: stringAt(subject, 'namespace'),
      name: stringAt(subject, 'name'),
    })),
  };
}

function strings(rule: Value, key: string): readonly string[] {
  return listAt(rule, key).map(String);
}
