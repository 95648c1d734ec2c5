import { compiledCondition } from '../../../cel/compiled-condition.js';
import type { Compilation } from '../../../cel/program/compile.js';
import { stringAt, type Value } from '../../../go/value.js';
import { trimSpace } from '../../../go/white-space.js';
import type { ApiServer } from '../../../kubernetes/api-server.js';
import { duplicate, type FieldError, invalidValue, required, tooMany } from '../../../kubernetes/field-error.js';
import { labelKeyProblems } from '../../../kubernetes/name-rules.js';
import { compilationErrors } from './match-expression.js';

const maximum = 64;

/** Compiles match conditions. */
type ConditionCompiler = (expression: string) => Compilation;

/**
 * Returns the errors of match conditions. Source: kubernetes pkg/apis/admissionregistration/validation validateMatchConditions.
 */
export function matchConditionErrors(
  server: ApiServer,
  conditions: readonly Value[],
  field: string,
  compile: ConditionCompiler = expression => compiledCondition(server, expression, 'new'),
): FieldError[] {
  const names = new Set<string>();
  const errors = conditions.length > maximum ? [tooMany(field, conditions.length, maximum)] : [];
  for (const [i, condition] of conditions.entries()) {
    const name = stringAt(condition, 'name');
    errors.push(...conditionErrors(condition, `${field}[${i}]`, { server, compile }));
    if (name !== '' && names.has(name)) errors.push(duplicate(`${field}[${i}].name`, name));
    names.add(name);
  }
  return errors;
}

interface Compiling {
  readonly server: ApiServer;
  readonly compile: ConditionCompiler;
}

function conditionErrors(condition: Value, field: string, { server, compile }: Compiling): FieldError[] {
  const name = stringAt(condition, 'name');
  const expression = trimSpace(stringAt(condition, 'expression'));
  const nameErrors =
    name === ''
      ? [required(`${field}.name`, '')]
      : labelKeyProblems(server, name).map(problem => invalidValue(`${field}.name`, name, problem));
  const place = `${field}.expression`;
  const wrong = expression === '' ? [required(place, '')] : compilationErrors(compile(expression), expression, place);
  return [...wrong, ...nameErrors];
}
