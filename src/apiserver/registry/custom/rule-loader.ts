import type { FieldError } from '../../../kubernetes/field-error.js';
import { listAt, stringAt, type Value, type ValueMap } from '../../../kubernetes/value.js';
import { type StructuralSchema, structuralSchemaOf } from '../../objects/custom/structural-schema.js';

/** What the rules of a schema say against an object, beside the stored one if there is one. */
export type RuleValidator = (object: Value, old: Value | undefined, schema: StructuralSchema, warn: (text: string) => void) => FieldError[];

/** Loads what evaluates rules where a definition has any: most have none, and checking objects does not wait for anything. */
export async function loadRulesOf(definition: ValueMap): Promise<void> {
  const versions = listAt(definition, 'spec', 'versions').map(version => stringAt(version, 'name'));
  if (!versions.some(version => hasRules(structuralSchemaOf(definition, version)))) return;
  loaded ??= (await import('./rules/validate-rules.js')).ruleErrors;
}

/** What was loaded. Throws when nothing was. */
export function ruleValidator(): RuleValidator {
  if (loaded === undefined) throw new Error('the validator of rules is not loaded');
  return loaded;
}

/** Has a schema rules (x-kubernetes-validations), at any place? A definition cannot have them in allOf and its like. */
export function hasRules({ source, properties, items, additionalProperties }: StructuralSchema): boolean {
  if (listAt(source, 'x-kubernetes-validations').length > 0) return true;
  const below = [...properties.values(), items, additionalProperties];
  return below.some(schema => typeof schema === 'object' && hasRules(schema));
}

let loaded: RuleValidator | undefined;
