import type { Attributes } from '../../apiserver/admission/attributes.js';
import type { AdmissionContext } from '../../apiserver/admission/chain.js';
import { admissionRefusal } from '../../apiserver/admission/name-in-refusal.js';
import { semanticallyEqual } from '../../apiserver/objects/semantic-equality.js';
import { copyOf } from '../../go/value.js';
import { valuesInside } from '../../kubernetes/memoize.js';
import { StatusError } from '../../kubernetes/status.js';
import { type EntryOf, policyEntry, skippedPolicy } from './entries.js';
import { isExemptFromPolicies } from './exempt.js';
import { matchResources } from './match-resources.js';
import { type PolicyInvocation, runInvocation } from './mutate.js';
import { namespaceOf } from './namespace.js';
import { declarePolicy, ruleObserver } from './observed.js';
import { ConfigurationError, type Param, paramResource, paramsOf } from './params.js';
import { type Memory, type Pass, type PolicyError, reinvokeAll } from './pass.js';
import { type PolicyBinding, type PolicyHook, policyHooks, unboundPolicies } from './policy.js';
import { newVersions } from './versioned-objects.js';

const memories = valuesInside<AdmissionContext, Memory>();

/**
 * Runs mutating policies: all are matched against the original object, then run one after another; errors refuse the request at the end.
 * Source: apiserver admission/plugin/policy/generic/policy_dispatcher.go, mutating/dispatcher.go.
 */
export async function dispatchMutating(attributes: Attributes, context: AdmissionContext): Promise<void> {
  const { isReinvoke } = context.reinvocation;
  if (!isReinvoke) memories.set(context, { previouslyInvoked: new Set(), reinvoke: new Set(), lastOutput: undefined });
  const memory = memories.get(context);
  if (memory === undefined) return;
  if (isExemptFromPolicies(attributes)) {
    noteSkipped(attributes, context);
    return;
  }
  const pass: Pass = { attributes, context, versions: newVersions(attributes, context), memory, errors: [] };
  if (!isReinvoke)
    for (const policy of unboundPolicies(context.storage, 'mutating'))
      context.record.policies.push(skippedPolicy({ policy }, attributes, { predicate: 'binding', detail: 'no binding names the policy' }));
  const invocations: PolicyInvocation[] = [];
  for (const hook of policyHooks(context.storage, 'mutating')) invocations.push(...(await planInvocations(hook, pass)));
  if (invocations.length > 0) await runAll(invocations, pass);
  refuse(pass);
}

function noteSkipped(attributes: Attributes, { record, storage }: AdmissionContext): void {
  const reason = { predicate: 'exempt', detail: `policies are never asked about ${attributes.resource.resource}` } as const;
  for (const { policy } of policyHooks(storage, 'mutating')) record.policies.push(skippedPolicy({ policy }, attributes, reason));
}

/** Returns the invocations of a policy: one per binding and parameter. */
async function planInvocations({ policy, bindings }: PolicyHook, pass: Pass): Promise<PolicyInvocation[]> {
  const { attributes, context } = pass;
  const round = context.reinvocation.isReinvoke ? 2 : 1;
  const about: EntryOf = { policy, round };
  if (policy.constraints === undefined) return failed(pass, about, 'policy contained no match constraints, a required field');
  const { observer } = context.effects;
  if (observer !== undefined) declarePolicy({ policy, bindings }, observer);
  const match = matchResources(policy.constraints, attributes, context, ruleObserver(policy, 'rule', observer));
  if (match.outcome === 'differs') {
    context.record.policies.push(skippedPolicy(about, attributes, match.reason));
    return [];
  }
  if (match.outcome === 'failed') return failed(pass, about, match.error.message);
  try {
    const resource = paramResource(policy, context);
    const found: PolicyInvocation[] = [];
    for (const binding of bindings)
      found.push(...(await planForBinding({ ...about, binding }, { matched: match.matched, resource }, pass)));
    return found;
  } catch (error) {
    if (error instanceof ConfigurationError) return failed(pass, about, error.message);
    throw error;
  }
}

async function planForBinding(
  about: EntryOf & { readonly binding: PolicyBinding },
  { matched, resource }: Pick<PolicyInvocation, 'matched'> & { readonly resource: ReturnType<typeof paramResource> },
  pass: Pass,
): Promise<PolicyInvocation[]> {
  const { attributes, context } = pass;
  const { policy, binding } = about;
  if (binding.matchResources !== undefined) {
    const match = matchResources(
      binding.matchResources,
      attributes,
      context,
      ruleObserver(policy, `binding ${binding.name} rule`, context.effects.observer),
    );
    if (match.outcome === 'failed') return failed(pass, about, match.error.message);
    if (match.outcome === 'differs') {
      context.record.policies.push(skippedPolicy(about, attributes, match.reason));
      return [];
    }
  }
  try {
    await pass.versions.prepare(matched.kind);
  } catch (error) {
    if (error instanceof StatusError) return failed(pass, { ...about, binding: undefined }, error.message);
    throw error;
  }
  let params: readonly (Param | undefined)[];
  try {
    params = paramsOf(resource, binding, { namespace: attributes.namespace, context });
  } catch (error) {
    if (error instanceof ConfigurationError) return failed(pass, about, error.message);
    throw error;
  }
  if (params.length === 0)
    context.record.policies.push(skippedPolicy(about, attributes, { predicate: 'params', detail: 'no parameter was found' }));
  return params.map(param => ({ policy, binding, param, matched }));
}

function failed({ attributes, context, errors }: Pass, about: EntryOf, detail: string): [] {
  const { policy, binding } = about;
  const message = `failed to configure ${binding === undefined ? 'policy' : 'binding'}: ${detail}`;
  errors.push({ policy, binding, message, reason: 'Forbidden' });
  context.record.policies.push(policyEntry(about, attributes, { outcome: 'failed', message }));
  return [];
}

async function runAll(invocations: readonly PolicyInvocation[], pass: Pass): Promise<void> {
  const { attributes, context, memory, versions } = pass;
  const { object } = attributes;
  const { reinvocation } = context;
  const isSame =
    object === undefined
      ? memory.lastOutput === undefined
      : memory.lastOutput !== undefined && semanticallyEqual(pass.context.server, memory.lastOutput, object.value, object.codec);
  if (reinvocation.isReinvoke && !isSame) reinvokeAll(memory);
  try {
    const namespace = namespaceOf(attributes, context);
    for (const invocation of invocations) runInvocation(invocation, namespace, pass);
    if (await versions.finish()) {
      reinvokeAll(memory);
      reinvocation.shouldReinvoke = true;
    }
  } finally {
    memory.lastOutput = object === undefined ? undefined : copyOf(object.value);
  }
}

/** Refuses the request for errors under failure policy Fail: the first one's message, a cause for each. */
function refuse({ errors, attributes }: Pass): void {
  const counted = errors.filter(({ policy }) => policy.failurePolicy === 'Fail');
  const [first] = counted;
  if (first === undefined) return;
  const { status } = admissionRefusal(attributes, 'admission request denied by policy');
  const causes = counted.map(error => ({ message: errorText(error) }));
  throw new StatusError({ ...status, message: errorText(first), reason: first.reason, details: { ...status.details, causes } });
}

function errorText({ policy, binding, message }: PolicyError): string {
  if (binding === undefined) return `policy ${JSON.stringify(policy.name)} denied request: ${message}`;
  return `policy '${policy.name}' with binding '${binding.name}' denied request: ${message}`;
}
