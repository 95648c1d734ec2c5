import { type Cursor, documentIndicator, ensure, isBlankOrEnd, isYamlBreak, markOf, peek, skip, skipComment, skipLine } from './cursor.js';
import { scanBlockScalar } from './scan-block-scalar.js';
import { scanAnchor, scanDirective, scanTag } from './scan-properties.js';
import { scanPlainScalar, scanQuotedScalar } from './scan-scalars.js';
import {
  addPlain,
  insertToken,
  isInFlow,
  isPossible,
  leaveBlocks,
  maximumDepth,
  nextTokenNumber,
  noMark,
  removeSimpleKey,
  rollIndent,
  type Scanner,
  saveSimpleKey,
  takeCharacters,
  unrollIndent,
} from './scanner-state.js';
import { scannerError, scannerErrorHere, type YamlToken } from './tokens.js';

/** Returns the next token without taking it. Throws YamlError for invalid YAML. */
export function peekToken(scanner: Scanner): YamlToken {
  if (!scanner.ready) fetchTokens(scanner);
  const token = scanner.tokens[scanner.head];
  if (token === undefined) throw new Error('the scanner went past the end of the stream');
  return token;
}

/** Takes the token that `peekToken` returned. */
export function takeToken(scanner: Scanner): void {
  scanner.ready = false;
  scanner.taken += 1;
  scanner.head += 1;
  if (scanner.head > 64 && scanner.head * 2 > scanner.tokens.length) {
    scanner.tokens = scanner.tokens.slice(scanner.head);
    scanner.head = 0;
  }
}

function fetchTokens(scanner: Scanner): void {
  while (scanner.head === scanner.tokens.length || headMayBeKey(scanner)) fetchToken(scanner);
  scanner.ready = true;
}

function headMayBeKey(scanner: Scanner): boolean {
  const level = scanner.levelOfToken.get(scanner.taken);
  const key = level === undefined ? undefined : scanner.simpleKeys[level];
  return key !== undefined && isPossible(scanner, key);
}

function fetchToken(scanner: Scanner): void {
  const { cursor } = scanner;
  ensure(cursor, 1);
  if (!scanner.started) {
    scanner.started = true;
    scanner.simpleKeys.push({ possible: false, required: false, token: 0, mark: noMark });
    addPlain(scanner, 'stream-start', markOf(cursor));
    return;
  }
  goToNextToken(scanner);
  unrollIndent(scanner, cursor.column);
  ensure(cursor, 4);
  const code = peek(cursor);
  if (code === 0) {
    fetchStreamEnd(scanner);
  } else if (code === 0x25 && cursor.column === 0) {
    leaveBlocks(scanner);
    scanner.tokens.push(scanDirective(cursor));
  } else {
    const indicator = documentIndicator(cursor);
    if (indicator === 0) fetchContent(scanner, code);
    else fetchDocumentIndicator(scanner, indicator === 0x2d ? 'document-start' : 'document-end');
  }
}

type Fetcher = (scanner: Scanner) => void;

/** Fetches a token within a document, by its first character. */
function fetchContent(scanner: Scanner, code: number): void {
  const isIndicator = fetchers.get(code);
  if (isIndicator !== undefined) isIndicator(scanner);
  else fetchPlainScalar(scanner);
}

const fetchNothing: Fetcher = ({ cursor }) => {
  throw scannerErrorHere(cursor, 'found character that cannot start any token');
};

/**
 * `-` with white space after it is an indicator, as are `?` and `:`, which need none in flow collections; otherwise a plain scalar starts.
 */
function unlessPlain(fetch: Fetcher, alwaysInFlow: boolean): Fetcher {
  return scanner => {
    const indicates = (alwaysInFlow && isInFlow(scanner)) || isBlankOrEnd(peek(scanner.cursor, 1));
    if (indicates) fetch(scanner);
    else fetchPlainScalar(scanner);
  };
}

const fetchers = new Map<number, Fetcher>(
  Object.entries({
    '[': scanner => fetchFlowStart(scanner, 'flow-sequence-start'),
    '{': scanner => fetchFlowStart(scanner, 'flow-mapping-start'),
    ']': scanner => fetchFlowEnd(scanner, 'flow-sequence-end'),
    '}': scanner => fetchFlowEnd(scanner, 'flow-mapping-end'),
    ',': fetchFlowEntry,
    '-': unlessPlain(fetchBlockEntry, false),
    '?': unlessPlain(fetchKey, true),
    ':': unlessPlain(fetchValue, true),
    '*': scanner => fetchScanned(scanner, cursor => scanAnchor(cursor, 'alias')),
    '&': scanner => fetchScanned(scanner, cursor => scanAnchor(cursor, 'anchor')),
    '!': scanner => fetchScanned(scanner, scanTag),
    "'": scanner => fetchScanned(scanner, cursor => scanQuotedScalar(cursor, 0x27)),
    '"': scanner => fetchScanned(scanner, cursor => scanQuotedScalar(cursor, 0x22)),
    '|': scanner => fetchBlockScalar(scanner, true),
    '>': scanner => fetchBlockScalar(scanner, false),
    '%': fetchNothing,
    '#': fetchNothing,
    '@': fetchNothing,
    '`': fetchNothing,
    '\t': fetchNothing,
  } satisfies Record<string, Fetcher>).map(([character, fetch]) => [character.charCodeAt(0), fetch]),
);

