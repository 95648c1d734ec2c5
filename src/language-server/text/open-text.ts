/** A map or list around a place of a text that need not be complete. */
export interface TextFrame {
  readonly kind: 'map' | 'list';
  /** Column of the keys or dashes; -1 in flow style. */
  readonly indent: number;
  /** Key or index by which the frame around it holds it; undefined for the root. */
  readonly step: string | number | undefined;
  readonly around: TextFrame | undefined;
  /** Keys of a map, also those after the place. */
  readonly keys: Set<string>;
  /** Scalars by key, as far as they are on the line of the key. */
  readonly values: Map<string, string>;
  /** Key or number of the item that is being read. */
  current: string | number | undefined;
}

/** What is at a place of a YAML or JSON text, complete or not. */
export interface TextPlace {
  /** A key is being written, or a value. Where both are possible, it is a key. */
  readonly position: 'key' | 'value';
  readonly frame: TextFrame | undefined;
  /** Keys and indices from the root to the map or list around the key, or to the value. */
  readonly path: readonly (string | number)[];
  /** The word at the place, from its start to its end. */
  readonly start: number;
  readonly end: number;
  /** The word up to the place, without its quote. */
  readonly prefix: string;
  /** The key is followed by a colon. */
  readonly hasColon: boolean;
}

/** Returns the keys and indices from the root to a frame. */
export function pathOfFrame(frame: TextFrame | undefined): (string | number)[] {
  const path: (string | number)[] = [];
  for (let at = frame; at !== undefined; at = at.around) if (at.step !== undefined) path.unshift(at.step);
  return path;
}
