import type { Attributes } from '../../apiserver/admission/attributes.js';
import type { PolicyReport } from '../../apiserver/admission/policy-report.js';
import type { SkipReason } from '../../apiserver/admission/webhook-report.js';
import type { Param } from './params.js';
import type { AdmissionPolicy, PolicyBinding } from './policy.js';

/** Subject of a report entry. */
export interface EntryOf {
  readonly policy: AdmissionPolicy;
  readonly binding?: PolicyBinding | undefined;
  readonly param?: Param | undefined;
  readonly round?: number;
}

/** Returns the report's entry for a policy that ran; `given` has its effect. */
export function policyEntry(about: EntryOf, attributes: Attributes, given: Partial<PolicyReport>): PolicyReport {
  const { operation, kind, resource, subresource, name, namespace, dryRun } = attributes;
  const { policy, binding, param } = about;
  return {
    phase: policy.phase,
    round: about.round ?? 1,
    policy: policy.name,
    binding: binding?.name,
    param: param?.name,
    attributes: { operation, kind, resource, subResource: subresource, name, namespace, dryRun },
    outcome: 'allowed',
    skipReason: undefined,
    failurePolicy: policy.failurePolicy,
    validationActions: binding?.validationActions ?? [],
    validations: [],
    mutations: [],
    auditAnnotations: {},
    change: undefined,
    message: undefined,
    ...given,
  };
}

/** Returns the report's entry for a policy or binding that does not apply. */
export function skippedPolicy(about: EntryOf, attributes: Attributes, skipReason: SkipReason): PolicyReport {
  return policyEntry(about, attributes, { outcome: 'skipped', skipReason });
}
