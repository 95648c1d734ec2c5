import type { ValueMap } from '../../go/value.js';
import type { WrittenObjects, WrittenRow } from '../../kubernetes/written-objects.js';

/** Contents of a kind: what was there before, and the last write. The same value means the same contents. */
interface Contents {
  readonly before: Contents | undefined;
  readonly key: string;
  readonly object: ValueMap | null;
}

interface Write {
  readonly kindKey: string;
  readonly contents: Contents;
}

/** What the creation of an object read of the objects that were created before it, and what it wrote. */
export interface Trace {
  /** Contents of kinds that were read as a whole; undefined where there was nothing. */
  readonly kinds: ReadonlyMap<string, Contents | undefined>;
  /** Single objects by kind and key; undefined for what was not there. */
  readonly objects: ReadonlyMap<string, ReadonlyMap<string, ValueMap | null | undefined>>;
  readonly writes: readonly Write[];
}

interface OpenTrace extends Trace {
  readonly kinds: Map<string, Contents | undefined>;
  readonly objects: Map<string, Map<string, ValueMap | null | undefined>>;
  readonly writes: Write[];
}

const nothing: ReadonlyMap<string, ValueMap | null> = new Map();

/** Objects that the creation of earlier documents wrote. It records what the next ones read and write, so that they are created again only if that has changed. */
export class TracedWrites implements WrittenObjects {
  readonly #rows = new Map<string, Map<string, ValueMap | null>>();
  readonly #contents = new Map<string, Contents>();
  #trace = newTrace();

  row(kindKey: string): WrittenRow {
    const { kinds, objects } = this.#trace;
    const row = this.#rows.get(kindKey) ?? nothing;
    const readAll = (): void => {
      if (!kinds.has(kindKey)) kinds.set(kindKey, this.#contents.get(kindKey));
    };
    return {
      get: key => {
        const found = row.get(key);
        const known = objects.get(kindKey) ?? new Map<string, ValueMap | null | undefined>();
        if (!known.has(key)) objects.set(kindKey, known.set(key, found));
        return found;
      },
      get size() {
        readAll();
        return row.size;
      },
      [Symbol.iterator]: () => {
        readAll();
        return row[Symbol.iterator]();
      },
    };
  }

  objects(): ValueMap[] {
    return [...this.#rows.keys()].flatMap(kindKey => [...this.row(kindKey)].flatMap(([, object]) => object ?? []));
  }

  set(kindKey: string, key: string, object: ValueMap | null): void {
    const contents = { before: this.#contents.get(kindKey), key, object };
    this.#write(kindKey, contents);
    this.#trace.writes.push({ kindKey, contents });
  }

  /** Forgets all writes: the first document comes next. */
  reset(): void {
    this.#rows.clear();
    this.#contents.clear();
  }

  /** Starts a new trace and returns it. */
  startTrace(): Trace {
    this.#trace = newTrace();
    return this.#trace;
  }

  /** Returns whether an object with this trace would be answered the same now. */
  holds({ kinds, objects }: Trace): boolean {
    for (const [kindKey, contents] of kinds) if (this.#contents.get(kindKey) !== contents) return false;
    for (const [kindKey, known] of objects) {
      const row = this.#rows.get(kindKey) ?? nothing;
      for (const [key, object] of known) if (row.get(key) !== object) return false;
    }
    return true;
  }

  /** Writes again what an object with this trace wrote. Returns the trace as it is now. */
  repeat(trace: Trace): Trace {
    const writes = trace.writes.map(({ kindKey, contents }): Write => {
      const before = this.#contents.get(kindKey);
      const now = contents.before === before ? contents : { ...contents, before };
      this.#write(kindKey, now);
      return { kindKey, contents: now };
    });
    return { ...trace, writes };
  }

  #write(kindKey: string, contents: Contents): void {
    const row = this.#rows.get(kindKey) ?? new Map<string, ValueMap | null>();
    this.#rows.set(kindKey, row.set(contents.key, contents.object));
    this.#contents.set(kindKey, contents);
  }
}

function newTrace(): OpenTrace {
  return { kinds: new Map(), objects: new Map(), writes: [] };
}
