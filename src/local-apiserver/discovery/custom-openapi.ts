import { createHash } from 'node:crypto';
import { writeValue } from '../../go/json/write.js';
import { ownMember } from '../../go/own-members.js';
import { listAt, mapAt, stringAt, toValue, type ValueMap } from '../../go/value.js';
import type { ApiServer } from '../../kubernetes/api-server.js';
import { embeddedMembers, embeddedRequired, type Plain } from './embedded-members.js';
import { builtInDocuments, type OpenApiDocument } from './openapi-documents.js';
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
    paths: Object.assign({}, ...parts.map(part => part.paths)),
    components: { schemas: Object.assign({}, ...parts.map(part => part.components.schemas)) },
  });
  return { path: `apis/${group}/${version}`, hash: createHash('sha512').update(json).digest('hex').toUpperCase(), json: () => json };
}

interface Document {
  readonly paths: Record<string, unknown>;
  readonly components: { readonly schemas: Record<string, unknown> };
}

/** Names in the recorded examples. */
const examples = {
  namespaced: { line: 'crd-namespaced', group: 'example.com', version: 'v1', plural: 'gadgets', kind: 'Gadget' },
  cluster: { line: 'crd-cluster', group: 'example.org', version: 'v1beta1', plural: 'tools', kind: 'Tool' },
};

function documentOf(server: ApiServer, { resource, definition }: DiscoveredResource): Document {
  const example = resource.namespaced ? examples.namespaced : examples.cluster;
  const text = builtInDocuments(server).get(example.line)?.json() ?? '{}';
  const { group, version, resource: plural } = resource;
  const { kind } = resource.kind;
  const renamed = text
    .replaceAll(reversed(example.group, example.version), reversed(group, version))
    .replaceAll(`apis/${example.group}/${example.version}/`, `apis/${group}/${version}/`)
    .replaceAll(`"group":"${example.group}"`, `"group":"${group}"`)
    .replaceAll(`"version":"${example.version}"`, `"version":"${version}"`)
    .replaceAll(`${camel(example.group)}_${example.version}`, `${camel(group)}_${version}`)
    .replaceAll(`${upper(camel(example.group))}${upper(example.version)}`, `${upper(camel(group))}${upper(version)}`)
    .replaceAll(new RegExp(`(?<=/)${example.plural}(?=["/])|(?<=List of )${example.plural}\\b`, 'g'), plural)
    .replaceAll(new RegExp(`(?<![A-Za-z]{2}\\b)${example.kind}(?=List|ForAllNamespaces|Status|Scale|\\b)`, 'g'), kind)
    .replaceAll(new RegExp(`(?<=Namespaced)${example.kind}`, 'g'), kind);
  const document = JSON.parse(renamed) as Document;
  const names = resource.subresources.map(({ name }) => name);
  const paths = Object.entries(document.paths).filter(([path]) => {
    const subresource = /\{name\}\/(\w+)$/.exec(path)?.[1];
    return subresource === undefined || names.includes(subresource);
  });
  const name = `${reversed(group, version)}.${kind}`;
  const own = listAt(definition, 'spec', 'versions').find(v => stringAt(v, 'name') === version);
  const published = ownMember(document.components.schemas, name) as { readonly properties: Record<string, unknown> };
  const schema = plainSchema(mapAt(own, 'schema', 'openAPIV3Schema'), published.properties);
  const schemas = { ...document.components.schemas, [name]: { ...schema, 'x-kubernetes-group-version-kind': [{ group, kind, version }] } };
  const kept = Object.fromEntries(paths);
  return { ...document, paths: kept, components: { schemas: referenced(schemas, kept) } };
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

/** `com.example.v1` of `example.com/v1`. */
function reversed(group: string, version: string): string {
  return `${group.split('.').reverse().join('.')}.${version}`;
}

/** `exampleCom` of `example.com`. */
function camel(group: string): string {
  return group
    .split('.')
    .map((part, i) => (i === 0 ? part : upper(part)))
    .join('');
}

function upper(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;
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
    ...(schema['x-kubernetes-int-or-string'] === true ? { anyOf: [{ type: 'integer' }, { type: 'string' }] } : {}),
    ...inner('items'),
    ...inner('additionalProperties'),
    ...(properties === undefined
      ? {}
      : { properties: Object.fromEntries(Object.entries(properties).map(([name, value]) => [name, publishedSchema(value)])) }),
  };
  return schema['x-kubernetes-embedded-resource'] === true ? embeddedSchema(published) : published;
}

function embeddedSchema(schema: Plain): Plain {
  return {
    ...schema,
    required: embeddedRequired(schema),
    properties: { ...(schema['properties'] as Plain | undefined), ...embeddedMembers },
  };
}
