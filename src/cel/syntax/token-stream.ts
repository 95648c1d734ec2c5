import { isHidden, scanToken } from './lexer.js';
import type { CelSource } from './source.js';
import { type CelToken, tokenTypes } from './tokens.js';

/** Tokens of a source, scanned as far as the parser looks ahead. */
export interface TokenStream {
  readonly source: CelSource;
  readonly tokens: CelToken[];
  /** The tokens that are neither white space nor comments. */
  readonly visible: CelToken[];
  /** Index of the current token in `visible`. */
  index: number;
  scannedTo: number;
  /** Called for characters that do not start a token. */
  readonly unrecognized: (offset: number, text: string) => void;
}

/** A stream at its first token that is neither white space nor a comment. */
export function tokenStreamOf(source: CelSource, unrecognized: TokenStream['unrecognized']): TokenStream {
  return { source, tokens: [], visible: [], index: 0, scannedTo: 0, unrecognized };
}

/** The k-th token from the current one, from 1; after the last token always the end of the text. In constant time once it is scanned. */
export function lookAhead(stream: TokenStream, k: number): CelToken {
  return visibleAt(stream, stream.index + k - 1);
}

/** Moves to the next token; stays at the end of the text. */
export function advance(stream: TokenStream): void {
  if (visibleAt(stream, stream.index).type === tokenTypes.EOF) return;
  stream.index += 1;
  visibleAt(stream, stream.index);
}

/** The text from one token to another, including everything between them. */
export function textBetween(stream: TokenStream, from: CelToken, to: CelToken): string {
  return stream.tokens
    .slice(from.index, to.index + 1)
    .filter(token => token.type !== tokenTypes.EOF)
    .map(token => token.text)
    .join('');
}

function visibleAt(stream: TokenStream, index: number): CelToken {
  for (;;) {
    const known = stream.visible[index] ?? endOf(stream);
    if (known !== undefined) return known;
    scanOne(stream);
  }
}

/** The end of the text, if it is already scanned. */
function endOf({ visible }: TokenStream): CelToken | undefined {
  const last = visible.at(-1);
  return last?.type === tokenTypes.EOF ? last : undefined;
}

function scanOne(stream: TokenStream): void {
  const { characters } = stream.source;
  const offset = stream.scannedTo;
  const scanned = scanToken(characters, offset);
  const text = characters.slice(offset, scanned.end).join('');
  stream.scannedTo = scanned.end;
  if (scanned.outcome === 'unrecognized') stream.unrecognized(offset, text);
  else addScanned(stream, { type: scanned.type, text, offset, index: stream.tokens.length });
}

function addScanned(stream: TokenStream, token: CelToken): void {
  stream.tokens.push(token);
  if (!isHidden(token)) stream.visible.push(token);
}
