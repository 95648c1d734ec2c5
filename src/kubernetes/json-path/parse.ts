import { parseFloat64 } from '../../go/parse-float.js';
import { atoi } from '../../go/parse-integer.js';
import { isPrintable } from '../../go/printable.js';
import { unquote } from '../../go/unquote.js';

/** Part of a template. Source: client-go util/jsonpath/node.go. */
export type Node =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'number'; readonly number: bigint | number }
  | { readonly type: 'bool'; readonly value: boolean }
  | { readonly type: 'field' | 'identifier'; readonly name: string }
  | { readonly type: 'wildcard' }
  | { readonly type: 'recursive' }
  | { readonly type: 'array'; readonly slice: Slice }
  | { readonly type: 'union'; readonly lists: readonly NodeList[] }
  | { readonly type: 'filter'; readonly left: NodeList; readonly operator: string; readonly right: NodeList };

/** Nodes that follow each other between `{` and `}`; also text outside of them. */
export type NodeList = readonly Node[];

/** Items of a list; undefined: from the first one, to the last one, each. */
export interface Slice {
  readonly start: number | undefined;
  readonly end: number | undefined;
  /** `end` is only the item after `start`. */
  readonly isOneItem: boolean;
  readonly step: number | undefined;
}

/** Message of client-go for an invalid template. */
export class JsonPathError extends Error {
  override readonly name = 'JsonPathError';
}

/** Returns client-go's error for an invalid template; undefined for a valid one. */
export function jsonPathProblem(text: string): string | undefined {
  const parsed = parsedOr(text);
  return parsed instanceof JsonPathError ? parsed.message : undefined;
}

/** Returns the first action of a template, or the text before it; undefined for an invalid template. */
export function firstAction(text: string): NodeList | undefined {
  const parsed = parsedOr(text);
  return parsed instanceof JsonPathError ? undefined : parsed[0];
}

function parsedOr(text: string): readonly NodeList[] | JsonPathError {
  try {
    return parseTemplate(text);
  } catch (error) {
    if (error instanceof JsonPathError) return error;
    throw error;
  }
}

/** Parses a template, `{.spec.containers[0].image}`, into its actions and the text between them. Throws JsonPathError. Source: client-go util/jsonpath/parser.go. */
function parseTemplate(text: string): readonly NodeList[] {
  return new Parser([...text]).parse();
}

/** Parses the text of one action. */
function parseAction(text: string): NodeList {
  return parseTemplate(`{${text}}`)[0] ?? [];
}

class Parser {
  readonly #root: NodeList[] = [];
  #at = 0;

  constructor(private readonly runes: readonly string[]) {}

