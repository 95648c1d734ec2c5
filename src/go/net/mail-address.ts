import { decodeEncodedWord } from '../encoded-word.js';
import { parseIP } from './ip.js';

/** Returns whether a text is one email address, with or without a display name. Source: Go net/mail.ParseAddress. */
export function isEmailAddress(text: string): boolean {
  const parser: Parser = { rest: text };
  try {
    const count = takeAddress(parser, true);
    takeComments(parser);
    return count === 1 && parser.rest === '';
  } catch (error) {
    if (error instanceof AddressError) return false;
    throw error;
  }
}

/** The text is not an address. */
class AddressError extends Error {
  override readonly name = 'AddressError';
}

interface Parser {
  rest: string;
}

/** Takes an address or a group, and returns the number of addresses. */
function takeAddress(parser: Parser, mayBeGroup: boolean): number {
  skipSpace(parser);
  const { rest } = parser;
  if (rest === '') throw new AddressError('no address');
  if (isAddrSpec(parser)) {
    skipSpace(parser);
    if (parser.rest.startsWith('(')) takeNameComment(parser);
    return 1;
  }
  parser.rest = rest;
  if (!rest.startsWith('<')) takePhrase(parser);
  skipSpace(parser);
  if (mayBeGroup && consume(parser, ':')) return takeGroup(parser);
  expect(parser, '<');
  takeAddrSpec(parser);
  expect(parser, '>');
  return 1;
}

function isAddrSpec(parser: Parser): boolean {
  try {
    takeAddrSpec(parser);
    return true;
  } catch (error) {
    if (error instanceof AddressError) return false;
    throw error;
  }
}

/** Takes `a@b;`, or nothing, after the colon of a group. */
function takeGroup(parser: Parser): number {
  skipSpace(parser);
  if (consume(parser, ';')) return 0;
  for (let count = 0; ; ) {
    skipSpace(parser);
    count += takeAddress(parser, false);
    takeComments(parser);
    if (consume(parser, ';')) return count;
    expect(parser, ',');
  }
}

function takeAddrSpec(parser: Parser): void {
  skipSpace(parser);
  if (parser.rest.startsWith('"')) {
    if (takeQuoted(parser) === '') throw new AddressError('empty quoted string');
  } else takeDotAtom(parser);
  expect(parser, '@');
  skipSpace(parser);
  if (parser.rest.startsWith('[')) takeDomainLiteral(parser);
  else takeDotAtom(parser);
}

/** Lone surrogates are bytes that are not UTF-8, see `decodeUtf8Bytes`. */
const atom = /^[!#-'*+\-./0-9=?A-Z^-~\u0080-\ud7ff\ue000-\u{10ffff}]+/u;
const invalidByte = /^[\ud800-\udfff]/u;

function takeAtom(parser: Parser): string {
  const found = atom.exec(parser.rest)?.[0] ?? '';
  if (found === '' || invalidByte.test(parser.rest.slice(found.length))) throw new AddressError('invalid string');
  parser.rest = parser.rest.slice(found.length);
  return found;
}

function takeDotAtom(parser: Parser): void {
  const found = takeAtom(parser);
  if (/^\.|\.\.|\.$/.test(found)) throw new AddressError('misplaced dot in atom');
}

function takeQuoted(parser: Parser): string {
  const [whole, inside] =
    /^"((?:[ \t!#-[\]-~\u0080-\ud7ff\ue000-\u{10ffff}]|\\[ \t!-~\u0080-\ud7ff\ue000-\u{10ffff}])*)"/u.exec(parser.rest) ?? [];
  if (whole === undefined || inside === undefined) throw new AddressError('invalid quoted string');
  parser.rest = parser.rest.slice(whole.length);
  return inside;
}

function takeDomainLiteral(parser: Parser): void {
  const [whole, inside] = /^\[([!-Z^-~\u0080-\ud7ff\ue000-\u{10ffff}]*)\]/u.exec(parser.rest) ?? [];
  if (whole === undefined || inside === undefined || parseIP(inside) === undefined) throw new AddressError('invalid domain literal');
  parser.rest = parser.rest.slice(whole.length);
}

/** Takes the words of a display name. Words after an invalid one do not matter if there was a valid one. */
function takePhrase(parser: Parser): void {
  for (let words = 0; ; words += 1) {
    if (words > 0) takeComments(parser);
    skipSpace(parser);
    if (parser.rest === '') return;
    try {
      if (parser.rest.startsWith('"')) takeQuoted(parser);
      else if (decodeEncodedWord(takeAtom(parser)) === 'unknown charset') throw new AddressError('charset not supported');
    } catch (error) {
      if (error instanceof AddressError && words > 0) return;
      throw error;
    }
  }
}

/** Takes a comment that is a display name: its words must be decodable. */
function takeNameComment(parser: Parser): void {
  const comment = takeComment(parser);
  if (comment.split(/[ \t]+/).some(word => decodeEncodedWord(word) === 'unknown charset')) throw new AddressError('charset not supported');
}

function takeComments(parser: Parser): void {
  skipSpace(parser);
  while (parser.rest.startsWith('(')) {
    takeComment(parser);
    skipSpace(parser);
  }
}

/** Comments nest; a backslash escapes the next character. */
function takeComment(parser: Parser): string {
  let depth = 0;
  let comment = '';
  for (let at = 0; at < parser.rest.length; at += 1) {
    const isEscape = parser.rest[at] === '\\' && at + 1 < parser.rest.length;
    if (isEscape) at += 1;
    else if (parser.rest[at] === '(') depth += 1;
    else if (parser.rest[at] === ')') depth -= 1;
    if (depth === 0) {
      parser.rest = parser.rest.slice(at + 1);
      return comment.slice(1);
    }
    comment += parser.rest[at] ?? '';
  }
  throw new AddressError('misformatted parenthetical comment');
}

function skipSpace(parser: Parser): void {
  parser.rest = parser.rest.replace(/^[ \t]+/, '');
}

function consume(parser: Parser, character: string): boolean {
  if (!parser.rest.startsWith(character)) return false;
  parser.rest = parser.rest.slice(1);
  return true;
}

function expect(parser: Parser, character: string): void {
  if (!consume(parser, character)) throw new AddressError(`missing ${character}`);
}
