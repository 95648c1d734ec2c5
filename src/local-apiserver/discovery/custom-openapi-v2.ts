import { writeValue } from '../../go/json/write.js';
import { ownMember } from '../../go/own-members.js';
import { mapAt, toValue, type ValueMap } from '../../go/value.js';
import { embeddedMembers, embeddedRequired } from './embedded-members.js';
import { isPlain, type Plain } from './plain-schema.js';
import { sortedMaps } from './schema-order.js';

/**
 * Returns the schema of a definition's version as OpenAPI v2 has it, which lacks what older clients do not understand. `published` is the schema in
 * OpenAPI v3. Source: apiextensions-apiserver controller/openapi/builder buildKubeNative, openapi/v2 ToStructuralOpenAPIV2.
 */
export function customSchemaV2(version: ValueMap | undefined, published: Readonly<Plain>): Plain {
  const extensions = Object.fromEntries(Object.entries(published).filter(([key]) => ownExtensions.has(key)));
  const schema = mapAt(version, 'schema', 'openAPIV3Schema');
  // With more properties, clients would reject the unknown ones.
  if (schema === undefined || schema.get(preserving) === true) return { type: 'object', ...extensions };
  const { properties, ...own } = schemaV2(JSON.parse(writeValue(toValue(schema), 'kept')) as Plain);
  const members = (published['properties'] ?? {}) as Plain;
  const meta = Object.fromEntries(['apiVersion', 'kind', 'metadata'].map(name => [name, withDirectReferences(ownMember(members, name))]));
  return { ...own, properties: { ...(properties as Plain | undefined), ...meta }, ...extensions };
}

/** Returns a schema of OpenAPI v3 as one of v2: without defaults, and with `$ref` in place of an `allOf` of one reference. */
export function withDirectReferences(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withDirectReferences);
  if (!isPlain(schema)) return schema;
  const members = Object.entries(schema).flatMap(([key, value]): [string, unknown][] => {
    if (key === 'default') return [];
    if (key === '$ref') return [[key, String(value).replace('#/components/schemas/', '#/definitions/')]];
    return key === 'allOf' && hasOneReference(value)
      ? Object.entries(withDirectReferences(value[0]) as Plain)
      : [[key, withDirectReferences(value)]];
  });
  return Object.fromEntries(members);
}

function hasOneReference(value: unknown): value is [Plain] {
  return Array.isArray(value) && value.length === 1 && Object.keys(value[0] ?? {}).join() === '$ref';
}

/** Extensions that are not of the definition's schema. */
const ownExtensions = new Set(['x-kubernetes-group-version-kind', 'x-kubernetes-selectable-fields']);
const preserving = 'x-kubernetes-preserve-unknown-fields';

/** Members that OpenAPI v2 does not have, and defaults, which are not published in it. */
const missing = new Set(['allOf', 'anyOf', 'oneOf', 'not', 'nullable', 'default']);

function schemaV2(schema: Readonly<Plain>): Plain {
  const isNullable = schema['nullable'] === true;
  const preserves = schema[preserving] === true;
  const dropped = new Set([...missing, ...(isNullable || preserves ? ['items', 'properties'] : []), ...(isNullable ? ['type'] : [])]);
  const hasItems = isPlain(schema['items']) && !dropped.has('items');
  if ((schema['type'] === 'array' && !hasItems) || (preserves && schema['type'] === 'object')) dropped.add('type');
  const kept = Object.entries(schema).filter(([key]) => !dropped.has(key));
  const mapped: Plain = { ...Object.fromEntries(kept.map(([key, value]) => [key, innerV2(key, value)])), ...requiredV2(schema) };
  if (mapped['required'] === undefined) delete mapped['required'];
  return schema['x-kubernetes-embedded-resource'] === true && !preserves ? withEmbeddedMembers(mapped) : mapped;
}

function innerV2(key: string, value: unknown): unknown {
  if (key === 'x-kubernetes-validations') return sortedMaps(value);
  if (key === 'properties' && isPlain(value))
    return Object.fromEntries(Object.entries(value).map(([name, property]) => [name, isPlain(property) ? schemaV2(property) : property]));
  return (key === 'items' || key === 'additionalProperties') && isPlain(value) ? schemaV2(value) : value;
}

/** Required properties that may be null are not required. */
function requiredV2({ required, properties, additionalProperties, nullable, ...others }: Readonly<Plain>): Plain {
  if (!Array.isArray(required) || isNullable(additionalProperties)) return { required: undefined };
  const isCleared = nullable === true || others[preserving] === true;
  const known = isPlain(properties) && !isCleared ? properties : {};
  const kept = required.filter(name => !isNullable(known[name]));
  return { required: kept.length === 0 ? undefined : kept };
}

function isNullable(schema: unknown): boolean {
  return isPlain(schema) && schema['nullable'] === true;
}

function withEmbeddedMembers(schema: Plain): Plain {
  return {
    ...schema,
    required: embeddedRequired(schema),
    properties: { ...(schema['properties'] as Plain | undefined), ...(withDirectReferences(embeddedMembers) as Plain) },
  };
}
