import type { AuditPolicy } from '../local-apiserver/audit/audit-policy.js';
import { type Field, flag, listOf, readFields, type Struct, text, texts } from './go-fields.js';

const stages = listOf({ goType: 'v1.Stage', is: 'string' });

const rule: Field = {
  goType: 'v1.PolicyRule',
  fields: {
    level: { goType: 'v1.Level', is: 'string' },
    ...{ users: texts, userGroups: texts, verbs: texts, namespaces: texts, nonResourceURLs: texts },
    resources: listOf({ goType: 'v1.GroupResources', fields: { group: text, resources: texts, resourceNames: texts } }),
    ...{ omitStages: stages, omitManagedFields: flag },
  },
};

const policy: Struct = { goType: 'v1.Policy', fields: { omitStages: stages, omitManagedFields: flag, rules: listOf(rule) } };

/** A policy as it is written: fields have the types of Go, and those of a rule can be missing. */
export type WrittenPolicy = Partial<AuditPolicy>;

/**
 * Returns the fields of a policy, or Go's message for the first one of another type. Unknown fields are a warning upstream. Source: apiserver
 * apis/audit/v1/types.go.
 */
export function readPolicyFields(document: object): { readonly policy: WrittenPolicy } | { readonly error: string } {
  const read = readFields(document, policy);
  return 'error' in read ? read : { policy: read.value as WrittenPolicy };
}
