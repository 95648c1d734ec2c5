import { forgetShown } from '../../apiserver/storage/shown-object.js';
import type { ValueMap } from '../../go/value.js';
import type { Store } from './store.js';

/** Watches are seldom further apart: what they still send is not decoded again. */
const maxRecent = 256;

/** Frees the decoded versions of replaced and removed objects, which the history keeps; not those of the last ones. */
export function forgetReplaced(store: Store): void {
  const recent: ValueMap[] = [];
  store.subscribe(({ previous }) => {
    if (previous === undefined) return;
    recent.push(previous);
    const oldest = recent.length > maxRecent ? recent.shift() : undefined;
    if (oldest !== undefined) forgetShown(oldest);
  });
}
