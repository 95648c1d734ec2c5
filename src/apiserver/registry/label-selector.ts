import { goString } from '../../go/json/write.js';
import { listAt, mapAt, stringAt, type Value } from '../../go/value.js';
import type { ApiServer } from '../../kubernetes/api-server.js';
import { type FieldError, forbiddenField, invalidValue, required } from '../../kubernetes/field-error.js';
import { labelKeyProblems, labelValueProblems } from '../../kubernetes/name-rules.js';
import { labelErrors } from './object-meta.js';

/** Exceptions for selectors of stored objects. */
export interface SelectorLeeway {
  /** Whether invalid label values are accepted, as in an update that keeps them. */
  readonly allowsInvalidValues?: boolean;
}

/** Validates a metav1.LabelSelector; an absent one is valid. Source: apimachinery meta/v1/validation ValidateLabelSelector. */
export function labelSelectorErrors(
  server: ApiServer,
  selector: Value | undefined,
  field: string,
  leeway: SelectorLeeway = {},
): FieldError[] {
  return [
    ...labelErrors(server, mapAt(selector, 'matchLabels'), `${field}.matchLabels`),
    ...listAt(selector, 'matchExpressions').flatMap((expression, i) =>
      requirementErrors(server, expression, `${field}.matchExpressions[${i}]`, leeway),
    ),
  ];
}

function requirementErrors(server: ApiServer, expression: Value, field: string, leeway: SelectorLeeway): FieldError[] {
  const key = stringAt(expression, 'key');
  const values = listAt(expression, 'values').map(String);
  const valueErrors =
    leeway.allowsInvalidValues === true ? [] : values.flatMap((value, i) => valueProblems(server, value, `${field}.values[${i}]`));
  return [
    ...operatorErrors(stringAt(expression, 'operator'), values.length, field),
    ...labelKeyProblems(server, key).map(problem => invalidValue(`${field}.key`, key, problem)),
    ...valueErrors,
  ];
}

function operatorErrors(operator: string, values: number, field: string): FieldError[] {
  switch (operator) {
    case 'In':
    case 'NotIn':
      return values > 0 ? [] : [required(`${field}.values`, "must be specified when `operator` is 'In' or 'NotIn'")];
    case 'Exists':
    case 'DoesNotExist':
      return values === 0 ? [] : [forbiddenField(`${field}.values`, "may not be specified when `operator` is 'Exists' or 'DoesNotExist'")];
    default:
      // A string of a named type is printed as JSON.
      return [invalidValue(`${field}.operator`, { rawJson: goString(operator) }, 'not a valid selector operator')];
  }
}

function valueProblems(server: ApiServer, value: string, field: string): FieldError[] {
  return labelValueProblems(server, value).map(problem => invalidValue(field, value, problem));
}
