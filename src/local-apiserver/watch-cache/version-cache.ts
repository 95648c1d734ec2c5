import type { WatchCache } from '../../apiserver/call/watch-cache.js';
import type { ApiObject } from '../../apiserver/objects/api-object.js';
import type { ValueMap } from '../../go/value.js';
import type { StoreChange } from '../store/change.js';

/** What a cache reads, and how. */
export interface CacheSource {
  /** Returns all stored objects. */
  readonly list: () => readonly ValueMap[];
  readonly revision: () => number;
  /** Decodes an object in the version of the cache. Throws if that fails. */
  readonly decode: (stored: ValueMap) => Promise<ApiObject>;
  /** Decodes all objects. Throws the error of a list, with what was listed. */
  readonly decodeAll: (stored: readonly ValueMap[]) => Promise<readonly ApiObject[]>;
  readonly now: () => number;
}

/** Watch cache of one version of a custom resource whose objects a webhook converts. */
export interface VersionCache extends WatchCache {
  /** Brings the cache up to date as far as objects can be decoded; a failure is tried again after some time. */
  refresh(): Promise<void>;
  /** Why the cache cannot be filled; undefined if it is. */
  problem(): { readonly message: string; readonly sinceMs: number } | undefined;
  add(change: StoreChange): void;
  /** Ends the watches, for good. What was changed before is still converted for them: they end with the storage. */
  stop(): void;
}

/** Upstream: wait.Until around ListAndWatch, and the watches of a reflector after internal errors. */
const retryMs = 1000;
/** Source: apiserver storage/cacher/cacher.go, reflector.MaxInternalErrorRetryDuration. */
const stallMs = 30_000;
/** Time for which a replaced cache goes on: the storage ends the watches a second after its replacement. */
const drainMs = 2000;
/** Max time for which a request waits for a slow webhook. */
const patienceMs = 1000;

/**
 * Creates the cache of a version, which lists the objects and then follows their changes. A change that cannot be decoded stops it, while its
 * watches and lists go on as they are; if that lasts, the watches end and it lists again. Source: apiserver storage/cacher/cacher.go,
 * client-go tools/cache/reflector.go.
 */
export function newVersionCache(source: CacheSource): VersionCache {
  const { keep, end, ...decodedObjects } = newDecodedObjects();
  let missed: StoreChange[] = [];
  let state: 'pending' | 'ready' | 'stopped' = 'pending';
  let message = initializing;
  let pendingSince = source.now();
  let stalledSince: number | undefined;
  let triedAt = Number.NEGATIVE_INFINITY;
  let revision = 0;
  let work: Promise<void> | undefined;

  const fill = async (): Promise<void> => {
    const at = source.revision();
    const stored = source.list();
    missed = [];
    try {
      for (const [i, object] of (await source.decodeAll(stored)).entries()) keep(stored[i] as ValueMap, object);
      if (state === 'pending') state = 'ready';
      revision = at;
    } catch (error) {
      message = `${initializing}: ${errorText(error)}`;
    }
  };
  const follow = async (): Promise<void> => {
    for (let change = missed[0]; change !== undefined && state === 'ready'; change = missed[0]) {
      const stored = change.object ?? change.previous;
      try {
        if (stored !== undefined && change.revision > revision) keep(stored, await source.decode(stored));
      } catch {
        stalledSince ??= source.now();
        if (source.now() - stalledSince < stallMs) return;
        [state, stalledSince, message, pendingSince] = ['pending', undefined, initializing, source.now()];
        end();
        return fill();
      }
      revision = Math.max(revision, change.revision);
      missed.shift();
      stalledSince = undefined;
    }
  };
  const run = async (): Promise<void> => {
    triedAt = source.now();
    if (state === 'pending') await fill();
    await follow();
  };
  const start = (): Promise<void> => {
    work ??= run().finally(() => {
      work = undefined;
      triedAt = source.now();
      if (stalledSince !== undefined && state !== 'stopped') setTimeout(() => void start(), retryMs).unref();
    });
    return work;
  };
  return {
    refresh: async () => {
      const isDue = source.now() - triedAt >= retryMs || (state === 'ready' && stalledSince === undefined && missed.length > 0);
      if (work === undefined && isDue && (state === 'pending' || missed.length > 0)) void start();
      if (work !== undefined) await Promise.race([work, sleep(patienceMs)]);
    },
    problem: () => (state === 'pending' ? { message, sinceMs: source.now() - pendingSince } : undefined),
    add: change => {
      // Listing starts with all objects.
      if (state === 'pending' && work === undefined) return;
      missed.push(change);
      if (state === 'ready' && stalledSince === undefined) void start();
    },
    stop: () => {
      runAfter(state === 'ready' ? drainMs : 0, () => {
        state = 'stopped';
        end();
      });
    },
    ...decodedObjects,
    revision: () => (missed.length === 0 ? source.revision() : revision),
    isCurrent: () => missed.length === 0,
  };
}

/** Objects by what is stored, and the watches that wait for them. */
interface DecodedObjects extends Pick<WatchCache, 'objectOf' | 'decoded' | 'onEnd'> {
  readonly keep: (stored: ValueMap, object: ApiObject) => void;
  /** Ends the watches. */
  readonly end: () => void;
}

function newDecodedObjects(): DecodedObjects {
  const objects = new WeakMap<ValueMap, ApiObject>();
  const waiters = new Map<ValueMap, ((object: ApiObject) => void)[]>();
  const enders = new Set<() => void>();
  return {
    keep: (stored, object) => {
      objects.set(stored, object);
      for (const resolve of waiters.get(stored) ?? []) resolve(object);
      waiters.delete(stored);
    },
    objectOf: stored => objects.get(stored),
    decoded: async stored => {
      const known = objects.get(stored);
      if (known !== undefined) return known;
      return new Promise(resolve => waiters.set(stored, [...(waiters.get(stored) ?? []), resolve]));
    },
    onEnd: ended => {
      enders.add(ended);
      return () => enders.delete(ended);
    },
    end: () => {
      waiters.clear();
      for (const ended of enders) ended();
      enders.clear();
    },
  };
}

const initializing = 'storage is (re)initializing';

function runAfter(ms: number, run: () => void): void {
  if (ms === 0) run();
  else setTimeout(run, ms).unref();
}

function sleep(ms: number): Promise<void> {
  return new Promise(resolve => setTimeout(resolve, ms).unref());
}

function errorText(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
