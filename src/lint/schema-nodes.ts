import { pointerToken } from '../encoding/json-pointer.js';
import { isMap, listAt, mapAt, type ValueMap, valueAt } from '../go/value.js';
import type { LintedDefinition } from './rule.js';

/** Schema inside a version of a definition. */
export interface SchemaNode {
  readonly schema: ValueMap;
  /** JSON pointer from the definition. */
  readonly pointer: string;
  /** `spec.monitor`, `spec.items[*].name`, `spec.map.*`; empty for the whole object. */
  readonly path: string;
  /** Name of the property; undefined for items, values of maps and the whole object. */
  readonly property: string | undefined;
  readonly parent: SchemaNode | undefined;
}

/** Returns the schemas of every version of a definition, outer ones first. */
export function schemaNodes({ place: { object } }: LintedDefinition): SchemaNode[] {
  return listAt(object, 'spec', 'versions').flatMap((version, i) => {
    const schema = mapAt(version, 'schema', 'openAPIV3Schema');
    if (schema === undefined) return [];
    const pointer = `/spec/versions/${i}/schema/openAPIV3Schema`;
    return nodesIn({ schema, pointer, path: '', property: undefined, parent: undefined });
  });
}

/** Without recursion: a schema may be nested more deeply than the stack allows. */
function nodesIn(root: SchemaNode): SchemaNode[] {
  const nodes: SchemaNode[] = [];
  const waiting = [root];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    nodes.push(node);
    waiting.push(...[...propertiesOf(node), ...insideOf(node)].reverse());
  }
  return nodes;
}

function propertiesOf(node: SchemaNode): SchemaNode[] {
  const { schema, pointer, path } = node;
  return [...(mapAt(schema, 'properties') ?? [])].flatMap(([name, property]) => {
    if (!isMap(property)) return [];
    const at = `${pointer}/properties/${pointerToken(name)}`;
    return [{ schema: property, pointer: at, path: path === '' ? name : `${path}.${name}`, property: name, parent: node }];
  });
}

function insideOf(node: SchemaNode): SchemaNode[] {
  const { schema, pointer, path } = node;
  const steps = [
    ['items', '[*]'],
    ['additionalProperties', '.*'],
  ] as const;
  return steps.flatMap(([key, step]) => {
    const own = valueAt(schema, key);
    return isMap(own) ? [{ schema: own, pointer: `${pointer}/${key}`, path: path + step, property: undefined, parent: node }] : [];
  });
}

/** Returns the schemas around a node, the nearest first. */
export function ancestorsOf(node: SchemaNode): SchemaNode[] {
  const found: SchemaNode[] = [];
  for (let { parent } = node; parent !== undefined; { parent } = parent) found.push(parent);
  return found;
}

/** Reports whether a property can be missing: neither required nor defaulted. */
export function isOptional({ schema, property, parent }: SchemaNode): boolean {
  return property !== undefined && !listAt(parent?.schema, 'required').includes(property) && !schema.has('default');
}

/** Returns the rules of a schema itself. */
export function rulesAt({ schema }: SchemaNode): ValueMap[] {
  return listAt(schema, 'x-kubernetes-validations').filter(isMap);
}
