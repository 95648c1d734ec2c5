import type { PolicyPhase } from '../../apiserver/admission/policy-report.js';
import type { MatchCondition, Rule } from '../../apiserver/webhooks/webhook.js';
import { ruleOf } from '../../apiserver/webhooks/webhook.js';
import { isMap, listAt, mapAt, stringAt, stringsAt, type Value, type ValueMap, valueAt } from '../../go/value.js';
import type { Storage } from '../../kubernetes/storage.js';

/** Policy with the bindings that name it. */
export interface PolicyHook {
  readonly policy: AdmissionPolicy;
  readonly bindings: readonly PolicyBinding[];
}

/** ValidatingAdmissionPolicy or MutatingAdmissionPolicy, with the defaults of the API. */
export interface AdmissionPolicy {
  readonly phase: PolicyPhase;
  readonly name: string;
  readonly failurePolicy: 'Fail' | 'Ignore';
  readonly paramKind: { readonly apiVersion: string; readonly kind: string } | undefined;
  readonly constraints: PolicyMatchResources | undefined;
  readonly matchConditions: readonly MatchCondition[];
  readonly variables: readonly PolicyVariable[];
  readonly validations: readonly PolicyValidation[];
  readonly auditAnnotations: readonly PolicyAuditAnnotation[];
  readonly mutations: readonly Mutation[];
  readonly reinvocationPolicy: 'Never' | 'IfNeeded';
}

export interface PolicyBinding {
  readonly name: string;
  readonly policyName: string;
  readonly paramRef: PolicyParamRef | undefined;
  readonly matchResources: PolicyMatchResources | undefined;
  readonly validationActions: readonly string[];
}

/** Rules and selectors of a policy (`matchConstraints`) or of a binding (`matchResources`). */
export interface PolicyMatchResources {
  readonly namespaceSelector: ValueMap;
  readonly objectSelector: ValueMap;
  readonly resourceRules: readonly NamedRule[];
  readonly excludeResourceRules: readonly NamedRule[];
  readonly matchPolicy: 'Exact' | 'Equivalent';
}

export interface NamedRule extends Rule {
  readonly resourceNames: readonly string[];
}

export interface PolicyParamRef {
  readonly name: string;
  readonly namespace: string;
  readonly selector: ValueMap | undefined;
  readonly parameterNotFoundAction: string;
}

export interface PolicyVariable {
  readonly name: string;
  readonly expression: string;
}

export interface PolicyValidation {
  readonly expression: string;
  readonly message: string;
  readonly messageExpression: string;
  /** Empty: `Invalid`. */
  readonly reason: string;
}

export interface PolicyAuditAnnotation {
  readonly key: string;
  readonly valueExpression: string;
}

export interface Mutation {
  readonly patchType: 'ApplyConfiguration' | 'JSONPatch';
  readonly expression: string;
}

const group = 'admissionregistration.k8s.io';

const kinds = { validating: 'ValidatingAdmissionPolicy', mutating: 'MutatingAdmissionPolicy' } as const;

/**
 * Returns policies of a phase that have bindings, sorted by name, as are their bindings. The API server's order is random. Source:
 * apiserver admission/plugin/policy/generic/policy_source.go.
 */
export function policyHooks(storage: Storage, phase: PolicyPhase): PolicyHook[] {
  const kind = kinds[phase];
  const bindings = sorted(storage.list({ group, kind: `${kind}Binding` })).map(bindingOf);
  return sorted(storage.list({ group, kind })).flatMap(object => {
    const policy = policyOf(object, phase);
    const own = bindings.filter(({ policyName }) => policyName === policy.name);
    return own.length === 0 ? [] : [{ policy, bindings: own }];
  });
}

/** Returns policies of a phase without a binding, which do nothing. */
export function unboundPolicies(storage: Storage, phase: PolicyPhase): AdmissionPolicy[] {
  const kind = kinds[phase];
  const bound = new Set(storage.list({ group, kind: `${kind}Binding` }).map(binding => stringAt(binding, 'spec', 'policyName')));
  return sorted(storage.list({ group, kind }))
    .map(object => policyOf(object, phase))
    .filter(({ name }) => !bound.has(name));
}

