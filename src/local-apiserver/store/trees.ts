import { CompactObject, type ObjectIdentity } from '../../encoding/compact-object.js';
import type { ValueMap } from '../../go/value.js';

/** Stored objects whose trees are in memory: of the others, only the text is. */
export interface Trees {
  /** Returns an object to keep. */
  keep(object: ValueMap): ValueMap;
  /** Returns an object to keep of which the text is known. */
  keepText(text: string, identity: ObjectIdentity): ValueMap;
}

/** In the units of `weightOf`: about 8 MB of memory. */
const maxSize = 1024 * 1024;

/** Creates an empty set. `compacted` is called with an object whose tree was given up. */
export function newTrees(compacted: (object: CompactObject) => void): Trees {
  let queue: CompactObject[] = [];
  let [start, total] = [0, 0];
  const add = (object: CompactObject): void => {
    queue.push(object);
    total += object.weight;
    shrink();
  };
  const shrink = (): void => {
    // An object that was used since it was last at the head gets another turn.
    for (let turns = queue.length - start; total > maxSize && turns > 0; turns -= 1) {
      const head = queue[start] as CompactObject;
      start += 1;
      if (head.isUsed) {
        head.isUsed = false;
        queue.push(head);
      } else {
        total -= head.weight;
        if (head.compact()) compacted(head);
      }
    }
    if (start > 1024 && start * 2 > queue.length) [queue, start] = [queue.slice(start), 0];
  };
  return {
    keep: object => {
      const kept = new CompactObject(object, add);
      add(kept);
      kept.isUsed = false;
      return kept;
    },
    keepText: (text, identity) => CompactObject.ofText(text, identity, add),
  };
}
