import { memberValue } from '../../../apiserver/registry/validation/immutable.js';
import type { KindRules } from '../../../apiserver/registry/validation/kind-rules.js';
import { notOneOf } from '../../../apiserver/registry/validation/one-of.js';
import {
  addDuplicate,
  addInvalid,
  addProblems,
  addRequired,
  at,
  indexed,
  lengthOf,
  type Place,
  textAt,
  textOf,
} from '../../../apiserver/registry/validation/place.js';
import { trimSpace } from '../../../go/white-space.js';
import { labelKeyProblems } from '../../../kubernetes/name-rules.js';
import { checkWord } from './match-resources.js';
import { checkConditions, checkConstraints, checkVariables, type Expressions, specType, warnings } from './policy-spec.js';

/** Source: admissionregistration/validation ValidateValidatingAdmissionPolicy. */
export const validatingPolicyRules: KindRules = {
  create: policy => checkValidating(policy),
  update: ['metadata', checkValidating],
  warnings,
};

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

const reasons = ['Forbidden', 'Invalid', 'RequestEntityTooLarge'];

/** Source: admissionregistration/validation validateValidation. */
function checkValidation(validation: Place, { check }: Expressions): void {
  const [expression, messageExpression, message] = [
    at(validation, 'expression'),
    at(validation, 'messageExpression'),
    at(validation, 'message'),
  ];
  if (trimSpace(textOf(expression)) === '') addRequired(expression, 'expression is not specified');
  else check(expression, textOf(expression), 'condition');
  if (textOf(messageExpression) !== '' && trimSpace(textOf(messageExpression)) === '')
    addInvalid(messageExpression, 'must be non-empty if specified');
  else if (textOf(messageExpression) !== '') check(messageExpression, textOf(messageExpression), 'message');
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
      memberValue(annotations.server, annotations.value, { type: specType, name: 'auditAnnotations' }),
    );
  const seen = new Set<string>();
  for (const annotation of indexed(annotations)) {
    const [key, value] = [at(annotation, 'key'), at(annotation, 'valueExpression')];
    if (policy === '') addInvalid(key, 'requires metadata.name be non-empty', textOf(key));
    else addProblems(key, labelKeyProblems(annotations.server, `${policy}/${textOf(key)}`), `${policy}/${textOf(key)}`);
    const expression = trimSpace(textOf(value));
    if (expression === '') addRequired(value, 'valueExpression is not specified');
    else if (Buffer.byteLength(expression) > longestValue) addRequired(value, `must not exceed ${longestValue} bytes in length`);
    else check(value, expression, 'annotation');
    if (seen.has(textOf(key))) addDuplicate(key, textOf(key));
    seen.add(textOf(key));
  }
}
