import { pathOfFrame, type TextFrame, type TextPlace } from './open-text.js';

/**
 * Returns what is at an offset of a YAML or JSON document that may have errors anywhere: the text is read line by line, by its indentation and brackets.
 * Undefined in comments, block scalars and texts of several lines.
 */
export function placeInOpenText(text: string, offset: number): TextPlace | undefined {
  const reader = new OpenText(text, offset);
  reader.read();
  return reader.place;
}

/** Returns the maps and lists of such a document, with the scalars of each map. */
export function framesOf(text: string): readonly TextFrame[] {
  const reader = new OpenText(text, -1);
  reader.read();
  return reader.frames;
}

const keyPattern = /^(?:"((?:[^"\\]|\\.)*)"|'((?:[^']|'')*)'|([^\s#&*!|>'"%@`{}[\],][^#\n]*?|[^\s#&*!|>'"%@`{}[\],]))\s*:(?=\s|$)/;

class OpenText {
  place: TextPlace | undefined;
  readonly frames: TextFrame[] = [];
  readonly #text: string;
  readonly #offset: number;
  #frame: TextFrame | undefined;
  #flowDepth = 0;
  /** Lines of a block scalar are indented more than this. */
  #scalarIndent: number | undefined;

  constructor(text: string, offset: number) {
    this.#text = text;
    this.#offset = offset;
  }

  read(): void {
    for (let start = 0; start <= this.#text.length; ) {
      const newline = this.#text.indexOf('\n', start);
      const end = newline < 0 ? this.#text.length : newline;
      this.#line(start, this.#text[end - 1] === '\r' && end > start ? end - 1 : end);
      start = end + 1;
    }
  }

