import type { KindDefinition } from '../../../apiserver/registry/kind-definition.js';
import type { FieldPath } from '../../../apiserver/registry/validation/field-path.js';
import type { KindRules } from '../../../apiserver/registry/validation/kind-rules.js';
import { notOneOf } from '../../../apiserver/registry/validation/one-of.js';
import { trimSpace } from '../../../go/white-space.js';
import { admissionPolicy } from '../admission-policy/admission-policy-strategy.js';
import { checkMutatedOperations, checkWord } from '../admission-policy/match-resources.js';
import type { Expressions } from '../admission-policy/policy-spec.js';
import { checkConditions, checkConstraints, checkVariables, warnings } from '../admission-policy/policy-spec.js';

/** Source: admissionregistration/validation ValidateMutatingAdmissionPolicy. */
const mutatingPolicyRules: KindRules = { create: policy => checkMutating(policy), update: ['metadata', checkMutating], warnings };

function checkMutating(policy: FieldPath, old?: FieldPath): void {
  const spec = policy.child('spec');
  checkWord(spec.child('failurePolicy'), ['Fail', 'Ignore']);
  checkConstraints(spec);
  checkMutatedOperations(spec.child('matchConstraints'));
  checkConditions(spec, old);
  const expressions = checkVariables(spec, true);
  if (spec.child('mutations').length() === 0) spec.child('mutations').required('mutations must contain at least one item');
  for (const mutation of spec.items('mutations')) checkMutation(mutation, expressions);
  const reinvocation = spec.child('reinvocationPolicy');
  if (reinvocation.text() === '') reinvocation.required();
  else reinvocation.add(notOneOf(['IfNeeded', 'Never'], reinvocation.value, reinvocation.path));
}

const patches = { JSONPatch: 'jsonPatch', ApplyConfiguration: 'applyConfiguration' } as const;

/** Source: admissionregistration/validation validateMutation. */
function checkMutation(mutation: FieldPath, { check }: Expressions): void {
  const type = mutation.child('patchType');
  const own = Object.entries(patches).find(([name]) => name === type.text());
  if (type.text() === '') type.required();
  else if (own === undefined) type.add(notOneOf(['ApplyConfiguration', 'JSONPatch'], type.value, type.path));
  if (own === undefined) return;
  const [name, member] = own;
  const patch = mutation.child(member);
  const expression = patch.child('expression');
  const trimmed = trimSpace(expression.text());
  if (!patch.isSet()) patch.required(`must be specified when patchType is ${name}`);
  else if (trimmed === '') expression.required();
  else check(expression.withValue(trimmed), trimmed, name === 'JSONPatch' ? 'patches' : 'object');
  for (const other of Object.values(patches))
    if (other !== member && mutation.child(other).isSet())
      mutation.child(other).invalid(`{${other}}`, `must not be specified when patchType is ${name}`);
}

/** MutatingAdmissionPolicy. */
export const mutatingAdmissionPolicyKind: KindDefinition = {
  refine: admissionPolicy,
  validation: mutatingPolicyRules,
  allowsUnconditionalUpdate: false,
  hasGeneration: true,
  anyFinalizers: true,
};