/** Skips white space and comments. */
function goToNextToken(scanner: Scanner): void {
  const { cursor } = scanner;
  for (;;) {
    ensure(cursor, 1);
    // go-yaml looks for a byte order mark at the start of the text it keeps, not at its own position.
    if (cursor.column === 0 && cursor.keptFrom >= 0 && cursor.input.text[cursor.keptFrom] === '\ufeff') skip(cursor);
    ensure(cursor, 1);
    while (peek(cursor) === 0x20 || (peek(cursor) === 0x09 && (isInFlow(scanner) || !scanner.simpleKeyAllowed))) {
      skip(cursor);
      ensure(cursor, 1);
    }
    skipComment(cursor);
    if (!isYamlBreak(peek(cursor))) return;
    ensure(cursor, 2);
    skipLine(cursor);
    if (!isInFlow(scanner)) scanner.simpleKeyAllowed = true;
  }
}

function fetchStreamEnd(scanner: Scanner): void {
  const { cursor } = scanner;
  if (cursor.column !== 0) {
    cursor.column = 0;
    cursor.line += 1;
  }
  leaveBlocks(scanner);
  addPlain(scanner, 'stream-end', markOf(cursor));
}

function fetchDocumentIndicator(scanner: Scanner, type: 'document-start' | 'document-end'): void {
  leaveBlocks(scanner);
  takeCharacters(scanner, type, 3);
}

function fetchFlowStart(scanner: Scanner, type: 'flow-sequence-start' | 'flow-mapping-start'): void {
  saveSimpleKey(scanner, true);
  const mark = markOf(scanner.cursor);
  scanner.simpleKeys.push({ possible: false, required: false, token: nextTokenNumber(scanner), mark });
  if (scanner.simpleKeys.length - 1 > maximumDepth) throw scannerError(scanner.cursor, mark, `exceeded max depth of ${maximumDepth}`);
  takeCharacters(scanner, type, 1);
}

function fetchFlowEnd(scanner: Scanner, type: 'flow-sequence-end' | 'flow-mapping-end'): void {
  removeSimpleKey(scanner);
  // The inner level has the number of the token that opened it, so that an empty collection is not a possible key, as in go-yaml.
  if (isInFlow(scanner)) scanner.levelOfToken.delete(scanner.simpleKeys.pop()?.token ?? -1);
  scanner.simpleKeyAllowed = false;
  takeCharacters(scanner, type, 1);
}

function fetchFlowEntry(scanner: Scanner): void {
  removeSimpleKey(scanner);
  scanner.simpleKeyAllowed = true;
  takeCharacters(scanner, 'flow-entry', 1);
}

/** Fetches a possible key, after which no other may start. */
function fetchScanned(scanner: Scanner, scan: (cursor: Cursor) => YamlToken): void {
  saveSimpleKey(scanner, false);
  scanner.tokens.push(scan(scanner.cursor));
}

function fetchBlockScalar(scanner: Scanner, literal: boolean): void {
  if (isInFlow(scanner)) fetchNothing(scanner);
  removeSimpleKey(scanner);
  scanner.simpleKeyAllowed = true;
  scanner.tokens.push(scanBlockScalar(scanner.cursor, scanner.indent, literal));
}

function fetchBlockEntry(scanner: Scanner): void {
  if (!isInFlow(scanner)) {
    if (!scanner.simpleKeyAllowed) {
      throw scannerErrorHere(scanner.cursor, 'block sequence entries are not allowed in this context');
    }
    rollIndent(scanner, 'block-sequence-start', { mark: markOf(scanner.cursor), token: -1 });
  }
  removeSimpleKey(scanner);
  scanner.simpleKeyAllowed = true;
  takeCharacters(scanner, 'block-entry', 1);
}

function fetchKey(scanner: Scanner): void {
  const inFlow = isInFlow(scanner);
  if (!inFlow) {
    if (!scanner.simpleKeyAllowed) throw scannerErrorHere(scanner.cursor, 'mapping keys are not allowed in this context');
    rollIndent(scanner, 'block-mapping-start', { mark: markOf(scanner.cursor), token: -1 });
  }
  removeSimpleKey(scanner);
  scanner.simpleKeyAllowed = !inFlow;
  takeCharacters(scanner, 'key', 1);
}

function fetchValue(scanner: Scanner): void {
  const key = scanner.simpleKeys.at(-1);
  if (key !== undefined && isPossible(scanner, key)) {
    insertToken(scanner, { type: 'key', start: key.mark, end: key.mark }, key.token);
    rollIndent(scanner, 'block-mapping-start', { mark: key.mark, token: key.token });
    key.possible = false;
    scanner.levelOfToken.delete(key.token);
    scanner.simpleKeyAllowed = false;
  } else {
    if (!isInFlow(scanner)) {
      if (!scanner.simpleKeyAllowed) throw scannerErrorHere(scanner.cursor, 'mapping values are not allowed in this context');
      rollIndent(scanner, 'block-mapping-start', { mark: markOf(scanner.cursor), token: -1 });
    }
    scanner.simpleKeyAllowed = !isInFlow(scanner);
  }
  takeCharacters(scanner, 'value', 1);
}

function fetchPlainScalar(scanner: Scanner): void {
  saveSimpleKey(scanner, false);
  const { token, endsBelow } = scanPlainScalar(scanner.cursor, { indent: scanner.indent, inFlow: isInFlow(scanner) });
  scanner.tokens.push(token);
  if (endsBelow) scanner.simpleKeyAllowed = true;
}