  #line(start: number, end: number): void {
    let at = start;
    while (at < end && this.#text[at] === ' ') at += 1;
    const isHere = start <= this.#offset && this.#offset <= end;
    if (this.#flowDepth > 0) this.#flow(at, end);
    else if (at < end) this.#content(at, end, at - start);
    else if (isHere) this.#blank(start);
  }

  #content(at: number, end: number, indent: number): void {
    if (this.#scalarIndent !== undefined) {
      if (indent > this.#scalarIndent) return;
      this.#scalarIndent = undefined;
    }
    if (this.#text[at] === '#' || (indent === 0 && this.#text.startsWith('---', at))) return;
    this.#block(at, end, indent);
  }

  /** An empty line: the column of the cursor decides to which map a key would belong. */
  #blank(start: number): void {
    const column = this.#offset - start;
    if (this.#scalarIndent !== undefined && column > this.#scalarIndent) return;
    this.#leave(column, true);
    this.#setKeyPlace(column, this.#offset, this.#offset, false);
  }

  #block(from: number, end: number, column: number): void {
    let [at, indent] = [from, column];
    while (this.#text[at] === '-' && (at + 1 >= end || this.#text[at + 1] === ' ')) {
      this.#item(indent);
      const dash = at;
      at += 1;
      while (at < end && this.#text[at] === ' ') at += 1;
      if (dash < this.#offset && this.#offset <= at && at === end) {
        this.#setItemPlace(indent + (this.#offset - dash));
        return;
      }
      indent += at - dash;
    }
    const rest = this.#text.slice(at, end);
    const key = keyPattern.exec(rest);
    if (key === null || rest.startsWith('{') || rest.startsWith('[')) {
      this.#withoutKey(at, end, indent);
      return;
    }
    this.#leave(indent, true);
    const name = key[1] ?? key[2] ?? key[3] ?? '';
    const map = this.#mapAt(indent);
    map.current = name;
    const [keyEnd, valueStart] = [at + key[0].replace(/\s*:$/, '').length, at + key[0].length];
    if (at <= this.#offset && this.#offset <= keyEnd) this.#setKeyPlace(indent, at, keyEnd, true);
    else map.keys.add(name);
    this.#value(valueStart, end, { map, name, indent });
  }

  /** A line without a key: a value of the key above, an item, or a key that is being written. */
  #withoutKey(at: number, end: number, indent: number): void {
    const first = this.#text[at] ?? '';
    if (first === '{' || first === '[') {
      this.#flow(at, end);
      return;
    }
    this.#leave(indent, true);
    if (at <= this.#offset && this.#offset <= end && first !== '#') this.#setKeyPlace(indent, at, wordEnd(this.#text, at, end), false);
  }

  #value(
    from: number,
    end: number,
    { map, name, indent }: { readonly map: TextFrame; readonly name: string; readonly indent: number },
  ): void {
    let at = from;
    while (at < end && (this.#text[at] === ' ' || this.#text[at] === '\t')) at += 1;
    const rest = this.#text.slice(at, end).replace(/^(?:[&!]\S*\s+)+/, '');
    const isHere = from < this.#offset && this.#offset <= end;
    if (/^[|>][-+0-9]*\s*(?:#.*)?$/.test(rest)) {
      this.#scalarIndent = indent;
    } else if (rest.startsWith('{') || rest.startsWith('[')) {
      this.#flow(end - rest.length, end);
    } else {
      const stop = scalarStop(this.#text, at, end);
      if (rest !== '' && !rest.startsWith('#')) map.values.set(name, unquoted(this.#text.slice(at, stop)));
      if (isHere && (this.#offset <= stop || at === end)) this.#setValuePlace(Math.min(at, this.#offset), Math.max(stop, this.#offset));
    }
  }

  /** Reads flow style up to the end of the line; it may go on in the next one. */
  #flow(from: number, end: number): void {
    let at = from;
    while (at < end) {
      const character = this.#text[at] ?? '';
      if (character === '#' && (at === from || this.#text[at - 1] === ' ')) return;
      if (character === '{' || character === '[') {
        this.#flowDepth += 1;
        const step = this.#frame === undefined ? undefined : this.#frame.current;
        this.#frame = this.#opened(frameOf(character === '{' ? 'map' : 'list', -1, step, this.#frame));
        at += 1;
        this.#flowGap(at, end);
      } else if (character === '}' || character === ']') {
        this.#flowDepth -= 1;
        this.#frame = this.#frame?.around;
        at += 1;
        if (this.#flowDepth === 0) return;
      } else if (character === ',') {
        if (this.#frame?.kind === 'list' && typeof this.#frame.current === 'number') this.#frame.current += 1;
        else if (this.#frame !== undefined) this.#frame.current = undefined;
        at += 1;
        this.#flowGap(at, end);
      } else if (character === ' ' || character === '\t' || character === ':') {
        at += 1;
        if (character === ':') this.#flowGap(at, end);
      } else {
        at = this.#flowScalar(at, end);
      }
    }
  }

  /** The place is in the white space after a bracket, a comma or a colon. */
  #flowGap(at: number, end: number): void {
    let next = at;
    while (next < end && this.#text[next] === ' ') next += 1;
    const isScalar = next < end && !'}],{['.includes(this.#text[next] ?? '');
    if (this.#offset < at || this.#offset > next || (isScalar && this.#offset === next) || this.place !== undefined) return;
    const frame = this.#frame;
    if (frame?.kind === 'map' && frame.current === undefined) this.#setFlowPlace('key', this.#offset, this.#offset, false);
    else this.#setFlowPlace('value', this.#offset, this.#offset, false);
  }

  #flowScalar(at: number, end: number): number {
    const stop = flowStop(this.#text, at, end);
    const frame = this.#frame;
    const after = this.#text.slice(stop, end);
    const isKey = frame?.kind === 'map' && frame.current === undefined;
    const word = unquoted(this.#text.slice(at, stop));
    const isHere = at <= this.#offset && this.#offset <= stop;
    if (isHere) this.#setFlowPlace(isKey ? 'key' : 'value', at, stop, /^\s*:/.test(after));
    if (isKey && frame !== undefined) {
      if (/^\s*:/.test(after)) frame.current = word;
      if (!isHere) frame.keys.add(word);
    } else if (frame?.kind === 'map' && typeof frame.current === 'string') frame.values.set(frame.current, word);
    return Math.max(stop, at + 1);
  }

  #setFlowPlace(position: TextPlace['position'], start: number, end: number, hasColon: boolean): void {
    const frame = this.#frame;
    const path = pathOfFrame(frame);
    if (position === 'value' && frame?.current !== undefined) path.push(frame.current);
    this.place = { position, frame: position === 'key' ? frame : undefined, path, start, end, prefix: this.#prefix(start), hasColon };
  }

  #setKeyPlace(column: number, start: number, end: number, hasColon: boolean): void {
    const top = this.#frame;
    const isInside = top !== undefined && top.indent < column;
    const path = pathOfFrame(top);
    if (isInside && top.current !== undefined) path.push(top.current);
    const frame = isInside ? undefined : top;
    this.place = {
      position: 'key',
      frame: frame?.kind === 'map' ? frame : undefined,
      path,
      start,
      end,
      prefix: this.#prefix(start),
      hasColon,
    };
    if (isInside && top.current !== undefined) this.#mapAt(column);
    if (isInside || frame === undefined) this.place = { ...this.place, frame: this.#mapAt(column) };
  }

  #setItemPlace(column: number): void {
    this.#setKeyPlace(column, this.#offset, this.#offset, false);
  }

  #setValuePlace(start: number, end: number): void {
    const path = pathOfFrame(this.#frame);
    if (this.#frame?.current !== undefined) path.push(this.#frame.current);
    this.place = { position: 'value', frame: undefined, path, start, end, prefix: this.#prefix(start), hasColon: false };
  }

  #prefix(start: number): string {
    return this.#text.slice(start, Math.max(start, this.#offset)).replace(/^["']/, '');
  }

  /** Leaves frames that end before a line with this indentation. `isKey`: a list in the same column ends, too. */
  #leave(indent: number, isKey: boolean): void {
    while (
      this.#frame !== undefined &&
      (this.#frame.indent > indent || (isKey && this.#frame.kind === 'list' && this.#frame.indent === indent))
    ) {
      this.#frame = this.#frame.around;
    }
  }

  #mapAt(indent: number): TextFrame {
    if (this.#frame?.kind === 'map' && this.#frame.indent === indent) return this.#frame;
    const frame = this.#opened(frameOf('map', indent, this.#frame?.current, this.#frame));
    this.#frame = frame;
    return frame;
  }

  #item(indent: number): void {
    while (this.#frame !== undefined && this.#frame.indent > indent) this.#frame = this.#frame.around;
    if (this.#frame?.kind === 'list' && this.#frame.indent === indent) {
      if (typeof this.#frame.current === 'number') this.#frame.current += 1;
    } else {
      this.#frame = this.#opened(frameOf('list', indent, this.#frame?.current, this.#frame));
    }
  }

  #opened(frame: TextFrame): TextFrame {
    this.frames.push(frame);
    return frame;
  }
}

function frameOf(kind: TextFrame['kind'], indent: number, step: TextFrame['step'], around: TextFrame | undefined): TextFrame {
  return { kind, indent, step, around, keys: new Set(), values: new Map(), current: kind === 'list' ? 0 : undefined };
}

function unquoted(word: string): string {
  return word.trim().replace(/^["']|["']$/g, '');
}

/** Returns the end of a word that is being written as a key. */
function wordEnd(text: string, at: number, end: number): number {
  let stop = at;
  while (stop < end && !/[\s:]/.test(text[stop] ?? '')) stop += 1;
  return stop;
}

/** Returns the end of a scalar in a block, before a comment. */
function scalarStop(text: string, at: number, end: number): number {
  const quote = text[at];
  if (quote === '"' || quote === "'") return quoteStop(text, at, end);
  const comment = text.slice(at, end).search(/\s+#/);
  const stop = comment < 0 ? end : at + comment;
  return at + text.slice(at, stop).trimEnd().length;
}

function flowStop(text: string, at: number, end: number): number {
  if (text[at] === '"' || text[at] === "'") return quoteStop(text, at, end);
  let stop = at;
  while (stop < end && !/[,[\]{}]/.test(text[stop] ?? '') && !(text[stop] === ':' && /[\s,[\]{}]|$/.test(text[stop + 1] ?? ''))) stop += 1;
  return at + text.slice(at, stop).trimEnd().length;
}

function quoteStop(text: string, at: number, end: number): number {
  const quote = text[at];
  for (let stop = at + 1; stop < end; stop += 1) {
    if (text[stop] === '\\' && quote === '"') stop += 1;
    else if (text[stop] === quote) return stop + 1;
  }
  return end;
}
