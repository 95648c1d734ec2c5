import type { PolicyCompiler, PolicyExpression } from '../../../../cel/compiled-policy.js';
import { newPolicyCompiler } from '../../../../cel/condition-compiler.js';
import { isReserved } from '../../../../cel/schema/property-name.js';
import { labelKeyProblems } from '../../../../kubernetes/name-rules.js';
import { listAt } from '../../../../kubernetes/value.js';
import { trimSpace } from '../../../../kubernetes/white-space.js';
import { memberValue, sameMember } from '../immutable.js';
import type { KindRules } from '../kind-rules.js';
import { matchConditionErrors } from '../match-conditions.js';
import { compilationErrors } from '../match-expression.js';
import { notOneOf } from '../one-of.js';
import {
  addDuplicate,
  addInvalid,
  addProblems,
  addRequired,
  at,
  indexed,
  isSet,
  itemsAt,
  lengthOf,
  type Place,
  textAt,
  textOf,
} from '../place.js';
import { staticNameWarnings } from '../static-name.js';
import {
  checkActions,
  checkBindingSpec,
  checkMatchResources,
  checkMutatedOperations,
  checkParamKind,
  checkWord,
} from './match-resources.js';

/** Source: admissionregistration/validation ValidateValidatingAdmissionPolicy. */
export const validatingPolicyRules: KindRules = {
  create: policy => checkValidating(policy),
  update: ['metadata', checkValidating],
  warnings,
};

/** Source: admissionregistration/validation ValidateMutatingAdmissionPolicy. */
export const mutatingPolicyRules: KindRules = { create: policy => checkMutating(policy), update: ['metadata', checkMutating], warnings };

/** Source: admissionregistration/validation ValidateValidatingAdmissionPolicyBinding. */
export const validatingBindingRules: KindRules = { create: checkValidatingBinding, update: ['metadata', checkValidatingBinding], warnings };

/** Source: admissionregistration/validation ValidateMutatingAdmissionPolicyBinding. */
export const mutatingBindingRules: KindRules = { create: checkMutatingBinding, update: ['metadata', checkMutatingBinding], warnings };

function warnings(object: Place, old: Place | undefined): string[] {
  return old === undefined ? staticNameWarnings(textAt(object, 'metadata', 'name')) : [];
}

function checkValidatingBinding(binding: Place): void {
  checkBindingSpec(at(binding, 'spec'));
  checkActions(at(binding, 'spec', 'validationActions'));
}

function checkMutatingBinding(binding: Place): void {
  checkBindingSpec(at(binding, 'spec'));
  checkMutatedOperations(at(binding, 'spec', 'matchResources'));
}

function checkValidating(policy: Place, old?: Place): void {
  const spec = at(policy, 'spec');
  checkWord(at(spec, 'failurePolicy'), ['Fail', 'Ignore']);
  checkConstraints(spec);
  checkConditions(spec, old);
  const compiler = checkVariables(spec, lengthOf(at(spec, 'variables')) > 0);
  const [validations, annotations] = [at(spec, 'validations'), at(spec, 'auditAnnotations')];
  if (lengthOf(validations) === 0 && lengthOf(annotations) === 0) {
    for (const list of [validations, annotations]) addRequired(list, 'validations or auditAnnotations must contain at least one item');
    return;
  }
  for (const validation of indexed(validations)) checkValidation(validation, compiler);
  checkAnnotations(annotations, textAt(policy, 'metadata', 'name'), compiler);
}

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

function checkConstraints(spec: Place): void {
  if (isSet(at(spec, 'paramKind'))) checkParamKind(at(spec, 'paramKind'));
  const match = at(spec, 'matchConstraints');
  if (!isSet(match)) {
    addRequired(match);
    return;
  }
  checkMatchResources(match);
  if (lengthOf(at(match, 'resourceRules')) === 0) addRequired(at(match, 'resourceRules'));
}

const specType = 'admissionregistration/v1.ValidatingAdmissionPolicySpec';

