import type { RuleName } from './grammar.js';
import { type GraphState, statesOf } from './state-graph.js';
import { tokenDisplayName, tokenTypes } from './tokens.js';

/** Marks the end of the rule in a set of tokens. */
export const endOfRule = -2;

/** Call stack: the state to return to, and the callers of that rule. */
export interface Callers {
  readonly returnState: GraphState;
  readonly parent: Callers | undefined;
}

/** Tokens that may follow in the state's rule, and `endOfRule` if it may end. Source: antlr4 ATN.nextTokens without a context. */
export function nextTokens(state: GraphState): ReadonlySet<number> {
  let tokens = known.get(state);
  if (tokens === undefined) {
    const look: Look = { tokens: new Set(), seen: new Map(), rules: new Set(), atBottom: endOfRule };
    collect(look, state, undefined);
    tokens = look.tokens;
    known.set(state, tokens);
  }
  return tokens;
}

/** Tokens that may follow, including those of the calling rules. Source: antlr4 ATN.nextTokens with a context. */
export function nextTokensWithin(state: GraphState, callers: Callers | undefined): ReadonlySet<number> {
  const look: Look = { tokens: new Set(), seen: new Map(), rules: new Set(), atBottom: tokenTypes.EOF };
  collect(look, state, callers);
  return look.tokens;
}

/** Expected tokens of an error message. Source: antlr4 ATN.getExpectedTokens. */
export function expectedTokens(state: GraphState, callers: Callers | undefined): ReadonlySet<number> {
  let following = nextTokens(state);
  if (!following.has(endOfRule)) return following;
  const expected = new Set(following);
  for (let caller = callers; caller !== undefined && following.has(endOfRule); caller = caller.parent) {
    following = nextTokens(caller.returnState);
    for (const type of following) expected.add(type);
  }
  expected.delete(endOfRule);
  if (following.has(endOfRule)) expected.add(tokenTypes.EOF);
  return expected;
}

/** Tokens at which a calling rule can resume. Source: antlr4 DefaultErrorStrategy.getErrorRecoverySet. */
export function recoveryTokens(callers: Callers | undefined): ReadonlySet<number> {
  const tokens = new Set<number>();
  for (let caller = callers; caller !== undefined; caller = caller.parent) {
    for (const type of nextTokens(caller.returnState)) tokens.add(type);
  }
  tokens.delete(endOfRule);
  return tokens;
}

/** `{'[', NUM_INT}`, or a single name. */
export function displayTokens(types: ReadonlySet<number>): string {
  const names = [...types].sort((a, b) => a - b).map(tokenDisplayName);
  return names.length > 1 ? `{${names.join(', ')}}` : (names[0] ?? '{}');
}

const known = new Map<GraphState, ReadonlySet<number>>();

interface Look {
  readonly tokens: Set<number>;
  readonly seen: Map<GraphState, Set<Callers | undefined>>;
  /** Rules being visited; none is entered twice. */
  readonly rules: Set<RuleName>;
  readonly atBottom: number;
}

function collect(look: Look, state: GraphState, callers: Callers | undefined): void {
  const seen = look.seen.get(state) ?? new Set();
  if (seen.has(callers)) return;
  look.seen.set(state, seen.add(callers));
  if (state.type === 'ruleStop') {
    leave(look, state, callers);
    return;
  }
  for (const transition of state.transitions) {
    if (transition.kind === 'tokens') for (const type of transition.types) look.tokens.add(type);
    else if (transition.kind === 'rule') enter(look, transition, callers);
    else collect(look, transition.target, callers);
  }
}

function enter(look: Look, transition: { readonly rule: RuleName; readonly target: GraphState }, callers: Callers | undefined): void {
  if (look.rules.has(transition.rule)) return;
  look.rules.add(transition.rule);
  collect(look, statesOf(transition.rule).start, { returnState: transition.target, parent: callers });
  look.rules.delete(transition.rule);
}

function leave(look: Look, state: GraphState, callers: Callers | undefined): void {
  if (callers === undefined) {
    look.tokens.add(look.atBottom);
    return;
  }
  const wasInside = look.rules.delete(state.rule);
  collect(look, callers.returnState, callers.parent);
  if (wasInside) look.rules.add(state.rule);
}
