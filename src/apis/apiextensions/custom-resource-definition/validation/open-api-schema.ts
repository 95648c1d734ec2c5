import { isList, isMap, listAt, mapAt, stringAt, type Value, type ValueMap } from '../../../../go/value.js';
import { type FieldError, forbiddenField, invalidValue, notSupported } from '../../../../kubernetes/field-error.js';
import { listTypeRuleErrors } from './list-type-rules.js';
import { knownTypes, type Requirements } from './requirements.js';
import { itemsContext, otherMembersContext, propertyContext, type RuleContext } from './rule-context.js';
import { compiledRuleErrors, ruleTextErrors } from './rule-errors.js';

/** Errors in a schema and below; rules are compiled only when the schema itself is valid. */
export interface SchemaErrors {
  readonly schema: FieldError[];
  readonly rules: FieldError[];
}

/** Position of a schema in a definition. */
export interface SchemaPlace {
  readonly path: string;
  readonly isRoot: boolean;
  /** Whether it is in the schema of `metadata`, `kind` or `apiVersion` of a whole object. */
  readonly insideMeta: boolean;
  /** Reason why defaults are not allowed; undefined when they are. */
  readonly noDefaults: string | undefined;
  /** Outer schema whose parts cannot be correlated after a change. */
  readonly uncorrelated: string | undefined;
  /** Undefined where rules are not compiled. */
  readonly rules: RuleContext | undefined;
  /** Whether a single rule may exceed the cost limit. */
  readonly mayExceedLimit: boolean;
  readonly requires: Requirements;
}

const metaFields = ['metadata', 'kind', 'apiVersion'];
const unsupported = ['id', 'additionalItems', 'patternProperties', 'definitions', 'dependencies', '$ref'];

/**
 * Validates a schema, except for its structural form. Source: apiextensions-apiserver validation.go
 * ValidateCustomResourceDefinitionOpenAPISchema.
 */
export function openApiSchemaErrors(schema: ValueMap, place: SchemaPlace): SchemaErrors {
  const found: SchemaErrors = { schema: [...ownErrors(schema, place)], rules: [] };
  const visit: Visit = (below, at, change) => {
    if (!isMap(below)) return;
    const inner = openApiSchemaErrors(below, { ...place, isRoot: false, path: `${place.path}.${at}`, ...change });
    found.schema.push(...inner.schema);
    found.rules.push(...inner.rules);
  };
  visitMembers(schema, place, visit);
  const withoutRules = { rules: undefined };
  visit(schema.get('not'), 'not', withoutRules);
  for (const name of ['allOf', 'oneOf', 'anyOf'])
    for (const [i, branch] of listAt(schema, name).entries()) visit(branch, `${name}[${i}]`, withoutRules);
  // Only items of lists of type map can be correlated.
  const isCorrelated = schema.get('x-kubernetes-list-type') === 'map';
  visit(schema.get('items'), 'items', {
    rules: place.rules && itemsContext(place.rules, schema.get('items')),
    uncorrelated: isCorrelated ? place.uncorrelated : (place.uncorrelated ?? place.path),
  });
  if (schema.get('x-kubernetes-preserve-unknown-fields') === false)
    found.schema.push(invalidValue(`${place.path}.x-kubernetes-preserve-unknown-fields`, false, 'must be true or undefined'));
  found.schema.push(...listTypeRuleErrors(schema, place.path, place.requires), ...ruleTextErrors(schema, place.path));
  const { rules: context, path, uncorrelated, mayExceedLimit } = place;
  if (found.schema.length === 0 && context !== undefined)
    found.rules.push(...compiledRuleErrors(schema, { context, path, uncorrelated, mayExceedLimit }));
  return found;
}

type Visit = (schema: Value | undefined, at: string, change: Pick<SchemaPlace, 'rules'> & Partial<SchemaPlace>) => void;

function visitMembers(schema: ValueMap, place: SchemaPlace, visit: Visit): void {
  const inAdditional = 'inside additionalProperties applying to object metadata';
  const others = schema.get('additionalProperties');
  visit(others, 'additionalProperties', {
    rules: place.rules && otherMembersContext(place.rules, others),
    noDefaults: place.insideMeta ? inAdditional : place.noDefaults,
  });
  const mapType = schema.get('x-kubernetes-map-type');
  const isCorrelated = mapType === undefined || mapType === 'granular' || mapType === 'atomic';
  for (const [name, property] of mapAt(schema, 'properties') ?? []) {
    const isMeta = (place.isRoot || schema.get('x-kubernetes-embedded-resource') === true) && metaFields.includes(name);
    visit(property, `properties[${name}]`, {
      rules: place.rules && propertyContext(place.rules, name, property),
      insideMeta: place.insideMeta || isMeta,
      noDefaults: isMeta && place.isRoot ? `in top-level ${name}` : place.noDefaults,
      uncorrelated: isCorrelated ? place.uncorrelated : (place.uncorrelated ?? place.path),
    });
  }
}

/** An empty map counts as absent, except for dependencies. */
function isGiven(schema: ValueMap, name: string): boolean {
  const value = schema.get(name);
  const isEmpty = isMap(value) && value.size === 0;
  return value !== undefined && !(isEmpty && (name === 'patternProperties' || name === 'definitions'));
}

function ownErrors(schema: ValueMap, { path, noDefaults, insideMeta, requires }: SchemaPlace): FieldError[] {
  const errors: FieldError[] = [];
  const type = stringAt(schema, 'type');
  if (requires.knownTypes && type !== '' && !knownTypes.includes(type)) errors.push(notSupported(`${path}.type`, type, knownTypes));
  if (schema.has('default') && noDefaults !== undefined) errors.push(forbiddenField(`${path}.default`, `must not be set ${noDefaults}`));
  for (const name of unsupported) if (isGiven(schema, name)) errors.push(forbiddenField(`${path}.${name}`, `${name} is not supported`));
  if (type === 'null') errors.push(forbiddenField(`${path}.type`, 'type cannot be set to null, use nullable as an alternative'));
  if (isList(schema.get('items'))) errors.push(forbiddenField(`${path}.items`, 'items must be a schema object and not an array'));
  if (insideMeta && schema.get('x-kubernetes-embedded-resource') === true)
    errors.push(forbiddenField(`${path}.x-kubernetes-embedded-resource`, 'must not be used inside of resource meta'));
  if (schema.get('uniqueItems') === true)
    errors.push(forbiddenField(`${path}.uniqueItems`, 'uniqueItems cannot be set to true since the runtime complexity becomes quadratic'));
  const others = schema.get('additionalProperties');
  if (others !== undefined && others !== true && (mapAt(schema, 'properties')?.size ?? 0) > 0)
    errors.push(forbiddenField(`${path}.additionalProperties`, 'additionalProperties and properties are mutual exclusive'));
  return errors;
}