/** Conditions that were there before, with the same parameters, are not looked at again. */
function checkConditions(spec: Place, old: Place | undefined): void {
  const isKept = (name: string): boolean =>
    old !== undefined && sameMember(at(spec, name).value, at(old, 'spec', name).value, { type: specType, name });
  if (isKept('paramKind') && isKept('matchConditions')) return;
  const compiler = newPolicyCompiler(false);
  const compile = (expression: string) =>
    compiler.compile({ expression, comesTo: 'condition', hasParams: isSet(at(spec, 'paramKind')), hasAuthorizer: true });
  const conditions = at(spec, 'matchConditions');
  conditions.errors.push(...matchConditionErrors(listAt(conditions.value), conditions.path, compile));
}

/** What compiles an expression at a place, and says what is wrong with it. */
type ExpressionCheck = (place: Place, expression: string, comesTo: PolicyExpression['comesTo']) => void;

interface Expressions {
  readonly check: ExpressionCheck;
}

/** Variables, in order: each may name those before it. */
function checkVariables(spec: Place, hasVariables: boolean): Expressions {
  const compiler: PolicyCompiler = newPolicyCompiler(hasVariables);
  const hasParams = isSet(at(spec, 'paramKind'));
  for (const variable of itemsAt(spec, 'variables')) {
    const [name, expression] = [at(variable, 'name'), at(variable, 'expression')];
    if (trimSpace(textOf(name)) === '') addRequired(name, 'name is not specified');
    else if (!/^[_a-zA-Z][_a-zA-Z0-9]*$/.test(textOf(name)) || isReserved(textOf(name))) addInvalid(name, 'must be a valid CEL identifier');
    if (trimSpace(textOf(expression)) === '') {
      addRequired(expression, 'expression is not specified');
      continue;
    }
    const text = textOf(expression);
    const declared = compiler.declare(textOf(name), { expression: text, comesTo: 'anything', hasParams, hasAuthorizer: true });
    expression.errors.push(...compilationErrors(declared, text, expression.path));
  }
  return {
    check: (place, expression, comesTo) => {
      // Messages know no authorizer.
      const compiled = compiler.compile({ expression, comesTo, hasParams, hasAuthorizer: comesTo !== 'message' });
      place.errors.push(...compilationErrors(compiled, textOf(place), place.path));
    },
  };
}

const reasons = ['Forbidden', 'Invalid', 'RequestEntityTooLarge'];

/** Source: admissionregistration/validation validateValidation. */
function checkValidation(validation: Place, { check }: Expressions): void {
  const [expression, words, message] = [at(validation, 'expression'), at(validation, 'messageExpression'), at(validation, 'message')];
  if (trimSpace(textOf(expression)) === '') addRequired(expression, 'expression is not specified');
  else check(expression, textOf(expression), 'condition');
  if (textOf(words) !== '' && trimSpace(textOf(words)) === '') addInvalid(words, 'must be non-empty if specified');
  else if (textOf(words) !== '') check(words, textOf(words), 'message');
  const trimmed = trimSpace(textOf(message));
  if (textOf(message) !== '' && trimmed === '') addInvalid(message, 'must be non-empty if specified');
  else if (/[\n\r]/.test(trimmed)) addInvalid(message, 'must not contain line breaks');
  const reason = at(validation, 'reason');
  reason.errors.push(...notOneOf(reasons, reason.value, reason.path));
}

const mostAnnotations = 20;
const longestValue = 5 * 1024;

/** Source: admissionregistration/validation validateAuditAnnotation. */
function checkAnnotations(annotations: Place, policy: string, { check }: Expressions): void {
  if (lengthOf(annotations) > mostAnnotations)
    addInvalid(
      annotations,
      `must not have more than ${mostAnnotations} auditAnnotations`,
      memberValue(annotations.value, { type: specType, name: 'auditAnnotations' }),
    );
  const seen = new Set<string>();
  for (const annotation of indexed(annotations)) {
    const [key, value] = [at(annotation, 'key'), at(annotation, 'valueExpression')];
    if (policy === '') addInvalid(key, 'requires metadata.name be non-empty', textOf(key));
    else addProblems(key, labelKeyProblems(`${policy}/${textOf(key)}`), `${policy}/${textOf(key)}`);
    const expression = trimSpace(textOf(value));
    if (expression === '') addRequired(value, 'valueExpression is not specified');
    else if (Buffer.byteLength(expression) > longestValue) addRequired(value, `must not exceed ${longestValue} bytes in length`);
    else check(value, expression, 'annotation');
    if (seen.has(textOf(key))) addDuplicate(key, textOf(key));
    seen.add(textOf(key));
  }
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
