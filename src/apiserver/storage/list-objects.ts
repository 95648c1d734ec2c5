import { stringAt, type ValueMap } from '../../go/value.js';
import type { TextRequirement } from '../../kubernetes/selector-text.js';
import { PlainError, StatusError } from '../../kubernetes/status.js';
import { badRequest } from '../../kubernetes/status-errors.js';
import type { WatchCache } from '../call/watch-cache.js';
import type { ApiObject } from '../objects/api-object.js';
import { decodeContinue, encodeContinue } from './continue-token.js';
import { CorruptObject, newCorruptObjects } from './corrupt-object.js';
import type { ListOptions } from './list-options.js';
import { continueTooOld, revisionOf, revisionTooOld, waitForRevision } from './revision.js';
import { type ListSelection, listSelectionOf } from './selection.js';
import { decodeShownObject, knownObject } from './shown-object.js';
import type { StoreContext } from './store-context.js';
import { hasWatchCache, isInWatchCache } from './watch-cache.js';

/** Page of a collection's objects. */
export interface ListPage {
  /** In key order. */
  readonly objects: readonly ApiObject[];
  /** Undefined for objects that are not stored. */
  readonly resourceVersion: bigint | undefined;
  /** Token of the next page; empty on the last one. */
  readonly continue: string;
  /** Number of objects after this page; undefined on the last one and for selections. */
  readonly remaining: number | undefined;
  /** The shards of a list that selects some. */
  readonly shards: string | undefined;
}

interface PageOptions extends ListOptions {
  /** The list is read in pages, though without a limit. */
  readonly isLimited?: boolean;
}

/**
 * Lists the objects that a call selects. Throws a 400 for an invalid resourceVersion or token. Source: apiserver storage/cacher,
 * storage/interfaces.go.
 */
export async function listPage(options: PageOptions, context: StoreContext): Promise<ListPage> {
  const selection = listSelectionOf(options, context);
  const token = startOf(options);
  // A list that continues is never one of a single object.
  const isOfOneObject = selection.name !== undefined && token === undefined;
  const cache = await findCache(options, selection, context);
  // A watch cache does not divide a list of any revision.
  const isUndivided = options.resourceVersion === '0' && hasWatchCache(context);
  const limit = isUndivided || options.limit <= 0n ? Number.POSITIVE_INFINITY : Number(options.limit);
  const { objects: all, resourceVersion } = await takeSnapshot(token, { ...options, isWhole: !Number.isFinite(limit) }, context, cache);
  const stored = all.filter(object => token === undefined || listedKeyOf(object, context) >= token.start);
  const objects: ApiObject[] = [];
  let passed = 0;
  const corrupt = newCorruptObjects(context);
  // Without a selection etcd sends no more objects than the limit.
  const inPage = selection.isEverything && selection.name === undefined ? stored.slice(0, limit) : stored;
  await visitSelected(
    inPage,
    selection,
    { context, cache },
    {
      object: (object, at) => {
        objects.push(object);
        passed = at + 1;
        return objects.length < limit;
      },
      corrupt: corrupt.add,
    },
  );
  corrupt.check();
  const last = objects.at(-1);
  const hasMore = !isOfOneObject && objects.length >= limit && passed < stored.length;
  return {
    objects,
    resourceVersion,
    continue: hasMore && last !== undefined ? encodeContinue(listedKeyOf(last.value, context), resourceVersion) : '',
    remaining: hasMore && selection.isEverything ? stored.length - passed : undefined,
    shards: selection.shards,
  };
}

/** Lists the objects that a call selects from those that are made for it, without pages. */
export function pageOfUnstored(objects: readonly ValueMap[], options: ListOptions, context: StoreContext): ListPage {
  const selection = listSelectionOf(options, context);
  const selected = objects.map(value => ({ codec: context.codec, value })).filter(selection.matches);
  return { objects: selected, resourceVersion: undefined, continue: '', remaining: undefined, shards: selection.shards };
}

/**
 * Passes the objects of the collection that a call selects to `visit`, in order, up to an object that cannot be converted: then it rejects.
 * Since objects are decoded side by side, the others are converted all the same. Source: apiserver storage/etcd3/watcher.go.
 */
export async function visitEachSelected(options: ListOptions, context: StoreContext, visit: (object: ApiObject) => void): Promise<void> {
  const corrupt: CorruptObject[] = [];
  await visitSelected(
    storedInOrder(context),
    listSelectionOf(options, context),
    { context },
    {
      object: object => {
        if (corrupt.length === 0) visit(object);
        return true;
      },
      corrupt: error => {
        corrupt.push(error);
        return context.server.isEnabled('ConcurrentWatchObjectDecode');
      },
    },
  );
  if (corrupt[0] !== undefined) throw new PlainError(corrupt[0].why);
}

/** Each function returns false to end the visit. */
interface Visitor {
  readonly object: (object: ApiObject, at: number) => boolean;
  readonly corrupt: (error: CorruptObject) => boolean;
}

async function visitSelected(
  stored: readonly ValueMap[],
  selection: ListSelection,
  { context, cache }: { readonly context: StoreContext; readonly cache?: WatchCache | undefined },
  visitor: Visitor,
): Promise<void> {
  for (const [at, object] of stored.entries()) {
    if (selection.name !== undefined && stringAt(object, 'metadata', 'name') !== selection.name) continue;
    // Most objects are known: waiting for each would take longer than the rest of a list.
    const shown = cache?.objectOf(object) ?? knownObject(object, context) ?? (await readOne(object, context));
    if (shown instanceof CorruptObject) {
      if (!visitor.corrupt(shown)) return;
    } else if (isInWatchCache(object, context) && selection.matches(shown) && !visitor.object(shown, at)) return;
  }
}

