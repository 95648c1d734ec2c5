import { displayTokens, endOfRule, expectedTokens, nextTokens, nextTokensWithin, recoveryTokens } from './expected-tokens.js';
import type { Recognizer } from './recognizer-state.js';
import type { GraphState } from './state-graph.js';
import { advance, lookAhead, textBetween } from './token-stream.js';
import { type CelToken, tokenDisplayName, tokenTypes } from './tokens.js';

/** Reason why a rule failed. */
export type RecoveryFailure =
  | { readonly kind: 'mismatch'; readonly at: CelToken; readonly expected: ReadonlySet<number> }
  | { readonly kind: 'noViableAlternative'; readonly from: CelToken; readonly at: CelToken };

/** Reports a failure and skips tokens until one at which a calling rule can resume. */
export function fail(r: Recognizer, failure: RecoveryFailure): void {
  reportFailure(r, failure);
  if (r.stopped || !startAttempt(r)) return;
  const limited = limitedConsumer(r);
  if (r.lastErrorIndex === r.stream.index && r.lastErrorStates.has(r.state)) limited();
  r.lastErrorIndex = r.stream.index;
  r.lastErrorStates.add(r.state);
  consumeUntil(r, recoveryTokens(r.frame?.callers), limited);
}

/**
 * Checks before a decision whether the next token is viable: a loop skips tokens that are not, elsewhere a single extra token is dropped.
 * Source: antlr4 DefaultErrorStrategy.sync.
 */
export function synchronize(r: Recognizer): RecoveryFailure | undefined {
  if (r.recovering) return undefined;
  const next = nextTokens(r.state);
  if (next.has(endOfRule) || next.has(lookAhead(r.stream, 1).type)) return undefined;
  if (r.state.type === 'starLoopBack' || r.state.type === 'plusLoopBack') {
    const wanted = new Set([...expectedHere(r), ...recoveryTokens(r.frame?.callers)]);
    reportUnwanted(r);
    consumeUntil(r, wanted, () => consume(r));
    return undefined;
  }
  return dropOneToken(r, () => consume(r)) === undefined ? mismatch(r) : undefined;
}

/** Recovers from a token that does not match: drops it if the next one matches, or assumes that the expected one is missing. */
export function recoverInline(r: Recognizer, after: GraphState): CelToken | RecoveryFailure {
  if (!startAttempt(r)) return mismatch(r);
  const limited = limitedConsumer(r);
  const wanted = dropOneToken(r, limited);
  if (wanted !== undefined) {
    limited();
    return wanted;
  }
  const current = lookAhead(r.stream, 1);
  if (!nextTokensWithin(after, r.frame?.callers).has(current.type)) return mismatch(r);
  if (!r.recovering) {
    r.recovering = true;
    r.syntaxError(current.offset, `missing ${displayTokens(expectedHere(r))} at ${displayToken(current)}`);
  }
  return missing(r, current);
}

/** A token matched: errors are reported again. */
export function reportMatch(r: Recognizer): void {
  r.recovering = false;
  r.lastErrorIndex = -1;
  r.lastErrorStates = new Set();
}

/** Advances to the next token. */
export function consume(r: Recognizer): void {
  advance(r.stream);
}

const maxAttempts = 30;
const maxSkipped = 256;

function expectedHere(r: Recognizer): ReadonlySet<number> {
  return expectedTokens(r.state, r.frame?.callers);
}

function mismatch(r: Recognizer): RecoveryFailure {
  return { kind: 'mismatch', at: lookAhead(r.stream, 1), expected: expectedHere(r) };
}

function reportFailure(r: Recognizer, failure: RecoveryFailure): void {
  if (r.recovering) return;
  r.recovering = true;
  if (failure.kind === 'mismatch') {
    r.syntaxError(failure.at.offset, `mismatched input ${displayToken(failure.at)} expecting ${displayTokens(failure.expected)}`);
    return;
  }
  const input = failure.from.type === tokenTypes.EOF ? '<EOF>' : textBetween(r.stream, failure.from, failure.at);
  r.syntaxError(failure.at.offset, noViableAlternative(quoted(input)));
}

/** A reserved word after a dot has a message of its own. Source: cel-go parser SyntaxError. */
function noViableAlternative(input: string): string {
  const reserved = /^'.(true|false|null)'$/s.exec(input);
  return reserved === null ? `no viable alternative at input ${input}` : `mismatched input '${reserved[1]}' expecting IDENTIFIER`;
}

function reportUnwanted(r: Recognizer): void {
  if (r.recovering) return;
  r.recovering = true;
  const current = lookAhead(r.stream, 1);
  r.syntaxError(current.offset, `extraneous input ${displayToken(current)} expecting ${displayTokens(expectedHere(r))}`);
}

/** Drops the current token if the one after it is expected, and returns that one. */
function dropOneToken(r: Recognizer, drop: () => void): CelToken | undefined {
  if (!expectedHere(r).has(lookAhead(r.stream, 2).type)) return undefined;
  reportUnwanted(r);
  drop();
  reportMatch(r);
  return lookAhead(r.stream, 1);
}

function missing(r: Recognizer, current: CelToken): CelToken {
  const type = Math.min(...expectedHere(r));
  const name = type === tokenTypes.EOF ? 'EOF' : type <= tokenTypes.NULL ? tokenDisplayName(type) : 'undefined';
  const before = current.type === tokenTypes.EOF ? r.stream.visible[r.stream.index - 1] : undefined;
  return { type, text: `<missing ${name}>`, offset: (before ?? current).offset, index: -1 };
}

function startAttempt(r: Recognizer): boolean {
  r.attempts += 1;
  if (r.attempts <= maxAttempts) return true;
  r.syntaxError(lookAhead(r.stream, 1).offset, `error recovery attempt limit exceeded: ${maxAttempts}`);
  r.stopped = true;
  return false;
}

/** Returns a function that skips tokens in one recovery; the parser aborts after too many. */
function limitedConsumer(r: Recognizer): () => void {
  let skipped = 0;
  return () => {
    if (skipped >= maxSkipped) {
      r.giveUp(`error recovery token lookahead limit exceeded: ${maxSkipped}`);
      r.stopped = true;
      return;
    }
    skipped += 1;
    consume(r);
  };
}

function consumeUntil(r: Recognizer, wanted: ReadonlySet<number>, skip: () => void): void {
  for (let { type } = lookAhead(r.stream, 1); type !== tokenTypes.EOF && !wanted.has(type) && !r.stopped; { type } = lookAhead(r.stream, 1))
    skip();
}

function displayToken(token: CelToken): string {
  return quoted(token.type === tokenTypes.EOF ? '<EOF>' : token.text);
}

function quoted(text: string): string {
  return `'${text.replaceAll('\t', '\\t').replaceAll('\n', '\\n').replaceAll('\r', '\\r')}'`;
}
