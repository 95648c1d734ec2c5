import { type StructuralSchema, structural } from '../../../../apiserver/objects/structural-schema.js';
import { cappedProduct } from '../../../../cel/estimates/uint64.js';
import { type DeclaredType, declaredTypeOf } from '../../../../cel/schema/declared-type.js';
import { otherMembers } from '../../../../cel/schema/rule-schema.js';
import { escapePropertyName } from '../../../../cel/values/property-name.js';
import { isMap, listAt, stringAt, type Value, type ValueMap } from '../../../../go/value.js';
import type { ApiServer } from '../../../../kubernetes/api-server.js';
import { memoize } from '../../../../kubernetes/memoize.js';
import { noCosts, type RuleCosts } from './rule-costs.js';

/** Context of the rules in a schema, from the schemas above it. Source: apiextensions-apiserver cel_validation.go CELSchemaContext. */
export interface RuleContext {
  readonly server: ApiServer;
  readonly schema: ValueMap;
  /** Whether it is the schema of a whole object. */
  readonly isResourceRoot: boolean;
  readonly above: Above | undefined;
  /** Whether this schema or one above it has rules. */
  readonly isBelowRules: boolean;
  /** Max number of values of the schema in an object; undefined: only limited by the request size. */
  readonly cardinality: bigint | undefined;
  /** Costs of all rules in the definition's schema. */
  readonly costs: RuleCosts;
}

/** Outer schema, and the position of this one in its type. */
interface Above {
  readonly context: RuleContext;
  readonly access: (info: TypeInfo) => TypeInfo | undefined;
}

/** Schema and its type for expressions; without a type where the outer schema has none. */
export interface TypeInfo {
  readonly schema: StructuralSchema;
  readonly declared: DeclaredType | undefined;
}

/** Returns the context of the schema of whole objects. */
export function rootContext(server: ApiServer, schema: ValueMap): RuleContext {
  return { server, schema, isResourceRoot: true, above: undefined, isBelowRules: hasOwnRules(schema), cardinality: 1n, costs: noCosts() };
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

/** Returns the context of the schema of additional members. */
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
    server: context.server,
    schema,
    isResourceRoot: schema.get('x-kubernetes-embedded-resource') === true,
    above: { context, access },
    isBelowRules: context.isBelowRules || hasOwnRules(schema),
    cardinality: context.cardinality === undefined || count === undefined ? undefined : cappedProduct(context.cardinality, count),
    costs: context.costs,
  };
}

/**
 * Returns the type for rules of a schema; undefined when expressions cannot access such values. A known outer type is reused, because it
 * declares the names and kinds of whole objects. Only for schemas that have rules, or are below one that has.
 */
export const typeInfoOf = memoize(({ server, schema, isResourceRoot, above }: RuleContext): TypeInfo | undefined => {
  if (above?.context.isBelowRules) {
    const known = typeInfoOf(above.context);
    const found = known && above.access(known);
    if (known === undefined || found !== undefined) return found;
  }
  const converted = structural(schema);
  const declared = declaredTypeOf(server, converted, isResourceRoot);
  return declared && { schema: converted, declared };
});

/** Returns the max number of values of the nested schemas for each value of a schema; undefined without a limit. */
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
