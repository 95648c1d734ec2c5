import { ownMember } from '../../go/own-members.js';
import { stringAt } from '../../go/value.js';
import type { ApiServer } from '../../kubernetes/api-server.js';
import { servedNames } from '../../kubernetes/definition-resources.js';
import { memoize } from '../../kubernetes/memoize.js';
import { builtInDocuments } from './openapi-documents.js';
import type { Plain } from './plain-schema.js';
import type { DiscoveredResource } from './served-groups.js';

/** An OpenAPI v3 document. */
export interface Document {
  readonly paths: Readonly<Plain>;
  readonly components: { readonly schemas: Readonly<Plain> };
}

/** Returns the document of a namespaced custom resource with all subresources, as kube-apiserver publishes it. */
const recordedDocument = memoize(
  (server: ApiServer): Document =>
    JSON.parse(builtInDocuments(server).get('crd-namespaced')?.json() ?? '{"paths":{},"components":{"schemas":{}}}'),
);

/**
 * Returns the OpenAPI v3 document of a custom resource, but with the schema of another one: the recorded document with the names and the paths of this one.
 * Source: apiextensions-apiserver controller/openapi/builder.
 */
export function customExample(server: ApiServer, found: DiscoveredResource): Document {
  const recorded = recordedDocument(server);
  const schemas = Object.entries(recorded.components.schemas);
  const own = schemas.filter(([name]) => name.startsWith('com.example.'));
  const text = JSON.stringify({ paths: pathsFor(found, recorded.paths), own: Object.fromEntries(own) });
  const renamed: { readonly paths: Plain; readonly own: Plain } = JSON.parse(text.replace(recordedNames, replacementOf(found)));
  const others = schemas.filter(entry => !own.includes(entry));
  return { ...recorded, paths: renamed.paths, components: { schemas: { ...Object.fromEntries(others), ...renamed.own } } };
}

/** Returns the kind of lists of a custom resource. */
export function listKindOf({ resource, definition }: DiscoveredResource): string {
  const accepted = definition === undefined ? '' : stringAt(servedNames(definition), 'listKind');
  return accepted || `${resource.kind.kind}List`;
}

/** Returns the name of the schema of a kind: `com.example.v1.Gadget`. */
export function schemaName(group: string, version: string, kind: string): string {
  return `${schemaPrefix(group, version)}.${kind}`;
}

function schemaPrefix(group: string, version: string): string {
  return [...group.split('.').reverse(), version].join('.');
}

/** Returns the paths of a resource, still with recorded names. A resource of the cluster has the paths of one namespace. */
function pathsFor({ resource }: DiscoveredResource, recorded: Readonly<Plain>): Plain {
  const { namespaced, subresources } = resource;
  const names = subresources.map(({ name }) => name);
  const paths = Object.entries(recorded).filter(([path]) => {
    const subresource = /\{name\}\/(\w+)$/.exec(path)?.[1];
    if (subresource !== undefined) return names.includes(subresource);
    return namespaced || path.includes('{namespace}');
  });
  return Object.fromEntries(namespaced ? paths : paths.map(([path, item]) => [path, withoutNamespace(item as PathItem)]));
}

interface PathItem extends Plain {
  readonly parameters: readonly { readonly name: string }[];
}

function withoutNamespace(item: PathItem): PathItem {
  return { ...item, parameters: item.parameters.filter(({ name }) => name !== 'namespace') };
}

const recordedKinds = /GadgetList|(?:Namespaced|a )?Gadget/g;
const recordedNames = new RegExp(
  String.raw`com\.example\.v1\b|example\.com/v1/(?:namespaces/\{namespace\}/)?|"group":"example\.com"|"version":"v1"|exampleCom_v1|ExampleComV1\w+|${recordedKinds.source}|gadgets`,
  'g',
);

/** Returns the function that returns the text for a recorded name. */
function replacementOf(found: DiscoveredResource): (recorded: string) => string {
  const { resource } = found;
  const { group, version, namespaced } = resource;
  const { kind } = resource.kind;
  const trimmed = group.replace(/\.k8s\.io$/, '');
  const names: Readonly<Record<string, string>> = {
    'com.example.v1': schemaPrefix(group, version),
    'example.com/v1/': `${group}/${version}/`,
    'example.com/v1/namespaces/{namespace}/': `${group}/${version}/${namespaced ? 'namespaces/{namespace}/' : ''}`,
    '"group":"example.com"': `"group":"${group}"`,
    '"version":"v1"': `"version":"${version}"`,
    exampleCom_v1: `${toValidOperationId(trimmed, false)}_${toValidOperationId(version, false)}`,
    GadgetList: listKindOf(found),
    NamespacedGadget: namespaced ? `Namespaced${kind}` : kind,
    'a Gadget': `${articleOf(kind)}${kind}`,
    Gadget: kind,
    gadgets: resource.resource,
  };
  const nameFor = (recorded: string): string => ownMember(names, recorded) ?? recorded;
  const operation = /^ExampleComV1(\w+)$/;
  return recorded => {
    const [, own] = operation.exec(recorded) ?? [];
    if (own === undefined) return nameFor(recorded);
    return [trimmed, version, own.replace(recordedKinds, nameFor)].map(part => toValidOperationId(part, true)).join('');
  };
}

/** Source: apiserver endpoints GetArticleForNoun. */
function articleOf(noun: string): string {
  if (/(?<!s)s$/.test(noun)) return '';
  return /^[aeiou]/i.test(noun) ? 'an ' : 'a ';
}

/** Source: apiserver endpoints/openapi ToValidOperationID. */
function toValidOperationId(text: string, isCapitalized: boolean): string {
  const words = text.replace(/^\d/, '-').split(/[^A-Za-z0-9_]+/);
  return words.map((word, i) => (i > 0 || isCapitalized ? `${word.slice(0, 1).toUpperCase()}${word.slice(1)}` : word)).join('');
}
