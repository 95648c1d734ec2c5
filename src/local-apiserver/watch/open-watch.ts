import type { CallContext } from '../../apiserver/call/call-context.js';
import type { WatchCache } from '../../apiserver/call/watch-cache.js';
import { mediaTypes } from '../../apiserver/endpoints/negotiation.js';
import type { WatchFrame, WatchStream } from '../../apiserver/report/serving.js';
import { type ListOptions, listOptionsOf } from '../../apiserver/storage/list-options.js';
import { revisionOf, revisionTooLarge } from '../../apiserver/storage/revision.js';
import { listSelectionOf } from '../../apiserver/storage/selection.js';
import type { Resource } from '../../kubernetes/resource-table.js';
import { StatusError } from '../../kubernetes/status.js';
import { internalError, methodNotSupported, resourceExpired } from '../../kubernetes/status-errors.js';
import type { Cluster } from '../cluster/cluster.js';
import { type Form, streamType } from '../forms/negotiation.js';
import { onStorageEnd } from '../lifecycle/replaced-watch-windows.js';
import type { StoreChange } from '../store/change.js';
import { collectionOfResource, kindName } from '../store/collection-names.js';
import type { Store } from '../store/store.js';
import { encodeBookmark, errorFrame } from './event-frames.js';
import { newOutbox } from './outbox.js';
import { shownEvents } from './shown-events.js';

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
  { store, frames, audiences, minRequestTimeoutSeconds }: Cluster,
  form: Form,
): Promise<WatchStream> {
  const options = listOptionsOf(context.server, context.query);
  const selection = listSelectionOf(options, context);
  const from = Number(revisionOf(options.resourceVersion, 'read'));
  const { resource } = context.endpoint;
  if (!resource.verbs.includes('watch')) throw methodNotSupported(resource, 'watch');
  const found = await context.serving?.watchCache?.(context);
  if (found instanceof StatusError) throw found;
  const cache = found;
  const events = shownEvents(context, { form, selection, cache, frames });
  const makeErrorFrame = (error: string): WatchFrame => errorFrame(context.server, internalError(error), form);
  const isInitial = initialEvents(options);
  return {
    contentType: form.format === 'json' || form.format === 'yaml' ? mediaTypes.json : streamType(form.format),
    start: sink => {
      const outbox = newOutbox(sink, makeErrorFrame);
      const refuse = (error: StatusError): void => {
        outbox.addAll([errorFrame(context.server, error, form)]);
        outbox.finish();
      };
      const start = store.revision();
      // Existing objects are sent only by a cache that has followed all changes.
      if (cache?.isCurrent() === false && isInitial && options.resourceVersion === '') refuse(revisionTooLarge(start, cache.revision()));
      const collection = collectionOfResource(resource);
      if (isInitial) for (const object of store.list(resource.kind, events.namespace)) outbox.add(() => events.eventOfExisting(object));
      if (isInitial && options.sendInitialEvents === true && options.allowWatchBookmarks)
        outbox.add(() => encodeBookmark(context, form, { revision: start, initial: true }));
      // Without a resource version, a watch that refuses the existing objects starts now.
      const missed = isInitial || from === 0 ? { changes: [] } : missedBy(store, collection, from);
      if ('error' in missed) refuse(missed.error);
      else for (const change of missed.changes) outbox.add(() => events.eventOf(change));
      const audience = audiences.audienceFor(audienceName(context, form), [context.server, context.definition, cache], () => ({
        collection,
        eventOf: events.eventOf,
        errorFrame: makeErrorFrame,
      }));
      const leave = audience.join({ after: Math.max(start, from), send: outbox.addAll, end: outbox.finish });
      const finish = (): void => audience.afterChanges(outbox.finish);
      const bookmark = (): void => {
        const revision = store.revision();
        audience.afterChanges(() => outbox.add(() => encodeBookmark(context, form, { revision, initial: false })));
      };
      const timers = startTimers(secondsOf(options, minRequestTimeoutSeconds), options.allowWatchBookmarks ? bookmark : undefined, finish);
      const stop = (): void => {
        leave();
        outbox.stop();
      };
      const stopWaiting = endWithStorage({ stop, finish, end: sink.end }, { store, resource, cache });
      return () => {
        stopWaiting();
        timers.stop();
        stop();
      };
    },
  };
}

/** Names what a watch shows of changes; undefined for one with a form of its own: the first Table of a watch has columns. */
function audienceName({ query, info, codec }: CallContext, { as, format, version }: Form): string | undefined {
  if (as === 'Table') return undefined;
  const selectors = ['labelSelector', 'fieldSelector', 'shardSelector'].map(name => query.get(name)?.[0]);
  return JSON.stringify([codec.kind, info.namespace, selectors, as, format, version]);
}

/** Ends a watch with the cache or the storage that it reads. Returns a function that stops waiting for that. */
function endWithStorage(
  watch: { readonly stop: () => void; readonly finish: () => void; readonly end: () => void },
  { store, resource, cache }: { readonly store: Store; readonly resource: Resource; readonly cache: WatchCache | undefined },
): () => void {
  const forget = cache?.onEnd(() => {
    watch.stop();
    watch.end();
  });
  const stopWaiting = resource.custom ? onStorageEnd(store, collectionOfResource(resource), () => watch.finish()) : undefined;
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
