import type { MutationReport, PolicyReport } from '../../apiserver/admission/policy-report.js';
import type { ApiObject } from '../../apiserver/objects/api-object.js';
import { isCustomCodec } from '../../apiserver/objects/custom-codec.js';
import { semanticallyEqual } from '../../apiserver/objects/semantic-equality.js';
import { asJson } from '../../apiserver/webhooks/condition-variables.js';
import { copyOf, type ValueMap } from '../../go/value.js';
import { apiVersionOf, type GroupVersionKind, sameGroupVersion } from '../../kubernetes/group-version.js';
import { StatusError } from '../../kubernetes/status.js';
import { applyObject } from './apply-configuration.js';
import { compiledPolicy } from './compiled.js';
import { policyConditions } from './conditions.js';
import { policyEntry, skippedPolicy } from './entries.js';
import { costBudget, newPolicyRun, OutOfBudget } from './evaluation.js';
import { applyOperations } from './json-patch.js';
import type { MatchedResource } from './match-resources.js';
import { MutationError } from './mutation-error.js';
import { ownerOfPolicy } from './observed.js';
import type { Param } from './params.js';
import { type Pass, reinvokeAll } from './pass.js';
import type { AdmissionPolicy, Mutation, PolicyBinding } from './policy.js';
import { type ExpressionInput, expressionVariables } from './variables.js';

/** Policy to run with one binding and one parameter. */
export interface PolicyInvocation {
  readonly policy: AdmissionPolicy;
  readonly binding: PolicyBinding;
  readonly param: Param | undefined;
  readonly matched: MatchedResource;
}

/** Runs the mutations of a policy in order, each on the result of the previous one. Throws errors that ignore the failure policy. */
export function runInvocation(invocation: PolicyInvocation, namespace: ValueMap | null, pass: Pass): void {
  const { policy, binding, param, matched } = invocation;
  const { attributes, context, versions, memory } = pass;
  const { reinvocation, record } = context;
  const about = { policy, binding, param, round: reinvocation.isReinvoke ? 2 : 1 };
  const inputNow = (): ExpressionInput => ({
    matched,
    objects: versions.of(matched.kind),
    attributes,
    params: param?.value ?? null,
    namespace,
  });
  const conditions = policyConditions(policy, compiledPolicy(pass.context.server, policy), inputNow(), context);
  if (conditions.outcome === 'failed') {
    pass.errors.push({ policy, binding, message: conditions.message, reason: 'Invalid' });
    record.policies.push(policyEntry(about, attributes, { outcome: 'failed', message: conditions.message }));
    return;
  }
  const skip = (predicate: 'matchConditions' | 'reinvocation', detail: string): void => {
    record.policies.push(skippedPolicy(about, attributes, { predicate, detail }));
  };
  if (conditions.outcome === 'differs') {
    skip('matchConditions', conditions.detail);
    return;
  }
  const key = JSON.stringify([policy.name, binding.name, param?.name ?? '']);
  if (reinvocation.isReinvoke && !memory.reinvoke.has(key)) {
    skip('reinvocation', 'nothing changed after its first run that asks for another, or its reinvocationPolicy is Never');
    return;
  }
  const before = versions.of(matched.kind).object;
  const mutations: MutationReport[] = [];
  const report = (given: Partial<PolicyReport>): void => {
    record.policies.push(
      policyEntry(about, attributes, { mutations, change: changeOf(before, versions.of(matched.kind).object), ...given }),
    );
  };
  for (const [index, mutation] of policy.mutations.entries()) {
    versions.use(matched.kind);
    try {
      mutations.push(mutateOnce(mutation, index, inputNow(), { invocation, pass }));
    } catch (error) {
      if (error instanceof StatusError) report({ outcome: 'failed', message: error.message });
      throw error;
    }
  }
  for (const { index, outcome } of mutations)
    if (outcome === 'applied') context.effects.observer?.reach({ owner: ownerOfPolicy(policy), part: `mutation ${index + 1}` }, true);
  const after = versions.of(matched.kind).object;
  const isChanged =
    before !== undefined && after !== undefined && !semanticallyEqual(pass.context.server, before.value, after.value, after.codec);
  report({ outcome: mutations.some(({ outcome }) => outcome === 'error') ? 'failed' : isChanged ? 'mutated' : 'allowed' });
  if (isChanged) {
    reinvokeAll(memory);
    reinvocation.shouldReinvoke = true;
  }
  if (policy.reinvocationPolicy === 'IfNeeded') memory.previouslyInvoked.add(key);
}

function changeOf(before: ApiObject | undefined, after: ApiObject | undefined): PolicyReport['change'] {
  if (before === undefined || after === undefined || before === after) return undefined;
  const [from, to] = [before.codec.encode(before.value), after.codec.encode(after.value)];
  return from === to ? undefined : { before: from, after: to };
}

function mutateOnce(
  mutation: Mutation,
  index: number,
  input: ExpressionInput,
  { invocation, pass }: { readonly invocation: PolicyInvocation; readonly pass: Pass },
): MutationReport {
  const { policy, binding, matched } = invocation;
  const { patchType, expression } = mutation;
  const { object } = input.objects;
  if (object === undefined) return { index, patchType, expression, outcome: 'skipped', message: 'there is no object' };
  try {
    const patched = patchedObject(mutation, index, input, { invocation, pass });
    pass.versions.replace(matched.kind, defaulted(patched ?? object, pass.attributes.kind));
    return { index, patchType, expression, outcome: patched === undefined ? 'skipped' : 'applied', message: undefined };
  } catch (error) {
    if (!(error instanceof MutationError || error instanceof OutOfBudget)) throw error;
    pass.errors.push({ policy, binding, message: error.message, reason: 'Invalid' });
    return { index, patchType, expression, outcome: 'error', message: error.message };
  }
}

/** Returns the patched object; undefined when a test of the patch failed. Throws MutationError, OutOfBudget, StatusError. */
function patchedObject(
  { expression, patchType }: Mutation,
  index: number,
  input: ExpressionInput,
  { invocation, pass }: { readonly invocation: PolicyInvocation; readonly pass: Pass },
): ApiObject | undefined {
  const { context } = pass;
  const compiled = compiledPolicy(pass.context.server, invocation.policy);
  const compilation = compiled.mutations[index];
  const { object } = input.objects;
  if (compilation === undefined || object === undefined) return undefined;
  if (compilation.outcome === 'failed') throw new MutationError(compilation.error.detail);
  const run = newPolicyRun(expressionVariables({ ...input, objectValue: asJson }, context), compiled.variables, costBudget);
  const evaluated = run.evaluate(expression, compilation);
  if ('error' in evaluated) throw new MutationError(evaluated.error);
  return patchType === 'JSONPatch' ? applyOperations(object, evaluated.value) : applyObject(object, evaluated.value, context);
}

/** Applies defaults; the API server first converts a built-in object to the version of the call, which only works for its own version. */
function defaulted(object: ApiObject, requestKind: GroupVersionKind): ApiObject {
  const { codec } = object;
  if (!isCustomCodec(codec) && !sameGroupVersion(codec.kind, requestKind)) throw new MutationError(noConversion(codec.kind, requestKind));
  const value = copyOf(object.value);
  codec.setDefaults(value);
  return { codec, value };
}

function noConversion(from: GroupVersionKind, to: GroupVersionKind): string {
  const isOtherGroup = from.group !== to.group;
  if (isOtherGroup) return `${from.version}.${from.kind} is not suitable for converting to ${JSON.stringify(apiVersionOf(to))}`;
  return `converting (${from.version}.${from.kind}) to (${to.version}.${from.kind}): unknown conversion`;
}
