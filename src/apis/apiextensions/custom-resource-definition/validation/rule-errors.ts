import { structural } from '../../../../apiserver/objects/structural-schema.js';
import type { EstimatedRule } from '../../../../apiserver/registry/custom/rules/estimated-rules.js';
import { estimatedRulesOf } from '../../../../apiserver/registry/custom/rules/estimated-rules.js';
import { ruleFieldPath } from '../../../../apiserver/registry/custom/rules/rule-field-path.js';
import { cappedProduct } from '../../../../cel/estimates/uint64.js';
import { goString } from '../../../../go/json/write.js';
import { isMap, listAt, stringAt, type Value, type ValueMap } from '../../../../go/value.js';
import { trimSpace } from '../../../../go/white-space.js';
import {
  type BadValue,
  type FieldError,
  internalFieldError,
  invalidValue,
  notSupported,
  required,
} from '../../../../kubernetes/field-error.js';
import { internalRule } from './internal-form.js';
import { type RuleContext, typeInfoOf } from './rule-context.js';
import { addCost, expressionCostErrors } from './rule-costs.js';
import { hasStructure } from './structural-form.js';

const reasons = ['FieldValueDuplicate', 'FieldValueForbidden', 'FieldValueInvalid', 'FieldValueRequired'];

/** Validates the texts of a schema's rules. Source: apiextensions-apiserver validation.go ValidateCustomResourceDefinitionOpenAPISchema. */
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
  if (isBlank(text)) errors.push(required(`${at}.rule`, 'rule is not specified'));
  else if (message !== '' && isBlank(message)) errors.push(invalidValue(`${at}.message`, message, 'must be non-empty if specified'));
  else if (hasLineBreaks(trimSpace(message))) errors.push(invalidValue(`${at}.message`, message, 'must not contain line breaks'));
  else if (hasLineBreaks(trimSpace(text)) && message === '')
    errors.push(required(`${at}.message`, 'message must be specified if rule contains line breaks'));
  if (expression !== '' && isBlank(expression))
    errors.push(required(`${at}.messageExpression`, 'messageExpression must be non-empty if specified'));
  const reason = rule.get('reason');
  if (typeof reason === 'string' && !reasons.includes(reason))
    errors.push(notSupported(`${at}.reason`, { rawJson: goString(reason) }, reasons));
  if (field === '') return errors;
  if (isBlank(field)) errors.push(invalidValue(`${at}.fieldPath`, field, 'must be non-empty if specified'));
  if (hasLineBreaks(field)) errors.push(invalidValue(`${at}.fieldPath`, field, 'must not contain line breaks'));
  if (hasStructure(schema) && 'error' in ruleFieldPath(field, structural(schema)))
    errors.push(invalidValue(`${at}.fieldPath`, field, 'must be a valid path'));
  return errors;
}

function isBlank(text: string): boolean {
  return trimSpace(text) === '';
}

function hasLineBreaks(text: string): boolean {
  return /[\n\r]/.test(text);
}

/** Position of rules, and their outer context. */
export interface RuleSurroundings {
  readonly path: string;
  /** Outer schema whose parts cannot be correlated after a change. */
  readonly uncorrelated: string | undefined;
  readonly context: RuleContext;
  /** Whether a single rule may exceed the cost limit, as when an update does not change the schema. */
  readonly mayExceedLimit: boolean;
}

/** Returns the errors of rules that do not compile, may cost too much, or use values that cannot be compared. Adds up their costs. */
export function compiledRuleErrors(schema: ValueMap, place: RuleSurroundings): FieldError[] {
  const rules = listAt(schema, list).filter(isMap);
  if (rules.length === 0) return [];
  const info = typeInfoOf(place.context);
  if (info?.declared === undefined) return [internalFieldError(`${place.path}.${list}`, info === undefined ? withoutTypes : withoutType)];
  return estimatedRulesOf(place.context.server, info.schema, info.declared).flatMap((rule, i) => {
    const at = `${place.path}.${list}[${i}]`;
    const source = rules[i] ?? new Map<string, Value>();
    return [
      ...costErrors(rule, at, place),
      ...compileErrors(rule, at, source),
      ...messageCostErrors(rule, at, place),
      ...oldSelfErrors(rule, { at, source, place }),
    ];
  });
}

const withoutTypes =
  'internal error: failed to construct type information for x-kubernetes-validations rules: unable to convert structural schema to CEL declarations';
const withoutType = 'failed to convert to declType for CEL validation rules';

/** Returns the cost errors of a rule, which is evaluated for each possible value. */
function costErrors({ cost, mostInRequest }: EstimatedRule, at: string, { context, mayExceedLimit }: RuleSurroundings): FieldError[] {
  const field = `${at}.rule`;
  const total = cappedProduct(cost, context.cardinality ?? mostInRequest);
  addCost(context.costs, field, total);
  return mayExceedLimit ? [] : expressionCostErrors(field, 'estimated rule cost', total);
}

/** Returns the cost errors of a messageExpression, which is counted once: one invalid value suffices. */
function messageCostErrors({ messageCost }: EstimatedRule, at: string, { context, mayExceedLimit }: RuleSurroundings): FieldError[] {
  if (messageCost === undefined) return [];
  const field = `${at}.messageExpression`;
  addCost(context.costs, field, messageCost);
  return mayExceedLimit ? [] : expressionCostErrors(field, 'estimated messageExpression cost', messageCost);
}

function compileErrors({ compiled, message }: EstimatedRule, at: string, source: ValueMap): FieldError[] {
  const errors: FieldError[] = [];
  const shown = (): BadValue => ({ rawJson: internalRule(source) });
  if (compiled !== undefined && 'error' in compiled) errors.push(invalidValue(`${at}.rule`, shown(), compiled.error));
  if (message !== undefined && 'error' in message) errors.push(invalidValue(`${at}.messageExpression`, shown(), message.error));
  return errors;
}

interface SourcePlace {
  readonly at: string;
  readonly source: ValueMap;
  readonly place: RuleSurroundings;
}

function oldSelfErrors({ usesOldSelf }: EstimatedRule, { at, source, place: { uncorrelated } }: SourcePlace): FieldError[] {
  if (usesOldSelf) {
    const message = `oldSelf cannot be used on the uncorrelatable portion of the schema within ${uncorrelated}`;
    return uncorrelated === undefined ? [] : [invalidValue(`${at}.rule`, stringAt(source, 'rule'), message)];
  }
  const optional = source.get('optionalOldSelf');
  if (typeof optional !== 'boolean') return [];
  return [invalidValue(`${at}.optionalOldSelf`, optional, 'may not be set if oldSelf is not used in rule')];
}
