import { type DeclaredType, declaredTypeOf } from '../../../../cel/schema/declared-type.js';
import { otherMembers } from '../../../../cel/schema/rule-schema.js';
import { escapePropertyName } from '../../../../cel/values/property-name.js';
import type { ApiServer } from '../../../../kubernetes/api-server.js';
import { memoize } from '../../../../kubernetes/memoize.js';
import type { StructuralSchema } from '../../../objects/structural-schema.js';
import { type CompiledRule, compiledRulesOf, compileRules } from './compiled-rule.js';
import { hasRules } from './has-rules.js';

/**
 * Compiled rules of a schema and its nested schemas; parts without rules are omitted. Source: apiextensions-apiserver
 * schema/cel/validation.go Validator.
 */
export interface RuleTree {
  readonly schema: StructuralSchema;
  readonly isResourceRoot: boolean;
  readonly rules: readonly CompiledRule[];
  /** Error that prevented compiling any of the rules. */
  readonly error: string | undefined;
  readonly items: RuleTree | undefined;
  readonly properties: ReadonlyMap<string, RuleTree>;
  readonly additionalProperties: RuleTree | undefined;
}

/** Returns the rules of a schema, for whole objects or other values, compiled lazily; undefined when it has none. */
export function ruleTreeOf(server: ApiServer, schema: StructuralSchema, isResourceRoot: boolean): RuleTree | undefined {
  return isResourceRoot ? ofObjects(server)(schema) : ofValues(server)(schema);
}

const ofObjects = memoize((server: ApiServer) => memoize((schema: StructuralSchema) => compiledTree(server, schema, true)));
const ofValues = memoize((server: ApiServer) => memoize((schema: StructuralSchema) => compiledTree(server, schema, false)));

function compiledTree(server: ApiServer, schema: StructuralSchema, isResourceRoot: boolean): RuleTree | undefined {
  return hasRules(schema) ? treeOf(server, declaredTypeOf(server, schema, isResourceRoot), { schema, isResourceRoot }) : undefined;
}

/** The schema of a tree, and whether its values are whole objects. */
type Root = Pick<RuleTree, 'schema' | 'isResourceRoot'>;

function treeOf(server: ApiServer, declared: DeclaredType | undefined, { schema, isResourceRoot }: Root): RuleTree | undefined {
  const below = (inner: StructuralSchema, type: DeclaredType | undefined): RuleTree | undefined =>
    treeOf(server, type, { schema: inner, isResourceRoot: inner.embeddedResource });
  const own = compiledRulesOf(schema);
  const others = otherMembers<StructuralSchema>(schema);
  const tree: RuleTree = {
    schema,
    isResourceRoot,
    rules: own.length > 0 && declared !== undefined ? compileRules(server, own, declared, { schema, use: 'stored' }) : [],
    error: own.length > 0 && declared === undefined ? 'failed to convert to declType for CEL validation rules' : undefined,
    items: schema.items && below(schema.items, declared?.element),
    properties: propertiesOf(server, schema, declared, below),
    additionalProperties: others && below(others, declared?.element),
  };
  const isEmpty = tree.items === undefined && tree.additionalProperties === undefined && tree.properties.size === 0;
  return own.length === 0 && isEmpty ? undefined : tree;
}

/** Returns the rules of properties that expressions can access. */
function propertiesOf(
  server: ApiServer,
  schema: StructuralSchema,
  declared: DeclaredType | undefined,
  below: (inner: StructuralSchema, type: DeclaredType | undefined) => RuleTree | undefined,
): Map<string, RuleTree> {
  const trees = new Map<string, RuleTree>();
  for (const [name, property] of schema.properties) {
    const field = escapePropertyName(name);
    const type = field === undefined ? declaredTypeOf(server, property, property.embeddedResource) : declared?.fields?.get(field);
    const tree = type && below(property, type);
    if (tree !== undefined) trees.set(name, tree);
  }
  return trees;
}
