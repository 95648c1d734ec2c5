import { createHash } from 'node:crypto';
import { writeValue } from '../../go/json/write.js';
import { ownMember } from '../../go/own-members.js';
import { listAt, mapAt, stringAt, toValue, type Value, type ValueMap } from '../../go/value.js';
import type { ApiServer } from '../../kubernetes/api-server.js';
import { customExample, type Document, listKindOf, schemaName } from './custom-openapi-example.js';
import { embeddedMembers, embeddedRequired } from './embedded-members.js';
import type { OpenApiDocument } from './openapi-documents.js';
import { isPlain, mapPlain, type Plain } from './plain-schema.js';
import { orderedSchema, sortedMap } from './schema-order.js';
import type { DiscoveredResource } from './served-groups.js';

/** Returns the OpenAPI v3 document for a group version of custom resources: a recorded example with replaced names and schemas. */
export function customOpenApi(
  server: ApiServer,
  group: string,
  version: string,
  resources: readonly DiscoveredResource[],
): OpenApiDocument {
  const parts = resources.map(found => documentOf(server, found));
  const [first] = parts;
  const json = JSON.stringify({
    ...first,
    paths: sortedMap(Object.assign({}, ...parts.map(part => part.paths))),
    components: { schemas: sortedMap(Object.assign({}, ...parts.map(part => part.components.schemas))) },
  });
  return { path: `apis/${group}/${version}`, hash: createHash('sha512').update(json).digest('hex').toUpperCase(), json: () => json };
}

function documentOf(server: ApiServer, found: DiscoveredResource): Document {
  const { group, version, kind } = found.resource.kind;
  const name = schemaName(group, version, kind);
  const { paths, components, ...others } = customExample(server, found);
  const own = listAt(found.definition, 'spec', 'versions').find(v => stringAt(v, 'name') === version);
  const published = ownMember(components.schemas, name) as { readonly properties: Plain };
  const schema = plainSchema(mapAt(own, 'schema', 'openAPIV3Schema'), published.properties);
  const selectable = selectableFieldsOf(own);
  const listName = schemaName(group, version, listKindOf(found));
  const schemas = mapPlain(components.schemas, (value, key) => {
    if (key === name) return orderedSchema({ ...schema, 'x-kubernetes-group-version-kind': [{ group, kind, version }], ...selectable });
    return key === listName ? orderedSchema({ ...(value as Plain), ...selectable }) : value;
  });
  return { ...others, paths, components: { schemas: referenced(schemas, paths) } };
}

/** Returns the extension that names the fields of field selectors. Source: apiextensions-apiserver controller/openapi/builder buildSelectableFields. */
function selectableFieldsOf(version: Value | undefined): Plain {
  const fields = listAt(version, 'selectableFields').map(field => ({ fieldPath: stringAt(field, 'jsonPath').replace(/^\./, '') }));
  return fields.length === 0 ? {} : { 'x-kubernetes-selectable-fields': fields };
}

/** Returns the schemas that paths refer to, directly or through others. */
function referenced(schemas: Readonly<Plain>, paths: Readonly<Plain>): Plain {
  const found = new Set<string>();
  const visit = (part: unknown): void => {
    for (const [, name = ''] of JSON.stringify(part).matchAll(/"#\/components\/schemas\/([^"]+)"/g)) {
      if (found.has(name)) continue;
      found.add(name);
      visit(ownMember(schemas, name) ?? {});
    }
  };
  visit(paths);
  return Object.fromEntries(Object.entries(schemas).filter(([name]) => found.has(name)));
}

const metaProperties = ['apiVersion', 'kind', 'metadata'];

/**
 * Returns the schema of a definition's version as published in OpenAPI: with the members of every object.
 */
function plainSchema(schema: ValueMap | undefined, published: Readonly<Plain>): Plain {
  const own =
    schema === undefined
      ? { 'x-kubernetes-preserve-unknown-fields': true }
      : publishedSchema(JSON.parse(writeValue(toValue(schema), 'kept')) as Plain);
  const properties = (own['properties'] ?? {}) as Plain;
  const meta = Object.fromEntries(metaProperties.map(name => [name, ownMember(published, name)]));
  return { ...own, type: 'object', properties: { ...properties, ...meta } };
}

/** Adds OpenAPI's form of int-or-string, and the members of embedded objects. Source: apiextensions-apiserver controller/openapi/builder. */
function publishedSchema(schema: Plain): Plain {
  const inner = (key: string): Plain => {
    const value = ownMember(schema, key);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { [key]: publishedSchema(value as Plain) } : {};
  };
  const properties = schema['properties'] as Record<string, Plain> | undefined;
  const published = {
    ...schema,
    ...(schema['x-kubernetes-int-or-string'] === true ? unfoldedIntOrString(schema) : {}),
    ...orderedRules(schema),
    ...inner('items'),
    ...inner('additionalProperties'),
    ...(properties === undefined
      ? {}
      : { properties: Object.fromEntries(Object.entries(properties).map(([name, value]) => [name, publishedSchema(value)])) }),
  };
  return schema['x-kubernetes-embedded-resource'] === true ? embeddedSchema(published) : published;
}

const intOrString = [{ type: 'integer' }, { type: 'string' }];

/** Source: apiextensions-apiserver apiserver/schema Structural.Unfold. */
function unfoldedIntOrString({ anyOf, allOf }: Readonly<Plain>): Plain {
  const known: readonly unknown[] = Array.isArray(allOf) ? allOf : [];
  const [first] = known;
  if (isIntOrString(anyOf) || (isPlain(first) && isIntOrString(first['anyOf']))) return {};
  return anyOf === undefined ? { anyOf: intOrString } : { allOf: [{ anyOf: intOrString }, ...known] };
}

function isIntOrString(anyOf: unknown): boolean {
  return JSON.stringify(anyOf) === JSON.stringify(intOrString);
}

/** Members of a validation rule in the order of its Go type. */
const ruleMembers = ['rule', 'message', 'messageExpression', 'reason', 'fieldPath', 'optionalOldSelf'];

function orderedRules({ 'x-kubernetes-validations': rules }: Readonly<Plain>): Plain {
  if (!Array.isArray(rules)) return {};
  const placeOf = ([name]: [string, unknown]): number => ruleMembers.indexOf(name);
  const entries = (rule: Plain): [string, unknown][] => Object.entries(rule).sort((a, b) => placeOf(a) - placeOf(b));
  return { 'x-kubernetes-validations': rules.filter(isPlain).map(rule => Object.fromEntries(entries(rule))) };
}

function embeddedSchema(schema: Plain): Plain {
  return {
    ...schema,
    required: embeddedRequired(schema),
    properties: { ...(schema['properties'] as Plain | undefined), ...embeddedMembers },
  };
}
