import type { CallContext } from '../../apiserver/call/call-context.js';
import type { WatchCache } from '../../apiserver/call/watch-cache.js';
import { mediaTypes } from '../../apiserver/endpoints/negotiation.js';
import type { WatchStream } from '../../apiserver/report/serving.js';
import { type ListOptions, listOptionsOf } from '../../apiserver/storage/list-options.js';
import { revisionOf, revisionTooLarge } from '../../apiserver/storage/revision.js';
import { listSelectionOf } from '../../apiserver/storage/selection.js';
import { isInWatchCache } from '../../apiserver/storage/watch-cache.js';
import { stringAt, type ValueMap } from '../../go/value.js';
import type { Resource } from '../../kubernetes/resource-table.js';
import { StatusError } from '../../kubernetes/status.js';
import { internalError, methodNotSupported, resourceExpired } from '../../kubernetes/status-errors.js';
import type { Cluster } from '../cluster/cluster.js';
import { type Form, streamType } from '../forms/negotiation.js';
import { onStorageEnd } from '../lifecycle/replaced-watch-windows.js';
import type { StoreChange } from '../store/change.js';
import { collectionOfResource, kindName } from '../store/collection-names.js';
import type { WatchFrame } from '../store/frame-cache.js';
import { type Store, withResourceVersion } from '../store/store.js';
import { type EventType, encodeBookmark, errorFrame, eventWriter } from './event-frames.js';

const bookmarkMs = 60_000;
/** Time between the last bookmark and the end of the watch. */
const lastBookmarkMs = 2000;
/** Longest delay of a timer. */
const maxTimerMs = 2 ** 31 - 1;

/**
 * Opens a watch on the collection of a call: existing objects if requested, then every change in order. Throws the error for the client.
 * Source: apiserver handlers/get.go, storage/cacher.
 */
export async function openWatch(
  context: CallContext,
  { store, frames, minRequestTimeoutSeconds }: Cluster,
  form: Form,
): Promise<WatchStream> {
  const options = listOptionsOf(context.server, context.query);
  const selection = listSelectionOf(options, context);
  const from = Number(revisionOf(options.resourceVersion, 'read'));
  const { resource } = context.endpoint;
  if (!resource.verbs.includes('watch')) throw methodNotSupported(resource, 'watch');
  const namespace = resource.namespaced && context.info.namespace !== '' ? context.info.namespace : undefined;
  const found = await context.serving?.watchCache?.(context);
  if (found instanceof StatusError) throw found;
  const cache = found;
  const writer = eventWriter(context, form, cache);
  const isSelected = async (object: ValueMap | undefined): Promise<boolean> => {
    if (object === undefined || (namespace !== undefined && stringAt(object, 'metadata', 'namespace') !== namespace)) return false;
    if (selection.name !== undefined && stringAt(object, 'metadata', 'name') !== selection.name) return false;
    if (!isInWatchCache(object, context)) return false;
    return selection.isEverything || selection.matches(await writer.shown(object));
  };
  const { group, version, kind: kindShown } = context.codec.kind;
  const formName = [group, version, kindShown, form.format, form.as, form.version].join('/');
  const encodeFrame = (change: StoreChange, type: EventType, object: ValueMap): Promise<WatchFrame | undefined> => {
    // The first Table of a watch has columns.
    if (form.as === 'Table') return writer.frame(type, object);
    return frames.frameOf(change, `${type} ${formName}`, () => writer.frame(type, object));
  };
  const encodeEvent = async (change: StoreChange): Promise<WatchFrame | undefined> => {
    const { object, previous, revision } = change;
    const [is, was] = [await isSelected(object), await isSelected(previous)];
    if (is && object !== undefined) return encodeFrame(change, was ? 'MODIFIED' : 'ADDED', object);
    if (!was || previous === undefined) return undefined;
    if (cache === undefined) return encodeFrame(change, 'DELETED', withResourceVersion(previous, revision));
    const { codec, value } = await cache.decoded(previous);
    return writer.frameOf('DELETED', { codec, value: withResourceVersion(value, revision) });
  };
  const isInitial = initialEvents(options);
  return {
    contentType: form.format === 'json' || form.format === 'yaml' ? mediaTypes.json : streamType(form.format),
    start: (send, end) => {
      const queue = newQueue(send, end, error => errorFrame(context.server, internalError(error), form));
      const start = store.revision();
      // Existing objects are sent only by a cache that has followed all changes.
      if (cache?.isCurrent() === false && isInitial && options.resourceVersion === '')
        queue.add(async () => errorFrame(context.server, revisionTooLarge(start, cache.revision()), form), true);
      const collection = collectionOfResource(resource);
      if (isInitial)
        for (const object of store.list(resource.kind, namespace))
          queue.add(async () => ((await isSelected(object)) ? writer.frame('ADDED', object) : undefined));
      if (isInitial && options.sendInitialEvents === true && options.allowWatchBookmarks)
        queue.add(async () => encodeBookmark(context, form, { revision: start, initial: true }));
      // Without a resource version, a watch that refuses the existing objects starts now.
      const missed = isInitial || from === 0 ? { changes: [] } : missedBy(store, collection, from);
      if ('error' in missed) queue.add(async () => errorFrame(context.server, missed.error, form), true);
      else for (const change of missed.changes) queue.add(() => encodeEvent(change));
      const unsubscribe = store.subscribe(change => {
        if (change.collection === collection && change.revision > from) queue.add(() => encodeEvent(change));
      });
      const bookmark = (): void => queue.add(async () => encodeBookmark(context, form, { revision: store.revision(), initial: false }));
      const timers = startTimers(secondsOf(options, minRequestTimeoutSeconds), options.allowWatchBookmarks ? bookmark : undefined, () =>
        queue.finish(),
      );
      const stopWaiting = endWithStorage(queue, end, { store, resource, cache });
      return () => {
        stopWaiting();
        unsubscribe();
        timers.stop();
        queue.stop();
      };
    },
  };
}

