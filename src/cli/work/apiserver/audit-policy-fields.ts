import type { AuditPolicy } from '../../../local-apiserver/audit/audit-policy.js';
import { flagField, type GoField, listField, readGoFields, type Struct, textField, textsField } from './go-fields.js';

const stages = listField({ goType: 'v1.Stage', is: 'string' });

const rule: GoField = {
  goType: 'v1.PolicyRule',
  fields: {
    level: { goType: 'v1.Level', is: 'string' },
    ...{ users: textsField, userGroups: textsField, verbs: textsField, namespaces: textsField, nonResourceURLs: textsField },
    resources: listField({ goType: 'v1.GroupResources', fields: { group: textField, resources: textsField, resourceNames: textsField } }),
    ...{ omitStages: stages, omitManagedFields: flagField },
  },
};

const policy: Struct = { goType: 'v1.Policy', fields: { omitStages: stages, omitManagedFields: flagField, rules: listField(rule) } };

/** A policy as it is written: fields have the types of Go, and those of a rule can be missing. */
export type WrittenPolicy = Partial<AuditPolicy>;

/**
 * Returns the fields of a policy, or Go's message for the first one of another type. Unknown fields are a warning upstream. Source: apiserver
 * apis/audit/v1/types.go.
 */
export function readPolicyFields(document: object): { readonly policy: WrittenPolicy } | { readonly error: string } {
  const read = readGoFields(document, policy);
  return 'error' in read ? read : { policy: read.value as WrittenPolicy };
}
