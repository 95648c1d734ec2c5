import { customCodec } from '../../../apiserver/objects/custom-codec.js';
import { customObjectErrors, customUpdateErrors } from '../../../apiserver/registry/custom/custom-object.js';
import { ruleErrors } from '../../../apiserver/registry/custom/rules/validate-rules.js';
import { stringAt, type ValueMap, valueAt } from '../../../go/value.js';
import type { ApiServer } from '../../../kubernetes/api-server.js';
import { versionsOfDefinition } from '../../../kubernetes/definition-resources.js';
import type { FieldError } from '../../../kubernetes/field-error.js';
import type { Resource } from '../../../kubernetes/resource-table.js';
import { AbortedConnection } from '../../../kubernetes/status.js';
import { isTooDeep } from '../../../kubernetes/too-deep.js';
import { parseExpression, readsVariable, selectedNames, uncheckedNames } from '../../../lint/expressions.js';
import type { LintedDefinition, RuleTrial } from '../../../lint/rule.js';
import { ancestorsOf, isOptional, rulesAt, type SchemaNode, schemaNodes } from '../../../lint/schema-nodes.js';
import { type Inner, sampleObject } from './sample-of-schema.js';

/** Optional fields of a rule of which every one is left out alone. */
const maxFields = 16;
/** Levels below the rule at which fields are left out. */
const maxDepth = 4;

/**
 * Evaluates the validation rules of a definition on small objects, with and without the optional fields that they read, created and updated.
 * Returns the rules that fail with an error for objects that are valid otherwise.
 */
export function tryRules(server: ApiServer, definition: LintedDefinition): RuleTrial[] {
  try {
    return failuresOf(server, definition);
  } catch (error) {
    // Such a definition is refused.
    if (isTooDeep(error) || error instanceof AbortedConnection) return [];
    throw error;
  }
}

function failuresOf(server: ApiServer, definition: LintedDefinition): RuleTrial[] {
  const resources = versionsOfDefinition(definition.place.object);
  const nodes = schemaNodes(definition);
  const inside = innerOf(nodes);
  return nodes.flatMap(node => {
    const resource = resources[Number(node.pointer.split('/')[3])];
    if (resource === undefined) return [];
    const version: Version = { server, definition: definition.place.object, resource, inside };
    const failures = rulesAt(node).flatMap((rule, index) => failureOf(version, node, { rule, index }) ?? []);
    // Rules of a union all read its type; an object without spec is rare.
    const isNew = ({ missing }: RuleTrial, i: number): boolean => failures.findIndex(other => other.missing === missing) === i;
    return failures.filter((failure, i) => failure.missing.path !== 'spec' && isNew(failure, i));
  });
}

interface Version {
  readonly server: ApiServer;
  readonly definition: ValueMap;
  readonly resource: Resource;
  readonly inside: Inner;
}

interface IndexedRule {
  readonly rule: ValueMap;
  readonly index: number;
}

function innerOf(nodes: readonly SchemaNode[]): Inner {
  const inside = new Map<SchemaNode, SchemaNode[]>();
  for (const node of nodes) if (node.parent !== undefined) inside.set(node.parent, [...(inside.get(node.parent) ?? []), node]);
  return node => inside.get(node) ?? [];
}

/** Returns the first failure of a rule; undefined if it has none, or cannot be parsed. */
function failureOf(version: Version, node: SchemaNode, { rule, index }: IndexedRule): RuleTrial | undefined {
  const text = stringAt(rule, 'rule');
  const expr = parseExpression(version.server, text);
  if (expr === undefined) return undefined;
  const fields = fieldsRead(node, selectedNames(expr), version.inside);
  const unchecked = uncheckedNames(expr);
  if (!fields.some(field => isOptional(field) && unchecked.has(field.property ?? ''))) return undefined;
  const isTransition = readsVariable(expr, 'oldSelf') && valueAt(rule, 'optionalOldSelf') !== true;
  const name = (stringAt(rule, 'message') || text).trim();
  for (const present of choicesOf(fields)) {
    const object = sampleObject(version.resource, [...ancestorsOf(node).reverse(), node], { present, inside: version.inside });
    const key = missingKey(errorsFor(version, object, isTransition), name);
    const missing = key === undefined ? undefined : fields.find(field => field.property === key && !present.has(field));
    if (missing === undefined || !acceptsEmpty(version, node, { present, missing, isTransition })) continue;
    const pointer = `${node.pointer}/x-kubernetes-validations/${index}/rule`;
    return { pointer, missing, call: isTransition ? 'update' : 'create', error: `no such key: ${key}` };
  }
  return undefined;
}

/** Returns what may be missing inside a schema: the optional fields that have one of the names, items, and values of maps. */
function fieldsRead(node: SchemaNode, names: ReadonlySet<string>, inside: Inner, depth = 0): SchemaNode[] {
  if (depth > maxDepth) return [];
  const read = inside(node).filter(({ property }) => property === undefined || names.has(property));
  const isLeftOut = (field: SchemaNode): boolean => field.property === undefined || isOptional(field);
  return read.flatMap(field => [...(isLeftOut(field) ? [field] : []), ...fieldsRead(field, names, inside, depth + 1)]).slice(0, maxFields);
}

/** Returns which of the fields are present: none, each alone, all but one, all. */
function choicesOf(fields: readonly SchemaNode[]): ReadonlySet<SchemaNode>[] {
  const without = (field: SchemaNode): SchemaNode[] => fields.filter(other => other !== field && !ancestorsOf(other).includes(field));
  const alone = (field: SchemaNode): SchemaNode[] => fields.filter(other => other === field || ancestorsOf(field).includes(other));
  return [[], ...fields.map(alone), ...fields.map(without), fields].map(one => new Set(one));
}

/** Returns the errors of creating an object, or of an update that changes nothing. */
function errorsFor({ server, definition, resource }: Version, object: ValueMap, isUpdate: boolean): FieldError[] {
  const codec = customCodec(server, resource.kind, definition);
  codec.setDefaults(object);
  const rules = { server, resource, schema: codec.schema, scale: undefined, warn: () => undefined };
  return isUpdate ? customUpdateErrors(object, object, rules) : customObjectErrors(object, rules);
}

interface Missed {
  readonly present: ReadonlySet<SchemaNode>;
  readonly missing: SchemaNode;
  readonly isTransition: boolean;
}

/** Reports whether the rules accept an empty value in place of a missing one. Otherwise the field is probably missed on purpose. */
function acceptsEmpty(version: Version, node: SchemaNode, { present, missing, isTransition }: Missed): boolean {
  const { server, definition, resource, inside } = version;
  const way = [...ancestorsOf(node).reverse(), node];
  const object = sampleObject(resource, way, { present: new Set([...present, missing]), inside, empty: missing });
  const codec = customCodec(server, resource.kind, definition);
  codec.setDefaults(object);
  const place = { server, path: '', isResourceRoot: true, warn: () => undefined };
  return ruleErrors(object, isTransition ? object : undefined, codec.schema, place).length === 0;
}

/** Returns the key that a rule misses, if missing keys are the only errors. */
function missingKey(errors: readonly FieldError[], name: string): string | undefined {
  const keys = errors.map(({ detail }) => /^no such key: (\S+) evaluating rule: (.*)$/s.exec(detail ?? ''));
  return keys.every(key => key !== null) ? keys.find(key => key?.[2] === name)?.[1] : undefined;
}
