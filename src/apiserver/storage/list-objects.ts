import { stringAt, type ValueMap } from '../../go/value.js';
import { badRequest } from '../../kubernetes/status-errors.js';
import type { ListOptions } from '../endpoints/list-options.js';
import type { CallContext } from '../handlers/call-context.js';
import type { ApiObject } from '../objects/api-object.js';
import { decodeContinue, encodeContinue } from './continue-token.js';
import { selectionOf } from './selection.js';
import { inRequestVersion } from './stored-object.js';

/** Page of a collection's objects. */
export interface ListPage {
  /** In key order. */
  readonly objects: readonly ApiObject[];
  readonly resourceVersion: bigint;
  /** Token of the next page; empty on the last one. */
  readonly continue: string;
  /** Number of objects after this page; undefined on the last one and for selections. */
  readonly remaining: number | undefined;
}

/**
 * Lists the objects that a call selects. Throws a 400 for an invalid resourceVersion or token. Source: apiserver storage/cacher,
 * storage/interfaces.go.
 */
export async function listPage(options: ListOptions, context: CallContext): Promise<ListPage> {
  const selection = selectionOf(options, context);
  const token = startOf(options, selection.name !== undefined);
  const stored = storedInOrder(context).filter(object => token === undefined || keyOf(object, context) >= token.start);
  const limit = options.resourceVersion === '0' || options.limit <= 0n ? Number.POSITIVE_INFINITY : Number(options.limit);
  const objects: ApiObject[] = [];
  let passed = 0;
  for await (const object of selected(stored, selection, context)) {
    objects.push(object.shown);
    passed = object.passed;
    if (objects.length >= limit) break;
  }
  const resourceVersion = token !== undefined && token.resourceVersion > 0n ? token.resourceVersion : newestVersion(context);
  const last = objects.at(-1);
  const hasMore = selection.name === undefined && objects.length >= limit && passed < stored.length;
  return {
    objects,
    resourceVersion,
    continue: hasMore && last !== undefined ? encodeContinue(keyOf(last.value, context), resourceVersion) : '',
    remaining: hasMore && selection.isEverything ? stored.length - passed : undefined,
  };
}

/** Yields the objects of the collection that a call selects. */
export async function* selectedObjects(options: ListOptions, context: CallContext): AsyncGenerator<ApiObject> {
  const selection = selectionOf(options, context);
  for await (const { shown } of selected(storedInOrder(context), selection, context)) yield shown;
}

async function* selected(
  stored: readonly ValueMap[],
  selection: ReturnType<typeof selectionOf>,
  context: CallContext,
): AsyncGenerator<{ shown: ApiObject; passed: number }> {
  for (const [i, object] of stored.entries()) {
    if (selection.name !== undefined && stringAt(object, 'metadata', 'name') !== selection.name) continue;
    const shown = await inRequestVersion(object, context);
    if (selection.matches(shown.value)) yield { shown, passed: i + 1 };
  }
}

/** Returns the token of the options, or undefined. Throws a 400 for an invalid one and for a resourceVersion that is not a number. */
function startOf(options: ListOptions, isOfOneObject: boolean): ReturnType<typeof decodeContinue> | undefined {
  const { resourceVersion } = options;
  if (options.continue !== '' && !isOfOneObject) {
    const token = decodeContinue(options.continue);
    if (resourceVersion !== '' && resourceVersion !== '0')
      throw badRequest('specifying resource version is not allowed when using continue');
    return token;
  }
  if (resourceVersion === '' || (/^\d+$/.test(resourceVersion) && BigInt(resourceVersion) < 2n ** 64n)) return undefined;
  const why = /^\d+$/.test(resourceVersion) ? 'value out of range' : 'invalid syntax';
  const shown = JSON.stringify(resourceVersion);
  throw badRequest(`invalid resource version: resourceVersion: Invalid value: ${shown}: strconv.ParseUint: parsing ${shown}: ${why}`);
}

/** Returns the stored objects of the collection by their keys. */
function storedInOrder(context: CallContext): ValueMap[] {
  const { endpoint, info, storage } = context;
  const namespace = endpoint.resource.namespaced && info.namespace !== '' ? info.namespace : undefined;
  const key = (object: ValueMap): string => `${stringAt(object, 'metadata', 'namespace')}/${stringAt(object, 'metadata', 'name')}`;
  return [...storage.list(endpoint.resource.kind, namespace)].sort((a, b) => (key(a) < key(b) ? -1 : key(a) > key(b) ? 1 : 0));
}

/** Returns the key of an object below that of its list. */
function keyOf(object: ValueMap, { endpoint, info }: CallContext): string {
  const name = stringAt(object, 'metadata', 'name');
  return endpoint.resource.namespaced && info.namespace === '' ? `${stringAt(object, 'metadata', 'namespace')}/${name}` : name;
}

/** Returns the newest resourceVersion of the collection, which a list has regardless of its selection. */
function newestVersion({ endpoint, storage }: CallContext): bigint {
  const versions = storage.list(endpoint.resource.kind, undefined).map(object => stringAt(object, 'metadata', 'resourceVersion'));
  return versions.reduce((newest, text) => (/^\d+$/.test(text) && BigInt(text) > newest ? BigInt(text) : newest), 1n);
}
