import { nextTokens } from './expected-tokens.js';
import { type GraphState, statesOf } from './state-graph.js';
import { lookAhead, type TokenStream } from './token-stream.js';
import { type CelToken, tokenTypes } from './tokens.js';

/** The chosen alternative, or the token at which none is viable. */
export type Choice = { readonly alternative: number } | { readonly noneAt: CelToken };

/**
 * Chooses a transition by looking ahead as far as ANTLR's prediction does: to the first token with one viable alternative, or none. If none
 * is left, an alternative that already completed the rule is taken. Source: antlr4 ParserATNSimulator, specialized for CEL's grammar.
 */
export function choose(state: GraphState, stream: TokenStream, precedence: number): Choice {
  switch (state.decision) {
    case 'operator':
      return operator(state, stream, precedence);
    case 'suffix':
      return state.type === 'starLoopEntry' ? operator(state, stream, precedence) : suffix(stream);
    case 'unary':
      return unary(stream);
    case 'minuses':
      return minuses(stream);
    case 'primary':
      return primary(stream);
    case 'literal':
      return literal(stream);
    case 'listComma':
      return listComma(state, stream);
    default:
      return byNextToken(state, stream);
  }
}

const { DOT, IDENTIFIER, ESC_IDENTIFIER, QUESTIONMARK, LPAREN, LBRACKET, LBRACE, MINUS, EXCLAM, COMMA } = tokenTypes;
const literals: readonly number[] = [
  tokenTypes.NUM_INT,
  tokenTypes.NUM_UINT,
  tokenTypes.NUM_FLOAT,
  tokenTypes.STRING,
  tokenTypes.BYTES,
  tokenTypes.TRUE,
  tokenTypes.FALSE,
  tokenTypes.NULL,
];

function take(alternative: number): Choice {
  return { alternative };
}

function type(stream: TokenStream, k: number): number {
  return lookAhead(stream, k).type;
}

/** The first transition that accepts the next token; otherwise the exit transition, if there is one. */
function byNextToken({ transitions, wayOut }: GraphState, stream: TokenStream): Choice {
  const next = lookAhead(stream, 1);
  const inner = wayOut ? transitions.slice(0, -1) : transitions;
  const found = inner.findIndex(way => nextTokens(way.target).has(next.type));
  if (found >= 0) return take(found + 1);
  return wayOut ? take(transitions.length) : { noneAt: next };
}

/** Enters the loop of a left-recursive rule if the operator's precedence is high enough. */
function operator(state: GraphState, stream: TokenStream, precedence: number): Choice {
  const next = type(stream, 1);
  const block = state.type === 'starLoopEntry' ? state.transitions[0]?.target : state;
  const found = (block?.transitions ?? []).findIndex(way => bindsAtLeast(way.target, precedence) && nextTokens(way.target).has(next));
  if (state.type !== 'starLoopEntry') return found < 0 ? { noneAt: lookAhead(stream, 1) } : take(found + 1);
  return take(found < 0 ? 2 : 1);
}

function bindsAtLeast(start: GraphState, precedence: number): boolean {
  const [first] = start.transitions;
  return first?.kind === 'precedence' && first.precedence >= precedence;
}

/** `.name`, `.name(` or `[`. */
function suffix(stream: TokenStream): Choice {
  if (type(stream, 1) === LBRACKET) return take(3);
  const second = lookAhead(stream, 2);
  if (second.type === QUESTIONMARK || second.type === ESC_IDENTIFIER) return take(1);
  if (second.type !== IDENTIFIER) return { noneAt: second };
  return take(type(stream, 3) === LPAREN ? 2 : 1);
}

function unary(stream: TokenStream): Choice {
  const first = lookAhead(stream, 1);
  if (first.type === EXCLAM) return take(2);
  if (first.type !== MINUS) return beginsMember(first.type) ? take(1) : { noneAt: first };
  const second = lookAhead(stream, 2);
  if (isSignedNumber(second.type)) return take(1);
  return beginsMember(second.type) ? take(3) : { noneAt: second };
}

/** After a minus: another one, or the member. */
function minuses(stream: TokenStream): Choice {
  const first = lookAhead(stream, 1);
  if (first.type !== MINUS) return beginsMember(first.type) ? take(2) : { noneAt: first };
  const second = lookAhead(stream, 2);
  return beginsMember(second.type) ? take(1) : { noneAt: second };
}

function primary(stream: TokenStream): Choice {
  const first = lookAhead(stream, 1);
  if (first.type === LPAREN) return take(3);
  if (first.type === LBRACKET) return take(4);
  if (first.type === LBRACE) return take(5);
  if (first.type === MINUS || literals.includes(first.type)) return take(7);
  if (first.type !== DOT && first.type !== IDENTIFIER) return { noneAt: first };
  return named(stream);
}

/** A name, a call, or a message: decided by the token after the names. */
function named(stream: TokenStream): Choice {
  let at = type(stream, 1) === DOT ? 2 : 1;
  const name = lookAhead(stream, at);
  if (name.type !== IDENTIFIER) return { noneAt: name };
  if (type(stream, at + 1) === LPAREN) return take(2);
  while (type(stream, at + 1) === DOT && type(stream, at + 2) === IDENTIFIER) at += 2;
  return take(type(stream, at + 1) === LBRACE ? 6 : 1);
}

function literal(stream: TokenStream): Choice {
  const first = lookAhead(stream, 1);
  if (first.type === MINUS) {
    const second = lookAhead(stream, 2);
    if (!isSignedNumber(second.type)) return { noneAt: second };
    return take(second.type === tokenTypes.NUM_INT ? 1 : 3);
  }
  const found = literals.indexOf(first.type);
  return found < 0 ? { noneAt: first } : take(found + 1);
}

/** A comma continues the list only if an element follows; it may also be a trailing comma. */
function listComma(state: GraphState, stream: TokenStream): Choice {
  if (type(stream, 1) !== COMMA) return take(2);
  const comma = state.transitions[0]?.target.transitions[0]?.target;
  const afterComma = comma?.transitions[0]?.target;
  return take(afterComma !== undefined && nextTokens(afterComma).has(type(stream, 2)) ? 1 : 2);
}

function isSignedNumber(tokenType: number): boolean {
  return tokenType === tokenTypes.NUM_INT || tokenType === tokenTypes.NUM_FLOAT;
}

function beginsMember(tokenType: number): boolean {
  return nextTokens(statesOf('member').start).has(tokenType);
}
