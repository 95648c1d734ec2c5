/** What a value of an index is. A string with escapes is not the bytes between its quotes; an opaque value has no parts. */
export const jsonType = {
  object: 123,
  array: 91,
  string: 34,
  escaped: 92,
  number: 48,
  true: 116,
  false: 102,
  null: 110,
  opaque: 35,
} as const;

/** Numbers that describe a value. */
const stride = 7;
const [typeAt, startAt, endAt, nextAt, keyStartAt, keyEndAt, keyHashAt] = [0, 1, 2, 3, 4, 5, 6];
const [quote, backslash, comma, colon, minus] = [34, 92, 44, 58, 45];
const [closingBrace, closingBracket, letterU] = [125, 93, 117];
/** First byte of the replacement character and a few others, and of those that are two characters of a JavaScript string. */
const rareBytes = 0xef;
const maxDepth = 500;

/**
 * Where the values of a JSON text are, as numbers in the order of the text: an object is followed by its members, an array by its items. It is used for one text after
 * another, so that reading one allocates nothing.
 */
export class JsonIndex {
  /** The text in UTF-8. */
  bytes = Buffer.alloc(8192);
  #cells = new Int32Array(1024 * stride);
  #count = 0;
  #end = 0;
  readonly #opaque: number;

  /** Members with the name `opaque` are not looked into. */
  constructor(opaque: string) {
    this.#opaque = hashOfKey(opaque);
  }

  /**
   * Reads a text; its root is value 0. Returns false for one that it cannot read: with white space, an escape in a key, a rare character, `\u` in an opaque value, or a
   * mistake.
   */
  read(text: string): boolean {
    // A zero byte after the text stops a reader.
    if (this.bytes.length <= text.length * 3) this.bytes = Buffer.alloc(text.length * 6);
    this.#end = this.bytes.write(text);
    this.bytes[this.#end] = 0;
    this.#count = 0;
    return this.#value(0, 0, 0, 0, 0) === this.#end;
  }

  type(value: number): number {
    return this.#cells[value * stride + typeAt] as number;
  }

  /** Offset of the value, or of what is between the quotes of a string. */
  start(value: number): number {
    return this.#cells[value * stride + startAt] as number;
  }

  end(value: number): number {
    return this.#cells[value * stride + endAt] as number;
  }

  /** Returns the first value that is not a part of this one. */
  next(value: number): number {
    return this.#cells[value * stride + nextAt] as number;
  }

  keyStart(member: number): number {
    return this.#cells[member * stride + keyStartAt] as number;
  }

  keyEnd(member: number): number {
    return this.#cells[member * stride + keyEndAt] as number;
  }

  /** `hashOfKey` of the name of a member. */
  keyHash(member: number): number {
    return this.#cells[member * stride + keyHashAt] as number;
  }

  /** Returns a part of the text. */
  slice(start: number, end: number): string {
    return this.bytes.toString('utf8', start, end);
  }

  /** Reads the value at an offset; returns the offset after it, or -1. */
  #value(at: number, keyStart: number, keyEnd: number, keyHash: number, depth: number): number {
    const value = this.#count;
    this.#count += 1;
    const cell = value * stride;
    if (cell + stride > this.#cells.length) this.#grow();
    const cells = this.#cells;
    cells[cell + keyStartAt] = keyStart;
    cells[cell + keyEndAt] = keyEnd;
    cells[cell + keyHashAt] = keyHash;
    const first = this.bytes[at] as number;
    if (keyHash === this.#opaque && keyEnd > keyStart) return this.#leaf(cell, jsonType.opaque, at, this.#endOfOpaque(at));
    switch (first) {
      case quote:
        return this.#string(cell, at + 1);
      case jsonType.object:
      case jsonType.array: {
        if (depth === maxDepth) return -1;
        const end = first === jsonType.object ? this.#members(at + 1, depth + 1) : this.#items(at + 1, depth + 1);
        return this.#leaf(cell, first, at, end);
      }
      case jsonType.true:
      case jsonType.null:
        return this.#leaf(cell, first, at, at + 4);
      case jsonType.false:
        return this.#leaf(cell, first, at, at + 5);
      default:
        return this.#leaf(cell, jsonType.number, at, this.#endOfNumber(at));
    }
  }

  /** Describes a value of which all parts are read. */
  #leaf(cell: number, type: number, start: number, end: number): number {
    const cells = this.#cells;
    cells[cell + typeAt] = type;
    cells[cell + startAt] = start;
    cells[cell + endAt] = end;
    cells[cell + nextAt] = this.#count;
    return end;
  }

  #members(start: number, depth: number): number {
    const { bytes } = this;
    if (bytes[start] === closingBrace) return start + 1;
    for (let at = start; bytes[at] === quote; at += 1) {
      const keyStart = at + 1;
      let [keyEnd, hash] = [keyStart, 0];
      for (let byte = bytes[keyEnd] as number; byte !== quote; byte = bytes[keyEnd] as number) {
        if (byte === backslash || byte < 32 || byte >= rareBytes) return -1;
        hash = (Math.imul(hash, 31) + byte) | 0;
        keyEnd += 1;
      }
      if (bytes[keyEnd + 1] !== colon) return -1;
      at = this.#value(keyEnd + 2, keyStart, keyEnd, hash, depth);
      if (at < 0) return -1;
      if (bytes[at] === closingBrace) return at + 1;
      if (bytes[at] !== comma) return -1;
    }
    return -1;
  }