async function readOne(stored: ValueMap, context: StoreContext): Promise<ApiObject | CorruptObject> {
  try {
    return await decodeShownObject(stored, context);
  } catch (error) {
    if (error instanceof CorruptObject) return error;
    throw error;
  }
}

/** Returns the token of the options, or undefined. Throws a 400 for an invalid one and for a resourceVersion that is not a number. */
function startOf(options: ListOptions): ReturnType<typeof decodeContinue> | undefined {
  const { resourceVersion } = options;
  if (options.continue !== '') {
    const token = decodeContinue(options.continue);
    if (resourceVersion !== '' && resourceVersion !== '0')
      throw badRequest('specifying resource version is not allowed when using continue');
    return token;
  }
  revisionOf(resourceVersion, 'list');
  return undefined;
}

/**
 * Returns the watch cache that answers a list; undefined for a list that storage answers. Throws the 429 of a cache that cannot be filled.
 * Source: apiserver storage/cacher/delegator.go GetList.
 */
async function findCache(options: PageOptions, selection: ListSelection, context: StoreContext): Promise<WatchCache | undefined> {
  const cache = await context.serving?.watchCache?.(context);
  if (!(cache instanceof StatusError)) return cache?.isCurrent() === true || options.resourceVersion === '0' ? cache : undefined;
  const isLimited = options.limit > 0n || options.isLimited === true;
  const isOfStorage = options.continue !== '' || isExact(options) || (selection.isEverything && isLimited);
  if (isOfStorage) return undefined;
  throw cache;
}

/** Objects from which a list selects. */
interface Snapshot {
  /** In the order of their keys. */
  readonly objects: readonly ValueMap[];
  readonly resourceVersion: bigint;
}

/** Returns the collection at the requested revision; without live storage there is only one. */
async function takeSnapshot(
  token: ReturnType<typeof startOf>,
  options: PageOptions & { readonly isWhole: boolean },
  context: StoreContext,
  cache: WatchCache | undefined,
): Promise<Snapshot> {
  const { live } = context.state;
  const continued = token !== undefined && token.resourceVersion > 0n ? token.resourceVersion : undefined;
  if (live === undefined) return { objects: storedInOrder(context), resourceVersion: continued ?? newestVersion(context) };
  const wanted = revisionOf(options.resourceVersion, 'list');
  if (token === undefined) await waitForRevision(wanted, live, hasWatchCache(context));
  const exact = token === undefined && isExact(options) ? wanted : undefined;
  const resourceVersion = continued ?? exact ?? BigInt(cache?.revision() ?? live.revision());
  const label = token === undefined && options.isWhole && context.custom === undefined ? indexedLabel(options) : undefined;
  const kind = context.endpoint.resource.kind;
  if (label !== undefined && resourceVersion === BigInt(live.revision()))
    return { objects: live.listLabelled(kind, namespaceOf(context), label.key, label.values), resourceVersion };
  const objects = live.listAt(Number(resourceVersion), kind, namespaceOf(context));
  if (objects === undefined) throw token === undefined ? revisionTooOld(resourceVersion) : continueTooOld();
  return { objects, resourceVersion };
}

/** A limit without resourceVersionMatch means Exact, for clients that are older than that parameter. Source: apiserver storage/etcd3/store.go GetList. */
function isExact({ resourceVersionMatch, resourceVersion, limit, isLimited = false }: PageOptions): boolean {
  if (resourceVersionMatch !== '') return resourceVersionMatch === 'Exact';
  return (limit > 0n || isLimited) && resourceVersion !== '' && resourceVersion !== '0';
}

/**
 * Returns a requirement of the selector by which the store finds the objects. Not for custom resources: their labels may be converted, and an
 * object that cannot be is an error of every list.
 */
function indexedLabel({ labels }: ListOptions): TextRequirement | undefined {
  return labels.find(({ operator }) => operator === '=' || operator === '==' || operator === 'in');
}

/** Returns the namespace of a list; undefined for all namespaces. */
function namespaceOf({ endpoint, info }: StoreContext): string | undefined {
  return endpoint.resource.namespaced && info.namespace !== '' ? info.namespace : undefined;
}

/** Returns the stored objects of the collection by their keys. */
function storedInOrder(context: StoreContext): ValueMap[] {
  const { endpoint, storage } = context;
  const key = (object: ValueMap): string => `${stringAt(object, 'metadata', 'namespace')}/${stringAt(object, 'metadata', 'name')}`;
  return [...storage.list(endpoint.resource.kind, namespaceOf(context))].sort((a, b) => (key(a) < key(b) ? -1 : key(a) > key(b) ? 1 : 0));
}

/** Returns the key of an object below that of its list. */
function listedKeyOf(object: ValueMap, { endpoint, info }: StoreContext): string {
  const name = stringAt(object, 'metadata', 'name');
  return endpoint.resource.namespaced && info.namespace === '' ? `${stringAt(object, 'metadata', 'namespace')}/${name}` : name;
}

/** Returns the newest resourceVersion of the collection, which a list has regardless of its selection. */
function newestVersion({ endpoint, storage }: StoreContext): bigint {
  const versions = storage.list(endpoint.resource.kind, undefined).map(object => stringAt(object, 'metadata', 'resourceVersion'));
  return versions.reduce((newest, text) => (/^\d+$/.test(text) && BigInt(text) > newest ? BigInt(text) : newest), 1n);
}
