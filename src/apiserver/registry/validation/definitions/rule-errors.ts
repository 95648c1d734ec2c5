import { type FieldError, internalFieldError, invalidValue, notSupported, required } from '../../../../kubernetes/field-error.js';
import { isMap, listAt, stringAt, type ValueMap } from '../../../../kubernetes/value.js';
import { structural } from '../../../objects/custom/structural-schema.js';
import { ruleCompiler } from '../../custom/rule-loader.js';
import { ruleFieldPath } from '../../custom/rules/rule-field-path.js';
import { internalRule } from './internal-form.js';
import type { SchemaPlace } from './open-api-schema.js';

const reasons = ['FieldValueDuplicate', 'FieldValueForbidden', 'FieldValueInvalid', 'FieldValueRequired'];

/** What is wrong with the texts of a schema's rules. Source: apiextensions-apiserver validation.go ValidateCustomResourceDefinitionOpenAPISchema. */
export function ruleTextErrors(schema: ValueMap, path: string): FieldError[] {
  return listAt(schema, 'x-kubernetes-validations').flatMap((rule, i) =>
    isMap(rule) ? textErrors(rule, `${path}.${list}[${i}]`, schema) : [],
  );
}

const list = 'x-kubernetes-validations';

function textErrors(rule: ValueMap, at: string, schema: ValueMap): FieldError[] {
  const [text, message, expression, field] = ['rule', 'message', 'messageExpression', 'fieldPath'].map(name => stringAt(rule, name)) as [
    string,
    string,
    string,
    string,
  ];
  const errors: FieldError[] = [];
  if (text.trim() === '') errors.push(required(`${at}.rule`, 'rule is not specified'));
  else if (message !== '' && message.trim() === '') errors.push(invalidValue(`${at}.message`, message, 'must be non-empty if specified'));
  else if (message.trim().includes('\n')) errors.push(invalidValue(`${at}.message`, message, 'must not contain line breaks'));
  else if (text.trim().includes('\n') && message === '')
    errors.push(required(`${at}.message`, 'message must be specified if rule contains line breaks'));
  if (expression !== '' && expression.trim() === '')
    errors.push(required(`${at}.messageExpression`, 'messageExpression must be non-empty if specified'));
  const reason = rule.get('reason');
  if (typeof reason === 'string' && !reasons.includes(reason)) errors.push(notSupported(`${at}.reason`, reason, reasons));
  if (field === '') return errors;
  if (field.trim() === '') errors.push(invalidValue(`${at}.fieldPath`, field, 'must be non-empty if specified'));
  if (field.includes('\n')) errors.push(invalidValue(`${at}.fieldPath`, field, 'must not contain line breaks'));
  if ('error' in ruleFieldPath(field, structural(schema))) errors.push(invalidValue(`${at}.fieldPath`, field, 'must be a valid path'));
  return errors;
}

/** Rules that do not compile, or look at what cannot be compared. What rules may cost at most is not estimated. */
export function ruleTypeErrors(schema: ValueMap, { path, isRoot, uncorrelated }: SchemaPlace): FieldError[] {
  const rules = listAt(schema, list).filter(isMap);
  if (rules.length === 0) return [];
  const compiled = ruleCompiler()(structural(schema), isRoot || schema.get('x-kubernetes-embedded-resource') === true);
  if (compiled === undefined) {
    const words =
      'failed to construct type information for x-kubernetes-validations rules: unable to convert structural schema to CEL declarations';
    return [internalFieldError(`${path}.${list}`, `internal error: ${words}`)];
  }
  return compiled.flatMap(({ compiled: rule, message, usesOldSelf }, i) => {
    const source = rules[i] ?? new Map();
    const at = `${path}.${list}[${i}]`;
    const errors: FieldError[] = [];
    if (rule !== undefined && 'error' in rule) errors.push(invalidValue(`${at}.rule`, { rawJson: internalRule(source) }, rule.error));
    if (message !== undefined && 'error' in message)
      errors.push(invalidValue(`${at}.messageExpression`, { rawJson: internalRule(source) }, message.error));
    if (usesOldSelf && uncorrelated !== undefined) {
      const words = `oldSelf cannot be used on the uncorrelatable portion of the schema within ${uncorrelated}`;
      errors.push(invalidValue(`${at}.rule`, stringAt(source, 'rule'), words));
    }
    const optional = source.get('optionalOldSelf');
    if (!usesOldSelf && typeof optional === 'boolean')
      errors.push(invalidValue(`${at}.optionalOldSelf`, optional, 'may not be set if oldSelf is not used in rule'));
    return errors;
  });
}
