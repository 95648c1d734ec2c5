import type { KindDefinition } from '../../../apiserver/registry/kind-definition.js';
import type { KindRules } from '../../../apiserver/registry/validation/kind-rules.js';
import { notOneOf } from '../../../apiserver/registry/validation/one-of.js';
import type { Place } from '../../../apiserver/registry/validation/place.js';
import { addInvalid, addRequired, at, isSet, itemsAt, lengthOf, textOf } from '../../../apiserver/registry/validation/place.js';
import { trimSpace } from '../../../go/white-space.js';
import { admissionPolicy } from '../admission-policy/admission-policy-strategy.js';
import { checkMutatedOperations, checkWord } from '../admission-policy/match-resources.js';
import type { Expressions } from '../admission-policy/policy-spec.js';
import { checkConditions, checkConstraints, checkVariables, warnings } from '../admission-policy/policy-spec.js';

/** Source: admissionregistration/validation ValidateMutatingAdmissionPolicy. */
const mutatingPolicyRules: KindRules = { create: policy => checkMutating(policy), update: ['metadata', checkMutating], warnings };

function checkMutating(policy: Place, old?: Place): void {
  const spec = at(policy, 'spec');
  checkWord(at(spec, 'failurePolicy'), ['Fail', 'Ignore']);
  checkConstraints(spec);
  checkMutatedOperations(at(spec, 'matchConstraints'));
  checkConditions(spec, old);
  const expressions = checkVariables(spec, true);
  if (lengthOf(at(spec, 'mutations')) === 0) addRequired(at(spec, 'mutations'), 'mutations must contain at least one item');
  for (const mutation of itemsAt(spec, 'mutations')) checkMutation(mutation, expressions);
  const reinvocation = at(spec, 'reinvocationPolicy');
  if (textOf(reinvocation) === '') addRequired(reinvocation);
  else reinvocation.errors.push(...notOneOf(['IfNeeded', 'Never'], reinvocation.value, reinvocation.path));
}

const patches = { JSONPatch: 'jsonPatch', ApplyConfiguration: 'applyConfiguration' } as const;

/** Source: admissionregistration/validation validateMutation. */
function checkMutation(mutation: Place, { check }: Expressions): void {
  const type = at(mutation, 'patchType');
  const own = Object.entries(patches).find(([name]) => name === textOf(type));
  if (textOf(type) === '') addRequired(type);
  else if (own === undefined) type.errors.push(...notOneOf(['ApplyConfiguration', 'JSONPatch'], type.value, type.path));
  if (own === undefined) return;
  const [name, member] = own;
  const patch = at(mutation, member);
  const expression = at(patch, 'expression');
  const trimmed = trimSpace(textOf(expression));
  if (!isSet(patch)) addRequired(patch, `must be specified when patchType is ${name}`);
  else if (trimmed === '') addRequired(expression);
  else check({ ...expression, value: trimmed }, trimmed, name === 'JSONPatch' ? 'patches' : 'object');
  for (const other of Object.values(patches))
    if (other !== member && isSet(at(mutation, other)))
      addInvalid(at(mutation, other), `must not be specified when patchType is ${name}`, `{${other}}`);
}

/** MutatingAdmissionPolicy. */
export const mutatingAdmissionPolicyKind: KindDefinition = {
  refine: admissionPolicy,
  validation: mutatingPolicyRules,
  allowsUnconditionalUpdate: false,
  hasGeneration: true,
  anyFinalizers: true,
};
