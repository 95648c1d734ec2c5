import type { FieldPath } from '../../../apiserver/registry/validation/field-path.js';
import { memberValue } from '../../../apiserver/registry/validation/immutable.js';
import type { KindRules } from '../../../apiserver/registry/validation/kind-rules.js';
import { notOneOf } from '../../../apiserver/registry/validation/one-of.js';
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

function checkValidating(policy: FieldPath, old?: FieldPath): void {
  const spec = policy.child('spec');
  checkWord(spec.child('failurePolicy'), ['Fail', 'Ignore']);
  checkConstraints(spec);
  checkConditions(spec, old);
  const compiler = checkVariables(spec, spec.child('variables').length() > 0);
  const [validations, annotations] = [spec.child('validations'), spec.child('auditAnnotations')];
  if (validations.length() === 0 && annotations.length() === 0) {
    for (const list of [validations, annotations]) list.required('validations or auditAnnotations must contain at least one item');
    return;
  }
  for (const validation of validations.items()) checkValidation(validation, compiler);
  checkAnnotations(annotations, policy.text('metadata', 'name'), compiler);
}

const reasons = ['Forbidden', 'Invalid', 'RequestEntityTooLarge'];

/** Source: admissionregistration/validation validateValidation. */
function checkValidation(validation: FieldPath, { check }: Expressions): void {
  const [expression, messageExpression, message] = [
    validation.child('expression'),
    validation.child('messageExpression'),
    validation.child('message'),
  ];
  if (trimSpace(expression.text()) === '') expression.required('expression is not specified');
  else check(expression, expression.text(), 'condition');
  if (messageExpression.text() !== '' && trimSpace(messageExpression.text()) === '')
    messageExpression.invalid('must be non-empty if specified');
  else if (messageExpression.text() !== '') check(messageExpression, messageExpression.text(), 'message');
  const trimmed = trimSpace(message.text());
  if (message.text() !== '' && trimmed === '') message.invalid('must be non-empty if specified');
  else if (/[\n\r]/.test(trimmed)) message.invalid('must not contain line breaks');
  const reason = validation.child('reason');
  reason.add(notOneOf(reasons, reason.value, reason.path));
}

const mostAnnotations = 20;

const longestValue = 5 * 1024;

/** Source: admissionregistration/validation validateAuditAnnotation. */
function checkAnnotations(annotations: FieldPath, policy: string, { check }: Expressions): void {
  if (annotations.length() > mostAnnotations)
    annotations.invalid(
      memberValue(annotations.server, annotations.value, { type: specType, name: 'auditAnnotations' }),
      `must not have more than ${mostAnnotations} auditAnnotations`,
    );
  const seen = new Set<string>();
  for (const annotation of annotations.items()) {
    const [key, value] = [annotation.child('key'), annotation.child('valueExpression')];
    if (policy === '') key.invalid(key.text(), 'requires metadata.name be non-empty');
    else key.invalidEach(`${policy}/${key.text()}`, labelKeyProblems(annotations.server, `${policy}/${key.text()}`));
    const expression = trimSpace(value.text());
    if (expression === '') value.required('valueExpression is not specified');
    else if (Buffer.byteLength(expression) > longestValue) value.required(`must not exceed ${longestValue} bytes in length`);
    else check(value, expression, 'annotation');
    if (seen.has(key.text())) key.duplicate(key.text());
    seen.add(key.text());
  }
}
