import type { CallContext } from '../../apiserver/call/call-context.js';
import type { WatchCache } from '../../apiserver/call/watch-cache.js';
import type { WatchFrame } from '../../apiserver/report/serving.js';
import type { ListSelection } from '../../apiserver/storage/selection.js';
import { isInWatchCache } from '../../apiserver/storage/watch-cache.js';
import { storeKeyOf } from '../../encoding/compact-object.js';
import type { ValueMap } from '../../go/value.js';
import type { Form } from '../forms/negotiation.js';
import type { StoreChange } from '../store/change.js';
import type { FrameCache } from '../store/frame-cache.js';
import { withResourceVersion } from '../store/store.js';
import { type EventType, eventWriter } from './event-frames.js';

/** The events that a watch shows, encoded; undefined for what it does not select. */
export interface ShownEvents {
  /** The namespace whose objects are shown; undefined for all. */
  readonly namespace: string | undefined;
  readonly eventOfExisting: (object: ValueMap) => Promise<WatchFrame | undefined>;
  readonly eventOf: (change: StoreChange) => Promise<WatchFrame | undefined>;
}

/** What a watch shows, and how. */
interface Shown {
  readonly form: Form;
  readonly selection: ListSelection;
  readonly cache: WatchCache | undefined;
  readonly frames: FrameCache;
}

/** Returns the events for the client of a call. Source: apiserver storage/cacher/cache_watcher.go convertToWatchEvent. */
export function shownEvents(context: CallContext, { form, selection, cache, frames }: Shown): ShownEvents {
  const { resource } = context.endpoint;
  const namespace = resource.namespaced && context.info.namespace !== '' ? context.info.namespace : undefined;
  const writer = eventWriter(context, form, cache);
  const isSelected = async (object: ValueMap | undefined): Promise<boolean> => {
    if (object === undefined) return false;
    const [ownNamespace, name] = storeKeyOf(object).split('/');
    if ((namespace !== undefined && ownNamespace !== namespace) || (selection.name !== undefined && name !== selection.name)) return false;
    if (!isInWatchCache(object, context)) return false;
    return selection.isEverything || selection.matches(await writer.shown(object));
  };
  const { group, version, kind } = context.codec.kind;
  const formName = [group, version, kind, form.format, form.as, form.version].join('/');
  const encodeFrame = (change: StoreChange, type: EventType, object: ValueMap): Promise<WatchFrame | undefined> => {
    // The first Table of a watch has columns.
    if (form.as === 'Table') return writer.frame(type, object);
    return frames.frameOf(change, `${type} ${formName}`, () => writer.frame(type, object));
  };
  return {
    namespace,
    eventOfExisting: async object => ((await isSelected(object)) ? writer.frame('ADDED', object) : undefined),
    eventOf: async change => {
      const { object, previous, revision } = change;
      const [is, was] = [await isSelected(object), await isSelected(previous)];
      if (is && object !== undefined) return encodeFrame(change, was ? 'MODIFIED' : 'ADDED', object);
      if (!was || previous === undefined) return undefined;
      if (cache === undefined) return encodeFrame(change, 'DELETED', withResourceVersion(previous, revision));
      const { codec, value } = await cache.decoded(previous);
      return writer.frameOf('DELETED', { codec, value: withResourceVersion(value, revision) });
    },
  };
}
