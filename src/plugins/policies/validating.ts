import type { Attributes } from '../../apiserver/admission/attributes.js';
import type { AdmissionContext } from '../../apiserver/admission/chain.js';
import { admissionRefusal } from '../../apiserver/admission/name-in-refusal.js';
import type { PolicyOutcome, PolicyReport } from '../../apiserver/admission/policy-report.js';
import type { ApiObject } from '../../apiserver/objects/api-object.js';
import { annotate } from '../../apiserver/webhooks/audit.js';
import { typedObject } from '../../apiserver/webhooks/condition-variables.js';
import { versionedRequest } from '../../apiserver/webhooks/versioned-request.js';
import type { FoundValue } from '../../cel/values/value.js';
import { goString } from '../../go/json/write.js';
import { ownMember } from '../../go/own-members.js';
import type { RuleObserver } from '../../kubernetes/rule-part.js';
import { StatusError } from '../../kubernetes/status.js';
import { type EntryOf, policyEntry, skippedPolicy } from './entries.js';
import { isExemptFromPolicies } from './exempt.js';
import { type MatchedResource, matchResources } from './match-resources.js';
import { namespaceOf } from './namespace.js';
import { declarePolicy, ownerOfPolicy, ruleObserver } from './observed.js';
import { ConfigurationError, type Param, paramResource, paramsOf } from './params.js';
import { type AdmissionPolicy, type PolicyBinding, type PolicyHook, policyHooks, unboundPolicies } from './policy.js';
import { type PolicyDecision, type ValidateResult, validate } from './validate.js';
import type { ExpressionInput } from './variables.js';

/** Denial that refuses the request. */
interface Denial {
  readonly policy: AdmissionPolicy;
  readonly binding: PolicyBinding | undefined;
  readonly decision: PolicyDecision;
}

/** Context of all turns of one request. */
interface Turn {
  readonly attributes: Attributes;
  readonly context: AdmissionContext;
  readonly denials: Denial[];
  /** Failures with the action Audit, as JSON. */
  readonly audited: string[];
  /** The objects in the versions of the policies; since v1.37 they are converted once for all policies. */
  readonly versioned: () => ReturnType<typeof versionedRequest>;
  /** Validations do not change objects: each is made a value of expressions once for all policies. */
  readonly objectValue: ExpressionInput['objectValue'];
}

/** Number of failures in an audit annotation. */
const maxFailures = 50;

/**
 * Evaluates validating policies: all of them, then the first denial refuses the request. Source: apiserver
 * admission/plugin/policy/validating/dispatcher.go.
 */
export async function dispatchValidating(attributes: Attributes, context: AdmissionContext): Promise<void> {
  if (isExemptFromPolicies(attributes)) {
    noteExempt(attributes, context);
    return;
  }
  const convert = (): ReturnType<typeof versionedRequest> => versionedRequest(attributes, context);
  const shared = context.server.since('v1.37') ? convert() : undefined;
  const typed = new Map<ApiObject, FoundValue>();
  const objectValue = (object: ApiObject | undefined): FoundValue => {
    if (object === undefined) return null;
    const known = typed.get(object);
    const value = known === undefined ? typedObject(context.server, object) : known;
    if (known === undefined) typed.set(object, value);
    return value;
  };
  const turn: Turn = { attributes, context, denials: [], audited: [], versioned: () => shared ?? convert(), objectValue };
  for (const policy of unboundPolicies(context.storage, 'validating'))
    report(turn, skippedPolicy({ policy }, attributes, { predicate: 'binding', detail: 'no binding names the policy' }));
  for (const hook of policyHooks(context.storage, 'validating')) await visit(hook, turn);
  // Up to v1.36 only the first annotation of a key is kept.
  const failures = turn.audited.slice(0, context.server.since('v1.37') ? maxFailures : 1);
  if (failures.length > 0) annotate(context.record, 'validation.policy.admission.k8s.io/validation_failure', `[${failures.join(',')}]`);
  const [first] = turn.denials;
  if (first !== undefined) throw denialError(first, attributes);
}

function noteExempt(attributes: Attributes, { record, storage }: AdmissionContext): void {
  const reason = { predicate: 'exempt', detail: `policies are never asked about ${attributes.resource.resource}` } as const;
  for (const { policy } of policyHooks(storage, 'validating')) record.policies.push(skippedPolicy({ policy }, attributes, reason));
}

