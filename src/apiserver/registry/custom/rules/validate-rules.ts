import { type Activation, type EvaluationOutcome, evaluate } from '../../../../cel/program/evaluate.js';
import { type RuleSchema, withTypeAndObjectMeta } from '../../../../cel/schema/rule-schema.js';
import { schemaValue } from '../../../../cel/schema/schema-value.js';
import { type CelValue, optionalNone, optionalOf } from '../../../../cel/values/value.js';
import { shownValue } from '../../../../encoding/shown-value.js';
import { isList, isMap, type Value } from '../../../../go/value.js';
import type { ApiServer } from '../../../../kubernetes/api-server.js';
import { duplicate, type FieldError, forbiddenField, invalidValue, printFieldError, required } from '../../../../kubernetes/field-error.js';
import { childPath, keyPath } from '../../../../kubernetes/field-path.js';
import type { StructuralSchema } from '../../../objects/structural-schema.js';
import type { CompiledRule } from './compiled-rule.js';
import { type Correlated, correlatedItem, correlatedMember, isUnchanged, sameItem } from './correlated.js';
import { messageOfRule, overLimit, ruleMessage, ruleName } from './rule-message.js';
import { type RuleTree, ruleTreeOf } from './rule-tree.js';

/** Max total cost of all rules of an object. Source: apiserver pkg/apis/cel RuntimeCELCostBudget. */
const costBudget = 10_000_000;

/**
 * Evaluates the rules of a schema (x-kubernetes-validations) for a value and returns the errors. With a stored value, rules that fail for
 * unchanged values only warn. Source: apiextensions-apiserver schema/cel/validation.go.
 */
export function ruleErrors(
  value: Value,
  old: Value | undefined,
  schema: StructuralSchema,
  { server, path, isResourceRoot, warn }: RulePlace,
): FieldError[] {
  const tree = ruleTreeOf(server, schema, isResourceRoot);
  if (tree === undefined) return [];
  const run: Run = { server, errors: [], budget: costBudget, warn };
  // Unchanged values are only exempt in whole objects.
  const current = old === undefined || !isResourceRoot ? undefined : { value, old, schema };
  validate(run, tree, { path, value, old: old ?? null, correlation: { current, parent: undefined } });
  return run.errors;
}

/** State of a validation. */
interface Run {
  readonly server: ApiServer;
  readonly errors: FieldError[];
  /** Remaining budget; below zero nothing more is evaluated. */
  budget: number;
  readonly warn: (text: string) => void;
}

interface ValidatedValue {
  readonly path: string;
  readonly value: Value;
  /** Null when there is no value to compare with. */
  readonly old: Value;
  readonly correlation: Correlation;
}

/** The stored value here, and the nearest one above where there is one; undefined when it cannot be correlated. */
interface Correlation {
  readonly current: Correlated | undefined;
  readonly parent: Correlated | undefined;
}

function validate(run: Run, tree: RuleTree, place: ValidatedValue): void {
  const { value } = place;
  if (run.budget < 0 || value === null) return;
  validateOwn(run, tree, place);
  if (isList(value)) validateItems(run, tree, place, value);
  else if (isMap(value)) validateMembers(run, tree, place, value);
}

function validateItems(run: Run, tree: RuleTree, { path, old, correlation }: ValidatedValue, list: readonly Value[]): void {
  if (tree.items === undefined) return;
  const oldItems = isList(old) ? old : [];
  for (const [i, item] of list.entries()) {
    const { current } = correlation;
    const below = current === undefined ? correlation : { current: correlatedItem(current, i), parent: current };
    validate(run, tree.items, {
      path: `${path}[${i}]`,
      value: item,
      old: sameItem(oldItems, item, tree.schema) ?? null,
      correlation: below,
    });
  }
}

function validateMembers(run: Run, tree: RuleTree, { path, old, correlation }: ValidatedValue, members: ReadonlyMap<string, Value>): void {
  const { additionalProperties: others } = tree;
  for (const isNamed of [false, true]) {
    for (const [name, value] of members) {
      const part = isNamed ? tree.properties.get(name) : others;
      if (part === undefined) continue;
      const at = isNamed ? childPath(path, name) : keyPath(path, name);
      const before = isMap(old) ? (old.get(name) ?? null) : null;
      validate(run, part, { path: at, value, old: before, correlation: memberCorrelation(correlation, name) });
    }
  }
}

/** Correlates a member; apiVersion and kind of the whole object count as unchanged, since both are in the same version. */
function memberCorrelation(correlation: Correlation, name: string): Correlation {
  const { current, parent } = correlation;
  if (current === undefined) return correlation;
  if (parent === undefined && (name === 'apiVersion' || name === 'kind')) return { current: undefined, parent: undefined };
  return { current: correlatedMember(current, name), parent: current };
}

function isRatcheted({ current, parent }: Correlation): boolean {
  const nearest = current ?? parent;
  return nearest !== undefined && isUnchanged(nearest);
}

