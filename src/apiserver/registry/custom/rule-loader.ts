import type { FieldError } from '../../../kubernetes/field-error.js';
import { listAt, stringAt, type Value, type ValueMap } from '../../../kubernetes/value.js';
import { type StructuralSchema, structuralSchemaOf } from '../../objects/custom/structural-schema.js';
import type { CompiledRule } from './rules/compiled-rule.js';

/** Where a value stands that rules are about. */
export interface RulePlace {
  /** Its field; empty for a whole object. */
  readonly path: string;
  readonly isResourceRoot: boolean;
  /** Takes what is only warned about: rules that do not hold for what did not change. */
  readonly warn: (text: string) => void;
}

/** What the rules of a schema say against a value, beside the stored one if there is one. */
export type RuleValidator = (value: Value, old: Value | undefined, schema: StructuralSchema, place: RulePlace) => FieldError[];

/** The rules of a schema alone, compiled; undefined when expressions do not see such values. */
export type RuleCompiler = (schema: StructuralSchema, isResourceRoot: boolean) => readonly CompiledRule[] | undefined;

/** Loads what evaluates rules where a definition has any: most have none, and checking objects does not wait for anything. */
export async function loadRulesOf(definition: ValueMap): Promise<void> {
  const versions = listAt(definition, 'spec', 'versions').map(version => stringAt(version, 'name'));
  if (versions.some(version => hasRules(structuralSchemaOf(definition, version)))) await loadRules();
}

/** Loads what compiles and evaluates rules. */
export async function loadRules(): Promise<void> {
  loaded ??= {
    validate: (await import('./rules/validate-rules.js')).ruleErrors,
    compile: (await import('./rules/rule-tree.js')).compiledRulesOf,
  };
}

/** What was loaded. Throws when nothing was. */
export function ruleValidator(): RuleValidator {
  return required().validate;
}

/** What was loaded. Throws when nothing was. */
export function ruleCompiler(): RuleCompiler {
  return required().compile;
}

/** Has a schema rules (x-kubernetes-validations), at any place? A definition cannot have them in allOf and its like. */
export function hasRules({ source, properties, items, additionalProperties }: StructuralSchema): boolean {
  if (listAt(source, 'x-kubernetes-validations').length > 0) return true;
  const below = [...properties.values(), items, additionalProperties];
  return below.some(schema => typeof schema === 'object' && hasRules(schema));
}

let loaded: { readonly validate: RuleValidator; readonly compile: RuleCompiler } | undefined;

function required(): NonNullable<typeof loaded> {
  if (loaded === undefined) throw new Error('what evaluates rules is not loaded');
  return loaded;
}
