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

/** Pieces that are joined at once: a text of millions of escapes has as many pieces. */
const batch = 4096;

/** Builds a layer from pieces of another one. */
export class LayerBuilder {
  readonly #parent: Layer;
  readonly #joined: string[] = [];
  #pieces: string[] = [];
  /** Start of each piece in the new text. */
  readonly #starts: number[] = [0];
  /** Its offset in the parent, times two; plus one for a decoded piece, which has one origin as a whole. Numbers take a tenth of the memory of objects. */
  readonly #origins: number[] = [0];
  #length = 0;

  constructor(parent: Layer) {
    this.#parent = parent;
  }

  /** Adds characters of the parent as they are. */
  copy(from: number, to: number): void {
    if (to > from) this.#add(this.#parent.text.slice(from, to), 2 * from);
  }

  /** Adds the decoded form of the text at an offset of the parent. */
  put(text: string, at: number): void {
    if (text !== '') this.#add(text, 2 * at + 1);
  }

  build(): Layer {
    const [parent, starts, origins] = [this.#parent, this.#starts, this.#origins];
    return {
      text: this.#joined.join('') + this.#pieces.join(''),
      originOf: offset => {
        const piece = lastAtMost(starts, offset);
        const origin = origins[piece] ?? 0;
        const at = Math.floor(origin / 2);
        return parent.originOf(origin % 2 === 0 ? at + offset - (starts[piece] ?? 0) : at);
      },
    };
  }

  #add(text: string, origin: number): void {
    this.#pieces.push(text);
    this.#starts.push(this.#length);
    this.#origins.push(origin);
    this.#length += text.length;
    if (this.#pieces.length < batch) return;
    this.#joined.push(this.#pieces.join(''));
    this.#pieces = [];
  }
}
