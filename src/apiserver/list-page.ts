import { decodeBase64Url } from '../encoding/base64-url.js';
import { goString, writeValue } from '../encoding/go-json.js';
import { readUnstructured } from '../encoding/unstructured.js';
import type { LiveStorage } from '../kubernetes/live-storage.js';
import { badRequest, resourceExpired } from '../kubernetes/status-errors.js';
import { isMap, numberAt, stringAt, type Value, type ValueMap } from '../kubernetes/value.js';
import type { CallContext, VerbAnswer } from './call-context.js';
import { type ListOptions, listOptions, revisionOf, waitForRevision } from './list-options.js';
import type { ApiObject } from './objects/api-object.js';
import { type Selection, selectionOf } from './selection.js';
import type { ListMetadata } from './serving.js';
import { shownObject, shownText } from './shown-object.js';

/** Answers a GET of a collection in live storage. Source: apiserver storage/etcd3/store.go GetList, storage/continue.go. */
export async function listPage(context: CallContext, live: LiveStorage): Promise<VerbAnswer> {
  const options = listOptions(context.query);
  const { serving } = context;
  if (options.watch && serving !== undefined) return { code: 200, body: '', stream: await serving.watch(context) };
  const selection = selectionOf(context);
  const place = await placeOf(options, live);
  const { resource } = context.endpoint;
  const namespace = resource.namespaced && context.info.namespace !== '' ? context.info.namespace : undefined;
  const all = live.listAt(place.revision, resource.kind, namespace);
  if (all === undefined) throw options.continue === '' ? tooOld(place.revision) : continueTooOld();
  const page = await pageOf(all, { selection, after: place.after, limit: options.limit }, context);
  const last = page.items.at(-1);
  const metadata: ListMetadata = {
    resourceVersion: String(place.revision),
    continue: page.left > 0 && last !== undefined ? continueToken(startAfter(last.value), place.revision) : '',
    remainingItemCount: page.left > 0 && selection.isEmpty ? page.left : undefined,
  };
  return listAnswer(page.items, metadata, context);
}

/** A list in all its forms. */
export function listAnswer(items: readonly ApiObject[], metadata: ListMetadata, context: CallContext): VerbAnswer {
  const { resource } = context.endpoint;
  const kind = stringAt(context.definition, 'spec', 'names', 'listKind') || `${resource.kind.kind}List`;
  const apiVersion = resource.group === '' ? resource.version : `${resource.group}/${resource.version}`;
  return {
    code: 200,
    isObject: true,
    shown: () => ({ type: 'list', items, custom: context.definition !== undefined, kind, apiVersion, metadata }),
    get body() {
      const texts = items.map(item => shownText(item, context.definition === undefined ? 'item' : 'full')).join(',');
      const remaining = metadata.remainingItemCount === undefined ? '' : `,"remainingItemCount":${metadata.remainingItemCount}`;
      if (context.definition !== undefined) {
        const meta = `{"continue":${goString(metadata.continue)}${remaining},"resourceVersion":"${metadata.resourceVersion}"}`;
        return `{"apiVersion":${goString(apiVersion)},"items":[${texts}],"kind":${goString(kind)},"metadata":${meta}}`;
      }
      const next = metadata.continue === '' ? '' : `,"continue":${goString(metadata.continue)}`;
      const meta = `{"resourceVersion":"${metadata.resourceVersion}"${next}${remaining}}`;
      return `{"kind":${goString(kind)},"apiVersion":${goString(apiVersion)},"metadata":${meta},"items":[${texts}]}`;
    },
  };
}

/** Where a page starts: as of which revision, after which key. */
interface Place {
  readonly revision: number;
  readonly after: string | undefined;
}

async function placeOf(options: ListOptions, live: LiveStorage): Promise<Place> {
  if (options.continue !== '') {
    if (options.resourceVersion !== '' && options.resourceVersion !== '0')
      throw badRequest('specifying resource version is not allowed when using continue');
    const token = readToken(options.continue);
    return { revision: token.revision > 0 ? token.revision : live.revision(), after: token.start };
  }
  const wanted = revisionOf(options.resourceVersion, 'list');
  await waitForRevision(wanted, live);
  return { revision: options.resourceVersionMatch === 'Exact' ? wanted : live.revision(), after: undefined };
}

interface PageRequest {
  readonly selection: Selection;
  readonly after: string | undefined;
  /** 0 or less: all. */
  readonly limit: number;
}

async function pageOf(
  all: readonly ValueMap[],
  { selection, after, limit }: PageRequest,
  context: CallContext,
): Promise<{ readonly items: ApiObject[]; readonly left: number }> {
  const items: ApiObject[] = [];
  for (const [index, stored] of all.entries()) {
    if (after !== undefined && keyOf(stored) < after) continue;
    if (limit > 0 && items.length === limit) return { items, left: all.length - index };
    if (selection.name !== undefined && stringAt(stored, 'metadata', 'name') !== selection.name) continue;
    const object = await shownObject(stored, context);
    if (selection.matches(object.value)) items.push(object);
  }
  return { items, left: 0 };
}

function keyOf(object: ValueMap): string {
  const namespace = stringAt(object, 'metadata', 'namespace');
  return `${namespace === '' ? '' : `${namespace}/`}${stringAt(object, 'metadata', 'name')}`;
}

/** The first key that may follow. */
function startAfter(last: ValueMap): string {
  return `${keyOf(last)}\u0000`;
}

function continueToken(start: string, revision: number): string {
  const token = new Map<string, Value>([
    ['v', 'meta.k8s.io/v1'],
    ['rv', BigInt(revision)],
    ['start', start],
  ]);
  return Buffer.from(writeValue(token, 'kept')).toString('base64url');
}

function readToken(token: string): { readonly revision: number; readonly start: string } {
  const invalidToken = (why: string) => badRequest(`invalid continue token: continue key is not valid: ${why}`);
  const bytes = decodeBase64Url(token);
  if (typeof bytes === 'string') throw invalidToken(bytes);
  let value: Value;
  try {
    value = readUnstructured(Buffer.from(bytes).toString('utf8'));
  } catch (error) {
    throw invalidToken(error instanceof Error ? error.message : String(error));
  }
  const version = isMap(value) ? stringAt(value, 'v') : '';
  if (version !== 'meta.k8s.io/v1') throw invalidToken(`server does not recognize this encoded version ${version}`);
  const start = stringAt(value, 'start');
  if (start === '') throw invalidToken('encoded start key empty (version meta.k8s.io/v1)');
  return { revision: Number(numberAt(value, 'rv')), start };
}

function tooOld(revision: number): Error {
  return resourceExpired(`The resourceVersion for the provided list is too old: ${revision}`);
}

function continueTooOld(): Error {
  const why = 'The provided continue parameter is too old to display a consistent list result.';
  return resourceExpired(
    `${why} You can start a new list without the continue parameter, or use the continue token in this response to retrieve the remainder of the results. Continuing with the provided token results in an inconsistent list - objects that were created, modified, or deleted between the time the first chunk was returned and now may show up in the list.`,
  );
}
