import type { RuleName } from './grammar.js';
import { type State, statesOf } from './state-graph.js';
import { tokenDisplayName, tokenTypes } from './tokens.js';

/** Stands in a set of tokens for the end of the rule. */
export const endOfRule = -2;

/** Who called: the state behind the call, and who called that rule. */
export interface Callers {
  readonly returnState: State;
  readonly parent: Callers | undefined;
}

/** What may come next in the state's rule; `endOfRule` when that may end. Source: antlr4 ATN.nextTokens without a context. */
export function nextTokens(state: State): ReadonlySet<number> {
  let tokens = known.get(state);
  if (tokens === undefined) {
    const look: Look = { tokens: new Set(), seen: new Map(), rules: new Set(), atBottom: endOfRule };
    collect(look, state, undefined);
    tokens = look.tokens;
    known.set(state, tokens);
  }
  return tokens;
}

/** What may come next, seen through the rules that called up to the end of the text. Source: antlr4 ATN.nextTokens with a context. */
export function nextTokensWithin(state: State, callers: Callers | undefined): ReadonlySet<number> {
  const look: Look = { tokens: new Set(), seen: new Map(), rules: new Set(), atBottom: tokenTypes.EOF };
  collect(look, state, callers);
  return look.tokens;
}

/** What an error message says was expected. Source: antlr4 ATN.getExpectedTokens. */
export function expectedTokens(state: State, callers: Callers | undefined): ReadonlySet<number> {
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

/** Tokens at which some caller can go on. Source: antlr4 DefaultErrorStrategy.getErrorRecoverySet. */
export function recoveryTokens(callers: Callers | undefined): ReadonlySet<number> {
  const tokens = new Set<number>();
  for (let caller = callers; caller !== undefined; caller = caller.parent) {
    for (const type of nextTokens(caller.returnState)) tokens.add(type);
  }
  tokens.delete(endOfRule);
  return tokens;
}

/** `{'[', NUM_INT}`, or one name alone. */
export function displayTokens(types: ReadonlySet<number>): string {
  const names = [...types].sort((a, b) => a - b).map(tokenDisplayName);
  return names.length > 1 ? `{${names.join(', ')}}` : (names[0] ?? '{}');
}

const known = new Map<State, ReadonlySet<number>>();

interface Look {
  readonly tokens: Set<number>;
  readonly seen: Map<State, Set<Callers | undefined>>;
  /** Rules being looked into: none is entered again. */
  readonly rules: Set<RuleName>;
  readonly atBottom: number;
}

function collect(look: Look, state: State, callers: Callers | undefined): void {
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

function enter(look: Look, transition: { readonly rule: RuleName; readonly target: State }, callers: Callers | undefined): void {
  if (look.rules.has(transition.rule)) return;
  look.rules.add(transition.rule);
  collect(look, statesOf(transition.rule).start, { returnState: transition.target, parent: callers });
  look.rules.delete(transition.rule);
}

function leave(look: Look, state: State, callers: Callers | undefined): void {
  if (callers === undefined) {
    look.tokens.add(look.atBottom);
    return;
  }
  const wasInside = look.rules.delete(state.rule);
  collect(look, callers.returnState, callers.parent);
  if (wasInside) look.rules.add(state.rule);
}
