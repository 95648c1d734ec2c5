import { type StructuralSchema, structural } from '../../../../apiserver/objects/custom/structural-schema.js';
import { ruleEstimator } from '../../../../apiserver/registry/custom/rule-loader.js';
import { cappedProduct } from '../../../../cel/estimates/uint64.js';
import type { DeclaredType } from '../../../../cel/schema/declared-type.js';
import { escapePropertyName } from '../../../../cel/schema/property-name.js';
import { otherMembers } from '../../../../cel/schema/rule-schema.js';
import { isMap, listAt, stringAt, type Value, type ValueMap } from '../../../../go/value.js';
import { memoize } from '../../../../kubernetes/memoize.js';
import { noCosts, type RuleCosts } from './rule-costs.js';

/** What the rules of a schema know of the schemas above it. Source: apiextensions-apiserver cel_validation.go CELSchemaContext. */
export interface RuleContext {
  readonly schema: ValueMap;
  /** Is it the schema of a whole object? */
  readonly isResourceRoot: boolean;
  readonly above: Above | undefined;
  /** Has this schema rules, or one above it? */
  readonly isBelowRules: boolean;
  /** How many values of the schema an object may hold; undefined: as many as fit into a request. */
  readonly cardinality: bigint | undefined;
  /** Those of all rules of the definition's schema. */
  readonly costs: RuleCosts;
}

/** The schema above, and how this one is found in what is known of that. */
interface Above {
  readonly context: RuleContext;
  readonly access: (info: TypeInfo) => TypeInfo | undefined;
}

/** A schema and the type it has for expressions; without a type where the schema above it gives it none. */
export interface TypeInfo {
  readonly schema: StructuralSchema;
  readonly declared: DeclaredType | undefined;
}

/** Returns the context of the schema of whole objects. */
export function rootContext(schema: ValueMap): RuleContext {
  return { schema, isResourceRoot: true, above: undefined, isBelowRules: hasOwnRules(schema), cardinality: 1n, costs: noCosts() };
}

/** Returns the context of a property's schema. */
export function propertyContext(above: RuleContext, name: string, schema: Value): RuleContext | undefined {
  return contextBelow(above, schema, info => {
    const [property, field] = [info.schema.properties.get(name), escapePropertyName(name)];
    const declared = field === undefined ? undefined : info.declared?.fields?.get(field);
    return property && declared && { schema: property, declared };
  });
}

/** Returns the context of the schema of a list's items. */
export function itemsContext(above: RuleContext, schema: Value | undefined): RuleContext | undefined {
  return contextBelow(above, schema, ({ schema: { items }, declared }) => items && { schema: items, declared: declared?.element });
}

/** Returns the context of the schema of members that are not named. */
export function otherMembersContext(above: RuleContext, schema: Value | undefined): RuleContext | undefined {
  return contextBelow(above, schema, info => {
    const others = otherMembers(info.schema);
    return others && { schema: others, declared: info.declared?.element };
  });
}

function contextBelow(context: RuleContext, schema: Value | undefined, access: Above['access']): RuleContext | undefined {
  if (!isMap(schema)) return undefined;
  const count = elementLimit(context.schema);
  return {
    schema,
    isResourceRoot: schema.get('x-kubernetes-embedded-resource') === true,
    above: { context, access },
    isBelowRules: context.isBelowRules || hasOwnRules(schema),
    cardinality: context.cardinality === undefined || count === undefined ? undefined : cappedProduct(context.cardinality, count),
    costs: context.costs,
  };
}

/**
 * What rules of a schema see; undefined when expressions do not see such values. A type that is known above is taken from there: names
 * and kinds of whole objects are declared by those. Only for schemas that have rules, or are below one that has.
 */
export const typeInfoOf = memoize(({ schema, isResourceRoot, above }: RuleContext): TypeInfo | undefined => {
  if (above?.context.isBelowRules) {
    const known = typeInfoOf(above.context);
    const found = known && above.access(known);
    if (known === undefined || found !== undefined) return found;
  }
  const converted = structural(schema);
  const declared = ruleEstimator().declare(converted, isResourceRoot);
  return declared && { schema: converted, declared };
});

/** How many values of the schemas below there may be for each value of a schema; undefined: no limit is set. */
function elementLimit(schema: ValueMap): bigint | undefined {
  const type = stringAt(schema, 'type');
  const isCollection = type === 'array' || (type === 'object' && schema.has('additionalProperties'));
  if (!isCollection) return 1n;
  const limit = schema.get(type === 'array' ? 'maxItems' : 'maxProperties');
  if (typeof limit !== 'bigint') return undefined;
  return limit < 0n ? 0n : limit;
}

function hasOwnRules(schema: ValueMap): boolean {
  return listAt(schema, 'x-kubernetes-validations').length > 0;
}
