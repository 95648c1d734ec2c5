import { constants, type DefaultRule, type DefaultRules, setDefault, sizeOfValue } from '../../apiserver/objects/default-rules.js';
import type { ValueMap } from '../../go/value.js';
import { defaultTimeoutSeconds } from '../../kubernetes/webhook-call.js';

const timeoutSeconds = BigInt(defaultTimeoutSeconds);

/** Source: kubernetes pkg/apis/admissionregistration defaults.go. */
export const admissionregistrationDefaults: DefaultRules = {
  ...policiesIn('v1'),
  ...policiesIn('v1beta1'),
  ...policiesIn('v1alpha1'),
  'admissionregistration/v1alpha1.ParamRef': constants({ parameterNotFoundAction: 'Deny' }),
  'admissionregistration/v1.ValidatingWebhook': webhook({ failurePolicy: 'Fail', matchPolicy: 'Equivalent', timeoutSeconds }),
  'admissionregistration/v1.MutatingWebhook': webhook({
    failurePolicy: 'Fail',
    matchPolicy: 'Equivalent',
    timeoutSeconds,
    reinvocationPolicy: 'Never',
  }),
  'admissionregistration/v1beta1.ValidatingWebhook': oldWebhook({}),
  'admissionregistration/v1beta1.MutatingWebhook': oldWebhook({ reinvocationPolicy: 'Never' }),
  'admissionregistration/v1.ServiceReference': constants({ port: 443n }),
  'admissionregistration/v1beta1.ServiceReference': constants({ port: 443n }),
  // Types that inline Rule; the older versions use those of v1.
  'admissionregistration/v1.RuleWithOperations': constants({ scope: '*' }),
  'admissionregistration/v1.NamedRuleWithOperations': constants({ scope: '*' }),
  'admissionregistration/v1beta1.NamedRuleWithOperations': constants({ scope: '*' }),
  'admissionregistration/v1alpha1.NamedRuleWithOperations': constants({ scope: '*' }),
};

function policiesIn(version: string): DefaultRules {
  return {
    [`admissionregistration/${version}.ValidatingAdmissionPolicySpec`]: constants({ failurePolicy: 'Fail' }),
    [`admissionregistration/${version}.MutatingAdmissionPolicySpec`]: constants({ failurePolicy: 'Fail' }),
    [`admissionregistration/${version}.MatchResources`]: webhook({ matchPolicy: 'Equivalent' }),
  };
}

/** Returns a rule that sets constants, and selectors that match everything. */
function webhook(given: Readonly<Record<string, string | bigint>>): DefaultRule {
  const setConstants = constants(given);
  return (value, now, server) => {
    setConstants(value, now, server);
    setDefault(value, 'namespaceSelector', new Map());
    setDefault(value, 'objectSelector', new Map());
  };
}

function oldWebhook(given: Readonly<Record<string, string | bigint>>): DefaultRule {
  const rule = webhook({ failurePolicy: 'Ignore', matchPolicy: 'Exact', sideEffects: 'Unknown', timeoutSeconds: 30n, ...given });
  return (value: ValueMap, now, server) => {
    rule(value, now, server);
    if (sizeOfValue(value, 'admissionReviewVersions') === 0) value.set('admissionReviewVersions', ['v1beta1']);
  };
}