function validateOwn(run: Run, tree: RuleTree, place: ValidatedValue): void {
  const { schema } = tree;
  const complain = (message: string): void => {
    run.errors.push(invalidValue(fieldOf(place.path), schema.type, message));
  };
  if (tree.error !== undefined) complain(`rule compiler initialization error: ${tree.error}`);
  if (tree.rules.length === 0) return;
  if (run.budget <= 0) {
    complain(outOfBudget);
    run.budget = -1;
    return;
  }
  const variables = variablesOf(place, tree);
  for (const rule of tree.rules) {
    if (rule.compiled === undefined) continue;
    if ('error' in rule.compiled) {
      complain(`rule compile error: ${rule.compiled.error}`);
      continue;
    }
    // A transition rule needs a stored value, unless its oldSelf is optional.
    if (rule.usesOldSelf && place.old === null && !rule.rule.optionalOldSelf) continue;
    const outcome = evaluate(rule.compiled.program, rule.rule.optionalOldSelf ? variables.optional : variables.plain);
    if (!isAccounted(run, outcome, rule, complain)) return;
    if (outcome.outcome === 'value' && outcome.value !== true) refuse(run, { rule, schema, place, variables });
    if (run.budget < 0) return;
  }
}

const outOfBudget = 'validation failed due to running out of cost budget, no further validation rules will be run';

/** Subtracts the cost from the budget and adds errors; returns false when evaluation must end. */
function isAccounted(run: Run, outcome: EvaluationOutcome, { rule }: CompiledRule, complain: (message: string) => void): boolean {
  if (outcome.cost > run.budget) {
    complain(outOfBudget);
    run.budget = -1;
    return false;
  }
  run.budget -= outcome.cost;
  if (outcome.outcome === 'value') return true;
  const name = ruleName(rule);
  if (outcome.message.startsWith('no such overload')) {
    complain(`'${outcome.message}': call arguments did not match a supported operator, function or macro signature for rule: ${name}`);
  } else if (outcome.message.startsWith(overLimit)) {
    complain(`'${outcome.message}': no further validation rules will be run due to call cost exceeds limit for rule: ${name}`);
    run.budget = -1;
    return false;
  } else complain(`${outcome.message} evaluating rule: ${name}`);
  return true;
}

interface Refused {
  readonly rule: CompiledRule;
  readonly schema: StructuralSchema;
  readonly place: ValidatedValue;
  readonly variables: Variables;
}

/** Adds the error of a failed rule. */
function refuse(run: Run, { rule, schema, place, variables }: Refused): void {
  const field = rule.field === '' ? fieldOf(place.path) : childPath(place.path, rule.field);
  const tell = (error: FieldError): void => {
    if (!rule.usesOldSelf && isRatcheted(place.correlation)) run.warn(printFieldError(error));
    else run.errors.push(error);
  };
  let detail = ruleMessage(rule.rule);
  if (rule.message !== undefined && 'program' in rule.message) {
    // A messageExpression always has the plain oldSelf.
    const outcome = evaluate(rule.message.program, variables.plain);
    const message = messageOfRule(outcome, rule.rule.messageExpression, run.budget);
    if (message.outcome === 'stopped') {
      tell(invalidValue(field, schema.type, message.error));
      run.budget = -1;
      return;
    }
    run.budget -= outcome.cost;
    if (message.outcome === 'text') detail = message.text;
  }
  tell(errorFor(rule.rule.reason, { field, detail, value: badValueOf(run.server, schema, place) }));
}

/** v1.34 shows the type in place of the value. */
function badValueOf(server: ApiServer, schema: StructuralSchema, { value }: Refused['place']): ReturnType<typeof shownValue> | undefined {
  if (!server.since('v1.35')) return schema.type;
  return isPlain(schema) ? shownValue(value) : undefined;
}

function isPlain({ type }: StructuralSchema): boolean {
  return type !== 'object' && type !== 'array';
}

function errorFor(
  reason: string,
  { field, detail, value }: { readonly field: string; readonly detail: string; readonly value: ReturnType<typeof shownValue> | undefined },
): FieldError {
  switch (reason) {
    case 'FieldValueForbidden':
      return forbiddenField(field, detail);
    case 'FieldValueRequired':
      return required(field, detail);
    case 'FieldValueDuplicate':
      return duplicate(field, value);
    default:
      return invalidValue(field, value, detail);
  }
}

/** Returns the field path; Go prints that of the whole object as nil. */
function fieldOf(path: string): string {
  return path === '' ? '<nil>' : path;
}

interface Variables {
  readonly plain: Activation;
  readonly optional: Activation;
}

/** Returns the variables of a messageExpression; `oldSelf` is only present when the rule uses it. */
function variablesOf({ value, old }: ValidatedValue, { schema, isResourceRoot, rules }: RuleTree): Variables {
  const of: RuleSchema = isResourceRoot ? withTypeAndObjectMeta(schema) : schema;
  const self = schemaValue(value, of);
  const oldSelf = old === null || !rules.some(rule => rule.usesOldSelf) ? undefined : schemaValue(old, of);
  const activation = (before: CelValue | undefined): Activation => ({
    resolve: name => (name === 'self' ? self : name === 'oldSelf' ? before : undefined),
  });
  return { plain: activation(oldSelf), optional: activation(oldSelf === undefined ? optionalNone : optionalOf(oldSelf)) };
}

/** Place of a value with rules. */
interface RulePlace {
  readonly server: ApiServer;
  /** Field path; empty for a whole object. */
  readonly path: string;
  readonly isResourceRoot: boolean;
  /** Receives warnings: rules that fail for unchanged values. */
  readonly warn: (text: string) => void;
}
