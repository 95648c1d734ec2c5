import { CliError } from '../../client/cli-error.js';
import { isMap, listAt, mapAt, stringAt, type Value, type ValueMap } from '../../go/value.js';
import { apiVersionOf } from '../../kubernetes/group-version.js';
import type { Resource } from '../../kubernetes/resource-table.js';
import type { ClusterAnswer, ClusterClient } from '../http/cluster-client.js';
import { apiServerOf, refused } from '../http/cluster-errors.js';
import { documentIn } from '../http/json-document.js';

/** A resource in paths, and the kind of its objects. */
export type ReadResource = Pick<Resource, 'group' | 'version' | 'resource' | 'kind'>;

/** Objects of one page. */
const pageSize = 500;

/** Limits of this program for one list, a million objects: a hostile cluster's pages have no end. */
const maxPages = 2000;
const maxListLength = 256 * 1024 * 1024;

/** Reads one object; undefined if it does not exist in the cluster. Rejects with CliError when it may not be read. */
export async function readObject(
  client: ClusterClient,
  resource: ReadResource,
  at: { readonly namespace: string; readonly name: string },
): Promise<ValueMap | undefined> {
  const path = `${pathOf(resource, at.namespace)}/${encodeURIComponent(at.name)}`;
  const answer = await client.send({ method: 'GET', path, headers: ['Accept', acceptOf(resource, '')] });
  if (answer.status === 404) return undefined;
  const object = checkedAnswer(answer, { client, verb: 'get', resource, namespace: at.namespace });
  return withKind(object, resource);
}

/** Objects of a list: those of a namespace, or of all; with these labels, or with any. */
export interface ListScope {
  readonly namespace?: string | undefined;
  readonly labelSelector?: string | undefined;
}

/** Reads all objects of a resource; none if the cluster does not serve it. Rejects with CliError. */
export async function readList(
  client: ClusterClient,
  resource: ReadResource,
  { namespace, labelSelector }: ListScope = {},
): Promise<ValueMap[]> {
  const selection = labelSelector === undefined ? '' : `labelSelector=${encodeURIComponent(labelSelector)}`;
  const objects: ValueMap[] = [];
  const headers = ['Accept', acceptOf(resource, 'List')];
  let length = 0;
  let token = '';
  for (let pages = 0; pages < maxPages && length <= maxListLength; pages += 1) {
    const page = [`limit=${pageSize}`, selection, token === '' ? '' : `continue=${encodeURIComponent(token)}`];
    const query = `?${page.filter(part => part !== '').join('&')}`;
    const answer = await client.send({ method: 'GET', path: pathOf(resource, namespace ?? '') + query, headers });
    if (answer.status === 404) return [];
    // The continue token may expire: the list is read again without pages.
    if (answer.status === 410 && token !== '') return readWhole(client, resource, { namespace, selection });
    const list = checkedAnswer(answer, { client, verb: 'list', resource, namespace });
    for (const object of itemsOf(list, resource)) objects.push(object);
    length += answer.body.length;
    token = stringAt(list, 'metadata', 'continue');
    if (token === '') return objects;
  }
  throw new CliError('cluster-unreachable', `${apiServerOf(client)} lists ${resource.resource} without an end`, {
    suggestions: [`at most ${maxPages} pages and ${maxListLength / 1024 / 1024} MiB are read: pass files with --state`],
  });
}

/** Reads a document that is not an object of a resource, such as `/version`; undefined for a 404. */
export async function readDocument(client: ClusterClient, path: string): Promise<ValueMap | undefined> {
  const answer = await client.send({ method: 'GET', path });
  return answer.status === 404 ? undefined : checkedDocument(answer, client, `get ${path}`);
}

async function readWhole(
  client: ClusterClient,
  resource: ReadResource,
  { namespace, selection }: Pick<ListScope, 'namespace'> & { readonly selection: string },
): Promise<ValueMap[]> {
  const headers = ['Accept', acceptOf(resource, 'List')];
  const path = pathOf(resource, namespace ?? '') + (selection === '' ? '' : `?${selection}`);
  const answer = await client.send({ method: 'GET', path, headers });
  return itemsOf(checkedAnswer(answer, { client, verb: 'list', resource, namespace }), resource);
}

/** Reports whether this is the resource of Secrets. */
export function isSecret({ group, resource }: Pick<Resource, 'group' | 'resource'>): boolean {
  return group === '' && resource === 'secrets';
}

/** Only the metadata of Secrets is requested: their values never leave the cluster. */
function acceptOf(resource: ReadResource, ending: '' | 'List'): string {
  return isSecret(resource) ? `application/json;as=PartialObjectMetadata${ending};g=meta.k8s.io;v=v1` : 'application/json';
}

function pathOf({ group, version, resource }: ReadResource, namespace: string): string {
  const root = group === '' ? `/api/${version}` : `/apis/${group}/${version}`;
  return `${root}${namespace === '' ? '' : `/namespaces/${encodeURIComponent(namespace)}`}/${resource}`;
}

interface Reading {
  readonly client: ClusterClient;
  readonly verb: 'get' | 'list';
  readonly resource: ReadResource;
  readonly namespace: string | undefined;
}

function checkedAnswer(answer: ClusterAnswer, { client, verb, resource, namespace = '' }: Reading): ValueMap {
  const name = resource.group === '' ? resource.resource : `${resource.resource}.${resource.group}`;
  return checkedDocument(answer, client, `${verb} ${name}${namespace === '' ? '' : ` in namespace ${namespace}`}`);
}

function checkedDocument({ status, body }: ClusterAnswer, client: ClusterClient, what: string): ValueMap {
  const document = documentIn(body);
  if (status === 200 && document !== undefined) return document;
  const message = stringAt(document, 'message') || 'the response is not that of an API server';
  throw refused(status, message, { what, context: client.context, user: client.user, certificate: client.certificate });
}

function itemsOf(list: ValueMap, resource: ReadResource): ValueMap[] {
  return listAt(list, 'items').flatMap(item => (isMap(item) ? [withKind(item, resource)] : []));
}

/** Items of lists and metadata have no kind. */
function withKind(object: ValueMap, resource: ReadResource): ValueMap {
  const { kind } = resource;
  const typed: ValueMap = new Map<string, Value>([['kind', kind.kind], ['apiVersion', apiVersionOf(kind)], ...object]);
  typed.set('kind', kind.kind);
  typed.set('apiVersion', apiVersionOf(kind));
  if (isSecret(resource)) mapAt(typed, 'metadata', 'annotations')?.delete(lastApplied);
  return typed;
}

/** kubectl apply copies the whole object into this annotation, including a Secret's values. */
const lastApplied = 'kubectl.kubernetes.io/last-applied-configuration';
