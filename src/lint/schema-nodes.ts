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

function nodesIn(node: SchemaNode): SchemaNode[] {
  const { schema, pointer, path } = node;
  const properties = [...(mapAt(schema, 'properties') ?? [])].flatMap(([name, property]) => {
    if (!isMap(property)) return [];
    const at = `${pointer}/properties/${pointerToken(name)}`;
    return nodesIn({ schema: property, pointer: at, path: path === '' ? name : `${path}.${name}`, property: name, parent: node });
  });
  const inside = (
    [
      ['items', '[*]'],
      ['additionalProperties', '.*'],
    ] as const
  ).flatMap(([key, step]) => {
    const own = valueAt(schema, key);
    return isMap(own) ? nodesIn({ schema: own, pointer: `${pointer}/${key}`, path: path + step, property: undefined, parent: node }) : [];
  });
  return [node, ...properties, ...inside];
}

/** Returns the schemas around a node, the nearest first. */
export function ancestorsOf({ parent }: SchemaNode): SchemaNode[] {
  return parent === undefined ? [] : [parent, ...ancestorsOf(parent)];
}

/** Reports whether a property can be missing: neither required nor defaulted. */
export function isOptional({ schema, property, parent }: SchemaNode): boolean {
  return property !== undefined && !listAt(parent?.schema, 'required').includes(property) && !schema.has('default');
}

/** Returns the rules of a schema itself. */
export function rulesAt({ schema }: SchemaNode): ValueMap[] {
  return listAt(schema, 'x-kubernetes-validations').filter(isMap);
}