  #items(start: number, depth: number): number {
    const { bytes } = this;
    if (bytes[start] === closingBracket) return start + 1;
    for (let at = start; ; at += 1) {
      at = this.#value(at, 0, 0, 0, depth);
      if (at < 0) return -1;
      if (bytes[at] === closingBracket) return at + 1;
      if (bytes[at] !== comma) return -1;
    }
  }

  #string(cell: number, start: number): number {
    const { bytes } = this;
    let type: number = jsonType.string;
    let end = start;
    for (let byte = bytes[end] as number; byte !== quote; byte = bytes[end] as number) {
      if (byte < 32 || byte >= rareBytes) return -1;
      if (byte === backslash) {
        type = jsonType.escaped;
        end += 1;
        if ((bytes[end] as number) < 32) return -1;
      }
      end += 1;
    }
    this.#leaf(cell, type, start, end);
    return end + 1;
  }

  #endOfNumber(start: number): number {
    const { bytes } = this;
    let end = start;
    for (let byte = bytes[end] as number; isInNumber(byte); byte = bytes[end] as number) end += 1;
    return end > start ? end : -1;
  }

  #endOfOpaque(start: number): number {
    const { bytes } = this;
    let [end, open, isInString] = [start, 0, false];
    for (; ; end += 1) {
      const byte = bytes[end] as number;
      if (byte < 32 || byte >= rareBytes) return -1;
      if (byte === backslash) {
        end += 1;
        if (bytes[end] === letterU || (bytes[end] as number) < 32) return -1;
      } else if (byte === quote) isInString = !isInString;
      else if (!isInString) {
        if (byte === jsonType.object || byte === jsonType.array) open += 1;
        else if (byte === closingBrace || byte === closingBracket) open -= 1;
        // Only objects are opaque.
        if (open === 0) return byte === closingBrace ? end + 1 : -1;
      }
    }
  }

  #grow(): void {
    const cells = new Int32Array(this.#cells.length * 2);
    cells.set(this.#cells);
    this.#cells = cells;
  }
}

function isInNumber(byte: number): boolean {
  return (byte >= 48 && byte <= 57) || byte === minus || byte === 43 || byte === 46 || byte === 69 || byte === 101;
}

/** Returns the hash of the name of a member: different names may have the same one. */
export function hashOfKey(name: string): number {
  let hash = 0;
  for (const byte of Buffer.from(name)) hash = (Math.imul(hash, 31) + byte) | 0;
  return hash;
}