/** Ends a watch with the cache or the storage that it reads. Returns a function that stops waiting for that. */
function endWithStorage(
  queue: Queue,
  end: () => void,
  { store, resource, cache }: { readonly store: Store; readonly resource: Resource; readonly cache: WatchCache | undefined },
): () => void {
  const forget = cache?.onEnd(() => {
    queue.stop();
    end();
  });
  const stopWaiting = resource.custom ? onStorageEnd(store, collectionOfResource(resource), () => queue.finish()) : undefined;
  return () => {
    forget?.();
    stopWaiting?.();
  };
}

/** Existing objects are sent if the client has no resource version, or requests them. */
function initialEvents({ sendInitialEvents, resourceVersion }: ListOptions): boolean {
  if (sendInitialEvents !== undefined) return sendInitialEvents;
  return resourceVersion === '' || resourceVersion === '0';
}

/** Returns the changes of a collection after a revision. Events have no watch cache, but the history of etcd. Source: apiserver registry/core/rest. */
function missedBy(
  { log }: Store,
  collection: string,
  from: number,
): { readonly changes: readonly StoreChange[] } | { readonly error: StatusError } {
  if (collection === kindName({ group: '', kind: 'Event' })) {
    const changes = log.since(from)?.filter(change => change.collection === collection);
    return changes === undefined ? { error: resourceExpired('The resourceVersion for the provided watch is too old.') } : { changes };
  }
  const missed = log.missed(collection, from);
  return 'oldest' in missed ? { error: resourceExpired(`too old resource version: ${from} (${missed.oldest})`) } : missed;
}

/** Writes frames sequentially, because encoding them is asynchronous. */
interface Queue {
  add(make: () => Promise<WatchFrame | undefined>, last?: boolean): void;
  /** Ends the stream after all queued frames. */
  finish(): void;
  stop(): void;
}

type MakeFrame = () => Promise<WatchFrame | undefined>;

function newQueue(send: (frame: WatchFrame) => boolean, end: () => void, onError: (error: string) => WatchFrame): Queue {
  const waiting: { readonly make: MakeFrame; readonly last: boolean }[] = [];
  let [isRunning, isStopped] = [false, false];
  const run = async (): Promise<void> => {
    if (isRunning) return;
    isRunning = true;
    for (let next = waiting.shift(); next !== undefined && !isStopped; next = waiting.shift()) {
      let frame: WatchFrame | undefined;
      let { last } = next;
      try {
        frame = await next.make();
      } catch (error) {
        [frame, last] = [onError(error instanceof Error ? error.message : String(error)), true];
      }
      if (isStopped) break;
      if (frame !== undefined && !send(frame)) break;
      if (last) {
        isStopped = true;
        end();
      }
    }
    isRunning = false;
  };
  return {
    add: (make, last = false) => {
      waiting.push({ make, last });
      void run();
    },
    finish: () => {
      waiting.push({ make: async () => undefined, last: true });
      void run();
    },
    stop: () => {
      isStopped = true;
      waiting.length = 0;
    },
  };
}

interface Timers {
  stop(): void;
}

/** Returns the duration of a watch: without `timeoutSeconds`, one to two times `--min-request-timeout`, or without end if that is 0. */
function secondsOf({ timeoutSeconds }: ListOptions, minSeconds: number): number {
  if (timeoutSeconds !== undefined && timeoutSeconds > 0n) return Number(timeoutSeconds);
  return minSeconds > 0 ? minSeconds * (1 + Math.random()) : Number.POSITIVE_INFINITY;
}

function startTimers(seconds: number, bookmark: (() => void) | undefined, end: () => void): Timers {
  const after = (ms: number, run: () => void): NodeJS.Timeout => setTimeout(run, Math.min(ms, maxTimerMs));
  const over = Number.isFinite(seconds) ? after(seconds * 1000, end) : undefined;
  const every = bookmark === undefined ? undefined : setInterval(bookmark, bookmarkMs);
  const last = bookmark !== undefined && seconds * 1000 > lastBookmarkMs ? after(seconds * 1000 - lastBookmarkMs, bookmark) : undefined;
  for (const timer of [over, every, last]) timer?.unref();
  return {
    stop: () => {
      clearTimeout(over);
      clearInterval(every);
      clearTimeout(last);
    },
  };
}
