import { ownMember } from '../../go/own-members.js';
/** A variable of a macro, such as `c` in `object.spec.containers.all(c, ...)`. */
export interface MacroVariable {
  readonly name: string;
  /** Expression whose items, keys or value it has. */
  readonly of: string;
  readonly takes: 'item' | 'index' | 'value' | 'content';
}

/** What is being written at the end of an expression that is not finished. */
export interface OpenExpression {
  /** Word at the end, possibly empty. */
  readonly word: string;
  /** Expression before the dot, if a member is being written. */
  readonly receiver: string | undefined;
  /** Type before the brace, if the name of a field is being written: `Object.spec`. */
  readonly constructed: string | undefined;
  /** Fields that the constructor already has. */
  readonly written: readonly string[];
  /** Variables of the macros around the place, outermost first. */
  readonly variables: readonly MacroVariable[];
}

interface Token {
  readonly text: string;
  readonly start: number;
  readonly kind: 'name' | 'literal' | 'sign';
}

const tokenPattern =
  /\s+|\/\/[^\n]*|(?<literal>[rRbB]{0,2}(?:"""[\s\S]*?"""|'''[\s\S]*?'''|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')|\d[\w.]*)|(?<name>[A-Za-z_]\w*|`[^`]*`)|(?<sign>\.\?|\[\?|[=!<>]=|&&|\|\||[\s\S])/gy;

/** Reads an expression up to a place. Undefined inside of a string or a comment. */
export function openExpression(prefix: string): OpenExpression | undefined {
  const tokens = tokensOf(prefix);
  if (tokens === undefined) return undefined;
  const last = tokens.at(-1);
  const isWord = last?.kind === 'name' && last.start + last.text.length === prefix.length;
  const before = isWord ? tokens.slice(0, -1) : tokens;
  const dot = before.at(-1);
  const isMember = dot !== undefined && (dot.text === '.' || dot.text === '.?');
  const receiver = isMember ? textOfPrimary(before, before.length - 2, prefix) : undefined;
  if (isMember && receiver === undefined) return undefined;
  return { word: isWord ? last.text : '', receiver, ...constructorAround(before, prefix), variables: variablesAround(before, prefix) };
}

function tokensOf(text: string): Token[] | undefined {
  const tokens: Token[] = [];
  for (const match of text.matchAll(tokenPattern)) {
    const { literal, name, sign } = match.groups ?? {};
    const end = match.index + match[0].length;
    if (match[0].startsWith('//') && end === text.length) return undefined;
    // A quote that is not closed.
    if (sign === '"' || sign === "'") return undefined;
    if (literal !== undefined) tokens.push({ text: literal, start: match.index, kind: 'literal' });
    else if (name !== undefined) tokens.push({ text: name, start: match.index, kind: 'name' });
    else if (sign !== undefined) tokens.push({ text: sign, start: match.index, kind: 'sign' });
  }
  return tokens;
}

const openers: Readonly<Record<string, string>> = { ')': '(', ']': '[', '}': '{' };

/** Returns the text of the operand that ends with a token; undefined if there is none. */
function textOfPrimary(tokens: readonly Token[], end: number, text: string): string | undefined {
  const start = startOfPrimary(tokens, end);
  const [first, last] = [tokens[start ?? -1], tokens[end]];
  return first === undefined || last === undefined ? undefined : text.slice(first.start, last.start + last.text.length);
}

function startOfPrimary(tokens: readonly Token[], end: number): number | undefined {
  let at = end;
  for (;;) {
    const token = tokens[at];
    if (token === undefined) return undefined;
    let start = at;
    if (token.kind === 'sign') {
      const opener = openerOf(tokens, at);
      if (opener === undefined) return undefined;
      start = opener;
      const before = tokens[opener - 1];
      const isIndexed = before !== undefined && (before.kind !== 'sign' || before.text in openers);
      if (isIndexed && token.text === ']') {
        at = opener - 1;
        continue;
      }
      if (before?.kind === 'name' && token.text !== ']') start = opener - 1;
    }
    const around = tokens[start - 1];
    if (around?.text !== '.' && around?.text !== '.?') return start;
    at = start - 2;
  }
}

/** Returns the index of the bracket that a closing one belongs to. */
function openerOf(tokens: readonly Token[], end: number): number | undefined {
  const own = ownMember(openers, tokens[end]?.text ?? '');
  if (own === undefined) return undefined;
  let depth = 0;
  for (let at = end; at >= 0; at -= 1) {
    const { text, kind } = tokens[at] ?? { text: '', kind: 'sign' };
    if (kind !== 'sign') continue;
    if (text in openers) depth += 1;
    else if (text === '(' || text === '{' || text.startsWith('[')) depth -= 1;
    if (depth === 0) return at;
  }
  return undefined;
}

/** Returns the indices of the brackets that are open at the end, outermost first. */
function openBrackets(tokens: readonly Token[]): number[] {
  const open: number[] = [];
  for (const [index, { text, kind }] of tokens.entries()) {
    if (kind !== 'sign') continue;
    if (text === '(' || text === '{' || text.startsWith('[')) open.push(index);
    else if (text in openers) open.pop();
  }
  return open;
}

function constructorAround(tokens: readonly Token[], text: string): Pick<OpenExpression, 'constructed' | 'written'> {
  const open = openBrackets(tokens).at(-1);
  const none = { constructed: undefined, written: [] };
  if (open === undefined || tokens[open]?.text !== '{') return none;
  const last = tokens.at(-1)?.text;
  const constructed = textOfPrimary(tokens, open - 1, text);
  if (constructed === undefined || !/^[A-Z][\w.]*$/.test(constructed) || (last !== '{' && last !== ',')) return none;
  const inside = tokens.slice(open + 1);
  const written = inside.flatMap((token, index) => (token.kind === 'name' && inside[index + 1]?.text === ':' ? [token.text] : []));
  return { constructed, written };
}

/** What the variables of a macro have; undefined for other functions. */
function takesOf(name: string): readonly MacroVariable['takes'][] | undefined {
  if (/^(?:all|exists|exists_one|existsOne|filter|map|sortBy)$/.test(name)) return ['item'];
  if (/^transform(?:List|Map|MapEntry)$/.test(name)) return ['index', 'value'];
  return /^opt(?:Flat)?Map$/.test(name) ? ['content'] : undefined;
}

function variablesAround(tokens: readonly Token[], text: string): MacroVariable[] {
  return openBrackets(tokens).flatMap(open => {
    const [name, dot] = [tokens[open - 1]?.text ?? '', tokens[open - 2]?.text];
    const takes = takesOf(name);
    if (takes === undefined || dot !== '.') return [];
    const of = textOfPrimary(tokens, open - 3, text);
    const names = namesAfter(tokens, open);
    const own = names.length === 2 && takes[0] === 'item' ? (['index', 'value'] as const) : takes;
    return of === undefined ? [] : names.slice(0, own.length).map((one, index) => ({ name: one, of, takes: own[index] ?? 'item' }));
  });
}

/** Returns the variables of a macro whose commas have been written: `x, y,`. */
function namesAfter(tokens: readonly Token[], open: number): string[] {
  const names: string[] = [];
  for (let at = open + 1; tokens[at]?.kind === 'name' && tokens[at + 1]?.text === ','; at += 2) names.push(tokens[at]?.text ?? '');
  return names;
}
