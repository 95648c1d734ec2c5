import type { PolicyReport } from '../apiserver/admission/policy-report.js';
import { toValue, type Value } from '../go/value.js';

/** One entry of `policies` in the Report document. */
export function policyDocument(entry: PolicyReport): Value {
  return toValue({
    phase: entry.phase,
    round: entry.round,
    policy: entry.policy,
    binding: entry.binding ?? null,
    param: entry.param ?? null,
    attributes: entry.attributes,
    outcome: entry.outcome,
    skipReason: entry.skipReason ?? null,
    failurePolicy: entry.failurePolicy,
    validationActions: entry.validationActions,
    validations: entry.validations.map(validation => ({
      ...validation,
      message: validation.message ?? null,
      reason: validation.reason ?? null,
    })),
    mutations: entry.mutations.map(mutation => ({ ...mutation, message: mutation.message ?? null })),
    auditAnnotations: entry.auditAnnotations,
    message: entry.message ?? null,
  });
}
