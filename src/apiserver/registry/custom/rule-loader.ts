import type { DeclaredType } from '../../../cel/schema/declared-type.js';
import { listAt, stringAt, type Value, type ValueMap } from '../../../go/value.js';
import type { FieldError } from '../../../kubernetes/field-error.js';
import { type StructuralSchema, structuralSchemaOf } from '../../objects/custom/structural-schema.js';
import type { EstimatedRule } from './rules/estimated-rules.js';

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

/** What definitions are asked about the rules of their schemas. */
export interface RuleEstimator {
  /** The type a schema gives to its values; undefined when expressions do not see such values. */
  readonly declare: (schema: StructuralSchema, isResourceRoot: boolean) => DeclaredType | undefined;
  /** The rules of a schema alone, compiled for its type, with what they may cost. */
  readonly estimate: (schema: StructuralSchema, declared: DeclaredType) => readonly EstimatedRule[];
}

/** Loads what evaluates rules where a definition has any: most have none, and checking objects does not wait for anything. */
export async function loadRulesOf(definition: ValueMap): Promise<void> {
  const versions = listAt(definition, 'spec', 'versions').map(version => stringAt(version, 'name'));
  if (versions.some(version => hasRules(structuralSchemaOf(definition, version)))) await loadRules();
}

/** Loads what compiles and evaluates rules. */
export async function loadRules(): Promise<void> {
  loaded ??= {
    validate: (await import('./rules/validate-rules.js')).ruleErrors,
    declare: (await import('../../../cel/schema/declared-type.js')).declaredTypeOf,
    estimate: (await import('./rules/estimated-rules.js')).estimatedRulesOf,
  };
}

/** What was loaded. Throws when nothing was. */
export function ruleValidator(): RuleValidator {
  return required().validate;
}

/** What was loaded. Throws when nothing was. */
export function ruleEstimator(): RuleEstimator {
  return required();
}

/** Has a schema rules (x-kubernetes-validations), at any place? A definition cannot have them in allOf and its like. */
export function hasRules({ source, properties, items, additionalProperties }: StructuralSchema): boolean {
  if (listAt(source, 'x-kubernetes-validations').length > 0) return true;
  const below = [...properties.values(), items, additionalProperties];
  return below.some(schema => typeof schema === 'object' && hasRules(schema));
}

let loaded: (RuleEstimator & { readonly validate: RuleValidator }) | undefined;

function required(): NonNullable<typeof loaded> {
  if (loaded === undefined) throw new Error('what evaluates rules is not loaded');
  return loaded;
}