function report({ context }: Turn, entry: PolicyReport): void {
  context.record.policies.push(entry);
}

async function visit({ policy, bindings }: PolicyHook, turn: Turn): Promise<void> {
  const { attributes, context } = turn;
  const { constraints } = policy;
  if (constraints === undefined) return configurationError(turn, { policy }, 'policy contained no match constraints, a required field');
  const { observer } = context.effects;
  if (observer !== undefined) declarePolicy({ policy, bindings }, observer);
  const match = matchResources(constraints, attributes, context, ruleObserver(policy, 'rule', observer));
  if (match.outcome === 'differs') return report(turn, skippedPolicy({ policy }, attributes, match.reason));
  if (match.outcome === 'failed') return configurationError(turn, { policy }, match.error.message);
  let resource: ReturnType<typeof paramResource>;
  try {
    resource = paramResource(policy, context);
  } catch (error) {
    if (error instanceof ConfigurationError) return configurationError(turn, { policy }, error.message);
    throw error;
  }
  const published = new Map<string, string[]>();
  for (const binding of bindings) await visitBinding({ policy, binding, resource, matched: match.matched, published }, turn);
  for (const [key, values] of published) annotate(context.record, `${policy.name}/${key}`, values.join(', '));
}

interface Bound {
  readonly policy: AdmissionPolicy;
  readonly binding: PolicyBinding;
  readonly resource: ReturnType<typeof paramResource>;
  readonly matched: MatchedResource;
  /** Audit annotations of the policy, by key; unique values. */
  readonly published: Map<string, string[]>;
}

async function visitBinding(bound: Bound, turn: Turn): Promise<void> {
  const { attributes, context } = turn;
  const { policy, binding, matched } = bound;
  if (binding.matchResources !== undefined) {
    const match = matchResources(
      binding.matchResources,
      attributes,
      context,
      ruleObserver(policy, `binding ${binding.name} rule`, context.effects.observer),
    );
    if (match.outcome === 'differs') return report(turn, skippedPolicy({ policy, binding }, attributes, match.reason));
    if (match.outcome === 'failed') return configurationError(turn, { policy, binding }, match.error.message);
  }
  let params: readonly (Param | undefined)[];
  try {
    params = paramsOf(bound.resource, binding, { namespace: attributes.namespace, context });
  } catch (error) {
    if (error instanceof ConfigurationError) return configurationError(turn, { policy, binding }, error.message);
    throw error;
  }
  const objects = params.length === 0 ? undefined : await convertObjects(matched, turn);
  if (typeof objects === 'string') return configurationError(turn, { policy, binding }, `failed to convert object version: ${objects}`);
  const namespace = namespaceOf(attributes, context);
  if (objects === undefined)
    return report(turn, skippedPolicy({ policy, binding }, attributes, { predicate: 'params', detail: 'no parameter was found' }));
  const results = params.map(param => {
    const input: ExpressionInput = {
      matched,
      objects,
      attributes,
      params: paramValue(param, policy),
      namespace,
      objectValue: turn.objectValue,
    };
    return { param, result: validate(policy, input, context) };
  });
  for (const { result } of results) observeValidations(policy, result, context.effects.observer);
  for (const { param, result } of results) settle(result, { ...bound, param }, turn);
}

function observeValidations(policy: AdmissionPolicy, { validations }: ValidateResult, observer: RuleObserver | undefined): void {
  for (const { index, outcome } of validations)
    if (outcome !== 'error') observer?.reach({ owner: ownerOfPolicy(policy), part: `validation ${index + 1}` }, outcome === 'true');
}

/** Returns the objects, or the error of their conversion. */
async function convertObjects({ kind }: MatchedResource, { versioned }: Turn) {
  try {
    return await versioned().objectsIn(kind);
  } catch (error) {
    if (error instanceof StatusError) return error.message;
    throw error;
  }
}

/** Returns the parameter's value; built-in kinds come from a cache without their type, which is added for validations. */
function paramValue(param: Param | undefined, { paramKind }: AdmissionPolicy): ExpressionInput['params'] {
  if (param === undefined) return null;
  if (!param.isNative || paramKind === undefined) return param.value;
  return new Map(param.value).set('apiVersion', paramKind.apiVersion).set('kind', paramKind.kind);
}

