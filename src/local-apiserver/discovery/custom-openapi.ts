import { createHash } from 'node:crypto';
import { listAt, mapAt, stringAt } from '../../go/value.js';
import type { ApiServer } from '../../kubernetes/api-server.js';
import { builtInDocuments, type OpenApiDocument } from './openapi-documents.js';
import { plainSchema } from './plain-schema.js';
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
  const published = document.components.schemas[name] as { readonly properties: Record<string, unknown> };
  const schema = plainSchema(mapAt(own, 'schema', 'openAPIV3Schema'), published.properties);
  const schemas = { ...document.components.schemas, [name]: { ...schema, 'x-kubernetes-group-version-kind': [{ group, kind, version }] } };
  return { ...document, paths: Object.fromEntries(paths), components: { schemas } };
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
