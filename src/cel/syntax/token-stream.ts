import { isHidden, scanToken } from './lexer.js';
import type { Source } from './source.js';
import { type Token, tokenTypes } from './tokens.js';

/** Tokens of a source, scanned as far as the parser looks ahead. */
export interface TokenStream {
  readonly source: Source;
  readonly tokens: Token[];
  /** Index of the current token. */
  index: number;
  scannedTo: number;
  /** Called for characters that do not start a token. */
  readonly unrecognized: (offset: number, text: string) => void;
}

/** A stream at its first token that is neither white space nor a comment. */
export function streamOf(source: Source, unrecognized: TokenStream['unrecognized']): TokenStream {
  const stream: TokenStream = { source, tokens: [], index: 0, scannedTo: 0, unrecognized };
  stream.index = visibleFrom(stream, 0);
  return stream;
}

/** The k-th token from the current one, from 1; after the last token always the end of the text. */
export function lookAhead(stream: TokenStream, k: number): Token {
  let at = stream.index;
  for (let n = 1; n < k && tokenAt(stream, at).type !== tokenTypes.EOF; n += 1) at = visibleFrom(stream, at + 1);
  return tokenAt(stream, at);
}

/** Moves to the next token; stays at the end of the text. */
export function advance(stream: TokenStream): void {
  if (tokenAt(stream, stream.index).type !== tokenTypes.EOF) stream.index = visibleFrom(stream, stream.index + 1);
}

/** The text from one token to another, including everything between them. */
export function textBetween(stream: TokenStream, from: Token, to: Token): string {
  return stream.tokens
    .slice(from.index, to.index + 1)
    .filter(token => token.type !== tokenTypes.EOF)
    .map(token => token.text)
    .join('');
}

function visibleFrom(stream: TokenStream, from: number): number {
  let at = from;
  while (isHidden(tokenAt(stream, at))) at += 1;
  return at;
}

function tokenAt(stream: TokenStream, index: number): Token {
  for (;;) {
    const known = stream.tokens[index];
    if (known !== undefined) return known;
    scanOne(stream);
  }
}

function scanOne(stream: TokenStream): void {
  const { characters } = stream.source;
  const offset = stream.scannedTo;
  const scanned = scanToken(characters, offset);
  const text = characters.slice(offset, scanned.end).join('');
  stream.scannedTo = scanned.end;
  if (scanned.outcome === 'unrecognized') stream.unrecognized(offset, text);
  else stream.tokens.push({ type: scanned.type, text, offset, index: stream.tokens.length });
}