function sorted(objects: readonly ValueMap[]): ValueMap[] {
  const nameOf = (object: ValueMap): Buffer => Buffer.from(stringAt(object, 'metadata', 'name'));
  return [...objects].sort((a, b) => Buffer.compare(nameOf(a), nameOf(b)));
}

/** Parsed policies, cached because many calls use the same ones. */
const read = new WeakMap<ValueMap, AdmissionPolicy>();

function policyOf(object: ValueMap, phase: PolicyPhase): AdmissionPolicy {
  const known = read.get(object);
  if (known !== undefined) return known;
  const policy = readPolicy(object, phase);
  read.set(object, policy);
  return policy;
}

function readPolicy(object: ValueMap, phase: PolicyPhase): AdmissionPolicy {
  const spec = mapAt(object, 'spec') ?? new Map<string, Value>();
  const paramKind = mapAt(spec, 'paramKind');
  return {
    phase,
    name: stringAt(object, 'metadata', 'name'),
    failurePolicy: stringAt(spec, 'failurePolicy') === 'Ignore' ? 'Ignore' : 'Fail',
    paramKind: paramKind && { apiVersion: stringAt(paramKind, 'apiVersion'), kind: stringAt(paramKind, 'kind') },
    constraints: matchResourcesOf(mapAt(spec, 'matchConstraints')),
    matchConditions: listAt(spec, 'matchConditions').map(c => ({ name: stringAt(c, 'name'), expression: stringAt(c, 'expression') })),
    variables: listAt(spec, 'variables').map(v => ({ name: stringAt(v, 'name'), expression: stringAt(v, 'expression') })),
    validations: listAt(spec, 'validations').map(validationOf),
    auditAnnotations: listAt(spec, 'auditAnnotations').map(a => ({
      key: stringAt(a, 'key'),
      valueExpression: stringAt(a, 'valueExpression'),
    })),
    mutations: listAt(spec, 'mutations').map(mutationOf),
    reinvocationPolicy: stringAt(spec, 'reinvocationPolicy') === 'IfNeeded' ? 'IfNeeded' : 'Never',
  };
}

function validationOf(value: Value): PolicyValidation {
  return {
    expression: stringAt(value, 'expression'),
    message: stringAt(value, 'message'),
    messageExpression: stringAt(value, 'messageExpression'),
    reason: stringAt(value, 'reason'),
  };
}

function mutationOf(value: Value): Mutation {
  const patchType = stringAt(value, 'patchType') === 'JSONPatch' ? 'JSONPatch' : 'ApplyConfiguration';
  return { patchType, expression: stringAt(value, patchType === 'JSONPatch' ? 'jsonPatch' : 'applyConfiguration', 'expression') };
}

function bindingOf(object: ValueMap): PolicyBinding {
  const spec = mapAt(object, 'spec');
  const paramRef = mapAt(spec, 'paramRef');
  return {
    name: stringAt(object, 'metadata', 'name'),
    policyName: stringAt(spec, 'policyName'),
    paramRef: paramRef && {
      name: stringAt(paramRef, 'name'),
      namespace: stringAt(paramRef, 'namespace'),
      selector: mapAt(paramRef, 'selector'),
      parameterNotFoundAction: stringAt(paramRef, 'parameterNotFoundAction'),
    },
    matchResources: matchResourcesOf(mapAt(spec, 'matchResources')),
    validationActions: stringsAt(spec, 'validationActions'),
  };
}

function matchResourcesOf(value: ValueMap | undefined): PolicyMatchResources | undefined {
  if (value === undefined) return undefined;
  return {
    namespaceSelector: selectorAt(value, 'namespaceSelector'),
    objectSelector: selectorAt(value, 'objectSelector'),
    resourceRules: listAt(value, 'resourceRules').map(namedRuleOf),
    excludeResourceRules: listAt(value, 'excludeResourceRules').map(namedRuleOf),
    matchPolicy: stringAt(value, 'matchPolicy') === 'Exact' ? 'Exact' : 'Equivalent',
  };
}

/** Returns a selector, with the API's default that matches everything. */
function selectorAt(value: ValueMap, key: string): ValueMap {
  const found = valueAt(value, key);
  return isMap(found) ? found : new Map();
}

function namedRuleOf(rule: Value): NamedRule {
  return { ...ruleOf(rule), resourceNames: stringsAt(rule, 'resourceNames') };
}
