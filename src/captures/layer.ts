import { lastAtMost } from '../encoding/line-places.js';

/** A text taken from a file, possibly decoded, with the origin of each character. */
export interface Layer {
  readonly text: string;
  /** Returns the offset in the file of an offset of the text. */
  originOf(offset: number): number;
}

/** Returns the layer of a file's own text. */
export function fileLayer(text: string): Layer {
  return { text, originOf: offset => offset };
}

/** Builds a layer from pieces of another one. */
export class LayerBuilder {
  readonly #parent: Layer;
  readonly #pieces: string[] = [];
  /** Start of each piece in the new text, and its offset in the parent; decoded pieces have one origin as a whole. */
  readonly #starts: number[] = [0];
  readonly #origins: { readonly at: number; readonly isCopy: boolean }[] = [{ at: 0, isCopy: true }];
  #length = 0;

  constructor(parent: Layer) {
    this.#parent = parent;
  }

  /** Adds characters of the parent as they are. */
  copy(from: number, to: number): void {
    if (to > from) this.#add(this.#parent.text.slice(from, to), { at: from, isCopy: true });
  }

  /** Adds the decoded form of the text at an offset of the parent. */
  put(text: string, at: number): void {
    if (text !== '') this.#add(text, { at, isCopy: false });
  }

  build(): Layer {
    const [parent, starts, origins] = [this.#parent, this.#starts, this.#origins];
    return {
      text: this.#pieces.join(''),
      originOf: offset => {
        const piece = lastAtMost(starts, offset);
        const { at, isCopy } = origins[piece] ?? { at: 0, isCopy: true };
        return parent.originOf(isCopy ? at + offset - (starts[piece] ?? 0) : at);
      },
    };
  }

  #add(text: string, origin: { readonly at: number; readonly isCopy: boolean }): void {
    this.#pieces.push(text);
    this.#starts.push(this.#length);
    this.#origins.push(origin);
    this.#length += text.length;
  }
}
