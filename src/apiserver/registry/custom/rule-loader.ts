import type { DeclaredType } from '../../../cel/schema/declared-type.js';
import { listAt, stringAt, type Value, type ValueMap } from '../../../go/value.js';
import type { ApiServer } from '../../../kubernetes/api-server.js';
import type { FieldError } from '../../../kubernetes/field-error.js';
import { type StructuralSchema, structuralSchemaOf } from '../../objects/custom/structural-schema.js';
import type { EstimatedRule } from './rules/estimated-rules.js';
import { hasRules } from './rules/has-rules.js';
import type { RulePlace } from './rules/rule-place.js';

/** Validates a value by the rules of a schema, with the stored value if there is one. */
export type RuleValidator = (value: Value, old: Value | undefined, schema: StructuralSchema, place: RulePlace) => FieldError[];

/** Analyzes the rules in schemas of definitions. */
export interface RuleEstimator {
  /** Returns the type that a schema declares; undefined when it is not accessible to expressions. */
  readonly declare: (schema: StructuralSchema, isResourceRoot: boolean) => DeclaredType | undefined;
  /** Compiles the rules of a schema, excluding nested ones, and estimates their costs. */
  readonly estimate: (server: ApiServer, schema: StructuralSchema, declared: DeclaredType) => readonly EstimatedRule[];
}

/** Loads the rule evaluator when a definition has rules: most have none, so validation can stay synchronous. */
export async function loadRulesOf(definition: ValueMap): Promise<void> {
  const versions = listAt(definition, 'spec', 'versions').map(version => stringAt(version, 'name'));
  if (versions.some(version => hasRules(structuralSchemaOf(definition, version)))) await loadRules();
}

/** Loads the rule compiler and evaluator. */
export async function loadRules(): Promise<void> {
  loaded ??= {
    validate: (await import('./rules/validate-rules.js')).ruleErrors,
    declare: (await import('../../../cel/schema/declared-type.js')).declaredTypeOf,
    estimate: (await import('./rules/estimated-rules.js')).estimatedRulesOf,
  };
}

/** Returns the loaded validator. Throws when it is not loaded. */
export function ruleValidator(): RuleValidator {
  return required().validate;
}

/** Returns the loaded estimator. Throws when it is not loaded. */
export function ruleEstimator(): RuleEstimator {
  return required();
}

let loaded: (RuleEstimator & { readonly validate: RuleValidator }) | undefined;

function required(): NonNullable<typeof loaded> {
  if (loaded === undefined) throw new Error('what evaluates rules is not loaded');
  return loaded;
}