/** Handles a configuration error, which Ignore ignores. */
function configurationError(turn: Turn, about: EntryOf, message: string): void {
  const { policy, binding } = about;
  const detail = `failed to configure ${binding === undefined ? 'policy' : 'binding'}: ${message}`;
  report(turn, policyEntry(about, turn.attributes, { outcome: 'failed', message: detail }));
  if (policy.failurePolicy === 'Ignore') return;
  turn.denials.push({ policy, binding, decision: { action: 'deny', isError: true, message: detail, reason: '' } });
}

const maxAnnotationBytes = 10 * 1024;

function settle(result: ValidateResult, at: Bound & { readonly param: Param | undefined }, turn: Turn): void {
  const { policy, binding, param, published } = at;
  const { attributes } = turn;
  if (result.skipped !== undefined) {
    report(turn, skippedPolicy({ policy, binding, param }, attributes, { predicate: 'matchConditions', detail: result.skipped }));
    return;
  }
  for (const [index, decision] of result.decisions.entries()) if (decision.action === 'deny') act(decision, index, at, turn);
  const own = new Map<string, string>();
  for (const annotation of result.annotations) {
    if (annotation.outcome === 'error') {
      const decision: PolicyDecision = { action: 'deny', isError: true, message: annotation.message, reason: '' };
      turn.denials.push({ policy, binding, decision });
      continue;
    }
    const value = Buffer.from(annotation.value).subarray(0, maxAnnotationBytes).toString();
    own.set(annotation.key, value);
    const values = published.get(annotation.key) ?? [];
    if (!values.includes(value)) published.set(annotation.key, [...values, value]);
  }
  const whole = wholeError(result);
  report(
    turn,
    policyEntry({ policy, binding, param }, attributes, {
      outcome: outcomeOf(result, binding),
      validations: result.validations,
      auditAnnotations: Object.fromEntries(own),
      message: whole,
    }),
  );
}

/** Returns an error that replaces all validations, or of an audit annotation. */
function wholeError({ decisions, annotations, validations }: ValidateResult): string | undefined {
  const [first] = decisions;
  if (first?.isError === true && !validations.some(({ message }) => message === first.message)) return first.message;
  const failed = annotations.find(annotation => annotation.outcome === 'error');
  return failed?.outcome === 'error' ? failed.message : undefined;
}

function outcomeOf({ decisions, annotations }: ValidateResult, { validationActions }: PolicyBinding): PolicyOutcome {
  if (annotations.some(({ outcome }) => outcome === 'error')) return 'denied';
  if (decisions.some(({ action }) => action === 'deny')) {
    if (validationActions.includes('Deny')) return 'denied';
    return validationActions.includes('Warn') ? 'warned' : 'audited';
  }
  return decisions.some(({ isError }) => isError) ? 'failed' : 'allowed';
}

/** Applies the binding's actions to one denial, in order. */
function act(decision: PolicyDecision, index: number, { policy, binding }: Bound, { context, denials, audited }: Turn): void {
  for (const action of binding.validationActions) {
    if (action === 'Deny') denials.push({ policy, binding, decision });
    if (action === 'Warn') {
      const who = `ValidatingAdmissionPolicy '${policy.name}' with binding '${binding.name}'`;
      context.record.warnings.push(`Validation failed for ${who}: ${decision.message}`);
    }
    if (action === 'Audit') {
      const actions = binding.validationActions.map(goString).join(',');
      audited.push(
        `{"message":${goString(decision.message)},"policy":${goString(binding.policyName)},"binding":${goString(binding.name)},"expressionIndex":${index},"validationActions":[${actions}]}`,
      );
    }
  }
}

const codes: Readonly<Record<string, number>> = { Forbidden: 403, Unauthorized: 401, RequestEntityTooLarge: 413 };

function denialError({ policy, binding, decision }: Denial, attributes: Attributes): StatusError {
  const by = binding === undefined ? '' : ` with binding '${binding.name}'`;
  const message = `ValidatingAdmissionPolicy '${policy.name}'${by} denied request: ${decision.message}`;
  const { status } = admissionRefusal(attributes, message);
  const reason = decision.reason || 'Invalid';
  return new StatusError({
    ...status,
    reason,
    code: ownMember(codes, reason) ?? 422,
    details: { ...status.details, causes: [{ message }] },
  });
}