  parse(): readonly NodeList[] {
    for (let start = 0; this.#at < this.runes.length; start = this.#at) {
      while (this.#at < this.runes.length && !this.#startsWith('{')) this.#at += 1;
      if (this.#at > start) this.#root.push([{ type: 'text', text: this.#from(start) }]);
      if (this.#at < this.runes.length) this.#root.push(this.#action());
    }
    return this.#root;
  }

  /** Parses from `{` to the `}` that ends it. */
  #action(): NodeList {
    const nodes: Node[] = [];
    this.#at += 1;
    for (;;) {
      if (this.#startsWith('}')) {
        this.#at += 1;
        return nodes;
      }
      if (this.#startsWith('[?(')) nodes.push(this.#filter());
      else if (this.#startsWith('..')) this.#recursive(nodes);
      else this.#step(nodes);
    }
  }

  #step(nodes: Node[]): void {
    const rune = this.#next();
    if (rune === undefined || isEndOfLine(rune)) throw new JsonPathError('unclosed action');
    if (rune === ' ' || rune === '@' || rune === '$') return;
    if (rune === '[') nodes.push(...this.#array());
    else if (rune === '"' || rune === "'") nodes.push(this.#quote(rune));
    else if (rune === '.') nodes.push(this.#field());
    else if (rune === '+' || rune === '-' || /\p{Nd}/u.test(rune)) {
      this.#at -= 1;
      nodes.push(this.#number());
    } else if (isAlphaNumeric(rune)) {
      this.#at -= 1;
      nodes.push(this.#identifier());
    } else throw new JsonPathError(`unrecognized character in action: ${codePoint(rune)}`);
  }

  #recursive(nodes: Node[]): void {
    if (nodes.at(-1)?.type === 'recursive') throw new JsonPathError('invalid multiple recursive descent');
    this.#at += 2;
    nodes.push({ type: 'recursive' });
    const rune = this.runes[this.#at];
    if (rune !== undefined && isAlphaNumeric(rune)) nodes.push(this.#field());
  }

  #field(): Node {
    const start = this.#at;
    for (;;) {
      const rune = this.runes[this.#at];
      if (rune === '\\') this.#at += 2;
      else if (isTerminator(rune)) break;
      else this.#at += 1;
    }
    const name = this.#from(start);
    return name === '*' ? { type: 'wildcard' } : { type: 'field', name: name.replaceAll('\\', '') };
  }

  #identifier(): Node {
    const start = this.#at;
    while (!isTerminator(this.runes[this.#at])) this.#at += 1;
    const name = this.#from(start);
    return name === 'true' || name === 'false' ? { type: 'bool', value: name === 'true' } : { type: 'identifier', name };
  }

  #number(): Node {
    const start = this.#at;
    if (['+', '-'].includes(this.runes[this.#at] ?? '')) this.#at += 1;
    while (/^[.\p{Nd}]$/u.test(this.runes[this.#at] ?? '')) this.#at += 1;
    const text = this.#from(start);
    const [int, float] = [atoi(text), parseFloat64(text)];
    if (typeof int === 'bigint') return { type: 'number', number: int };
    if (typeof float === 'number') return { type: 'number', number: float };
    throw new JsonPathError(`cannot parse number ${text}`);
  }

  #quote(end: string): Node {
    const start = this.#at - 1;
    for (;;) {
      const rune = this.#next();
      if (rune === undefined || rune === '\n') throw new JsonPathError('unterminated quoted string');
      if (rune === end && this.runes[this.#at - 2] !== '\\') break;
    }
    const quoted = this.#from(start);
    const text = unquote(quoted);
    if (text === undefined) throw new JsonPathError(`unquote string ${quoted} error invalid syntax`);
    return { type: 'text', text };
  }

  #array(): NodeList {
    const start = this.#at;
    for (;;) {
      const rune = this.#next();
      if (rune === undefined || rune === '\n') throw new JsonPathError('unterminated array');
      if (rune === ']') return indexNodes(this.runes.slice(start, this.#at - 1).join(''));
    }
  }

  #filter(): Node {
    this.#at += 3;
    const start = this.#at;
    let quote: string | undefined;
    let isClosed = false;
    for (;;) {
      const rune = this.#next();
      if (rune === undefined || rune === '\n') throw new JsonPathError('unterminated filter');
      if (rune === '"' || rune === "'") {
        if (quote === undefined) quote = rune;
        else if (this.runes[this.#at - 2] !== '\\' && rune === quote) isClosed = true;
      } else if (rune === ')' && (quote !== undefined) === isClosed) break;
    }
    if (this.#next() !== ']') throw new JsonPathError('unclosed array expect ]');
    const text = this.runes.slice(start, this.#at - 2).join('');
    const [, left = text, operator = 'exists', right = ''] = /^([^!<>=]+)([!<>=]+)(.+?)$/.exec(text) ?? [];
    return { type: 'filter', left: parseAction(left), operator, right: parseAction(right) };
  }

  #next(): string | undefined {
    const rune = this.runes[this.#at];
    if (rune !== undefined) this.#at += 1;
    return rune;
  }

  #startsWith(prefix: string): boolean {
    return [...prefix].every((rune, i) => this.runes[this.#at + i] === rune);
  }

  #from(start: number): string {
    return this.runes.slice(start, this.#at).join('');
  }
}

/** Returns the nodes of what is between `[` and `]`. */
function indexNodes(text: string): NodeList {
  const parts = text.split(',');
  if (parts.length > 1) return [{ type: 'union', lists: parts.map(part => parseAction(`[${part.replace(/^ +| +$/g, '')}]`)) }];
  const key = /^'([^']*)'$/.exec(text)?.[1];
  if (key !== undefined) return parseAction(`.${key}`);
  const found = /^(-?\d*)(:-?\d*)?(:-?\d*)?$/.exec(text === '*' ? ':' : text);
  if (found === null) throw new JsonPathError(`invalid array index ${text}`);
  const [start, end, step] = [found[1], found[2]?.slice(1), found[3]?.slice(1)].map(indexOf);
  const isOneItem = found[2] === undefined;
  return [{ type: 'array', slice: { start, end: isOneItem ? (start ?? 0) + 1 : end, isOneItem, step } }];
}

function indexOf(text = ''): number | undefined {
  if (text === '') return undefined;
  const index = atoi(text);
  if (typeof index !== 'bigint') throw new JsonPathError(`array index ${text} is not a number`);
  return Number(index);
}

/** Returns a character as Go's %#U prints it. */
function codePoint(rune: string): string {
  const number = rune.codePointAt(0) ?? 0;
  const shown = isPrintable(rune) ? ` '${rune}'` : '';
  return `U+${number.toString(16).toUpperCase().padStart(4, '0')}${shown}`;
}

function isTerminator(rune: string | undefined): boolean {
  return rune === undefined || ' \t\r\n.,[]$@{}'.includes(rune);
}

function isEndOfLine(rune: string): boolean {
  return rune === '\r' || rune === '\n';
}

function isAlphaNumeric(rune: string): boolean {
  return /^[_\p{L}\p{Nd}]$/u.test(rune);
}
