import { lazy } from '../../kubernetes/memoize.js';
import { type GrammarDecision, grammar, type Part, type RuleName } from './grammar.js';

/** A parser state. The types determine how a parser recovers; their names are those of ANTLR's transition networks. */
export interface GraphState {
  readonly rule: RuleName;
  readonly type: StateType;
  readonly transitions: Transition[];
  readonly decision: GrammarDecision | undefined;
  /** The last transition skips an optional part or leaves a loop. */
  readonly wayOut: boolean;
}

export type StateType = 'basic' | 'blockStart' | 'plusBlockStart' | 'starLoopEntry' | 'starLoopBack' | 'plusLoopBack' | 'ruleStop';

export type Transition =
  | { readonly kind: 'epsilon'; readonly target: GraphState }
  | { readonly kind: 'tokens'; readonly target: GraphState; readonly types: ReadonlySet<number>; readonly label: string | undefined }
  | { readonly kind: 'rule'; readonly target: GraphState; readonly rule: RuleName; readonly precedence: number; readonly label: string }
  | { readonly kind: 'precedence'; readonly target: GraphState; readonly precedence: number };

export interface RuleStates {
  readonly start: GraphState;
  readonly stop: GraphState;
}

/** Start and stop state of a rule; the network of all rules is built on first use. */
export function statesOf(rule: RuleName): RuleStates {
  const states = network().get(rule);
  if (states === undefined) throw new Error(`no rule ${rule}`);
  return states;
}

const network = lazy(layOut);

function layOut(): ReadonlyMap<RuleName, RuleStates> {
  const ruleNames = Object.keys(grammar) as RuleName[];
  return new Map(
    ruleNames.map(rule => {
      const start = state(rule, 'basic');
      const stop = state(rule, 'ruleStop');
      join(add(grammar[rule], start), stop);
      return [rule, { start, stop }];
    }),
  );
}

function state(rule: RuleName, type: StateType, decision?: GrammarDecision, wayOut = false): GraphState {
  return { rule, type, transitions: [], decision, wayOut };
}

function join(from: GraphState, target: GraphState): GraphState {
  from.transitions.push({ kind: 'epsilon', target });
  return target;
}

/** Adds a part after a state; returns the state after the part. */
function add(part: Part, from: GraphState): GraphState {
  switch (part.kind) {
    case 'sequence':
      return part.parts.reduce((at, next) => add(next, at), from);
    case 'tokens':
      return step(from, target => ({ kind: 'tokens', target, types: new Set(part.types), label: part.label }));
    case 'rule':
      return step(from, target => ({ kind: 'rule', target, rule: part.rule, precedence: part.precedence, label: part.label }));
    case 'precedence':
      return step(from, target => ({ kind: 'precedence', target, precedence: part.precedence }));
    case 'choice':
      return addBlock(part.alternatives, join(from, state(from.rule, 'blockStart', part.decision)));
    case 'optional': {
      const block = join(from, state(from.rule, 'blockStart', 'nextToken', true));
      const end = addBlock([part.part], block);
      join(block, end);
      return end;
    }
    case 'star':
      return addStar(part, join(from, state(from.rule, 'starLoopEntry', part.decision, true)));
    case 'plus':
      return addPlus(part, join(from, state(from.rule, 'plusBlockStart')));
  }
}

function step(from: GraphState, transition: (target: GraphState) => Transition): GraphState {
  const target = state(from.rule, 'basic');
  from.transitions.push(transition(target));
  return target;
}

function addBlock(alternatives: readonly Part[], block: GraphState): GraphState {
  const end = state(block.rule, 'basic');
  for (const alternative of alternatives) join(add(alternative, join(block, state(block.rule, 'basic'))), end);
  return end;
}

function addStar(part: Part & { kind: 'star' }, entry: GraphState): GraphState {
  const block = state(entry.rule, part.alternatives.length > 1 ? 'blockStart' : 'basic', part.decision);
  join(entry, block);
  const back = join(addBlock(part.alternatives, block), state(entry.rule, 'starLoopBack'));
  join(back, entry);
  return join(entry, state(entry.rule, 'basic'));
}

function addPlus(part: Part & { kind: 'plus' }, start: GraphState): GraphState {
  const back = join(addBlock([part.part], start), state(start.rule, 'plusLoopBack', part.decision, true));
  join(back, start);
  return join(back, state(start.rule, 'basic'));
}
