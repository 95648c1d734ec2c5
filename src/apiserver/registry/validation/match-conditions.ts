import { duplicate, type FieldError, invalidValue, required, tooMany } from '../../../kubernetes/field-error.js';
import { labelKeyProblems } from '../../../kubernetes/name-rules.js';
import { stringAt, type Value } from '../../../kubernetes/value.js';
import { trimSpace } from '../../../kubernetes/white-space.js';
import { expressionErrors } from './match-expression.js';

const maximum = 64;

/**
 * What is wrong with match conditions. At the API server's own version, stored expressions may use what new ones may.
 * Source: kubernetes pkg/apis/admissionregistration/validation validateMatchConditions.
 */
export function matchConditionErrors(conditions: readonly Value[], field: string): FieldError[] {
  const names = new Set<string>();
  const errors = conditions.length > maximum ? [tooMany(field, conditions.length, maximum)] : [];
  for (const [i, condition] of conditions.entries()) {
    const name = stringAt(condition, 'name');
    errors.push(...conditionErrors(condition, `${field}[${i}]`));
    if (name !== '' && names.has(name)) errors.push(duplicate(`${field}[${i}].name`, name));
    names.add(name);
  }
  return errors;
}

function conditionErrors(condition: Value, field: string): FieldError[] {
  const name = stringAt(condition, 'name');
  const expression = trimSpace(stringAt(condition, 'expression'));
  const nameErrors =
    name === '' ? [required(`${field}.name`, '')] : labelKeyProblems(name).map(problem => invalidValue(`${field}.name`, name, problem));
  const wrong = expression === '' ? [required(`${field}.expression`, '')] : expressionErrors(expression, `${field}.expression`);
  return [...wrong, ...nameErrors];
}
