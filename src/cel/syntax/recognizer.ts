import { choose } from './decisions.js';
import { leftRecursive, type RuleName } from './grammar.js';
import { addNode, addToken, type TreeNode, treeNode } from './parse-tree.js';
import type { Recognizer, RecognizerFrame } from './recognizer-state.js';
import { consume, fail, type RecoveryFailure, recoverInline, reportMatch, synchronize } from './recovery.js';
import { type GraphState, statesOf, type Transition } from './state-graph.js';
import { lookAhead, type TokenStream } from './token-stream.js';

/** Maximum nesting of a rule in itself. */
const maxNesting = 250;

/** Parses a whole expression. Undefined when the parser aborts. Source: antlr4 Parser and its generated code for CEL.g4. */
export function recognize(stream: TokenStream, listeners: Pick<Recognizer, 'syntaxError' | 'giveUp'>): TreeNode | undefined {
  const root: RecognizerFrame = {
    node: treeNode('start', lookAhead(stream, 1)),
    callers: undefined,
    parent: undefined,
    label: '',
    precedence: 0,
    chosen: 0,
  };
  const recognizer: Recognizer = {
    stream,
    state: statesOf('start').start,
    frame: root,
    depths: new Map(),
    recovering: false,
    lastErrorIndex: -1,
    lastErrorStates: new Set(),
    attempts: 0,
    stopped: false,
    ...listeners,
  };
  while (recognizer.frame !== undefined && !recognizer.stopped) {
    const failure = step(recognizer, recognizer.frame);
    if (failure !== undefined && !recognizer.stopped) {
      fail(recognizer, failure);
      recognizer.state = statesOf(recognizer.frame.node.rule).stop;
    }
  }
  return recognizer.stopped ? undefined : root.node;
}

function step(r: Recognizer, frame: RecognizerFrame): RecoveryFailure | undefined {
  const { state } = r;
  switch (state.type) {
    case 'ruleStop':
      exit(r, frame);
      return undefined;
    case 'blockStart':
    case 'starLoopEntry':
      return synchronize(r) ?? decide(r, state, frame);
    case 'plusBlockStart': {
      const failure = synchronize(r);
      if (failure === undefined) go(r, state.transitions[0]);
      return failure;
    }
    case 'starLoopBack': {
      const entry = state.transitions[0]?.target ?? state;
      return synchronize(r) ?? decide(r, entry, frame);
    }
    case 'plusLoopBack':
      return synchronize(r) ?? decide(r, state, frame);
    case 'basic':
      return follow(r, frame, state.transitions[0]);
  }
}

function go(r: Recognizer, transition: Transition | undefined): void {
  if (transition !== undefined) r.state = transition.target;
}

function decide(r: Recognizer, state: GraphState, frame: RecognizerFrame): RecoveryFailure | undefined {
  const choice = choose(state, r.stream, frame.precedence);
  if ('noneAt' in choice) return { kind: 'noViableAlternative', from: lookAhead(r.stream, 1), at: choice.noneAt };
  if (state.type === 'blockStart' && state.decision !== 'nextToken') {
    frame.chosen = choice.alternative;
    if (!leftRecursive.has(state.rule)) frame.node.alternative = choice.alternative;
  }
  if (state.type === 'starLoopEntry' && choice.alternative === 1 && leftRecursive.has(state.rule)) leaveDepth(r, state.rule);
  const way = state.transitions[choice.alternative - 1];
  go(r, way);
  // The next iteration skips the decision at the loop's start.
  if (state.type === 'plusLoopBack' && choice.alternative === 1) go(r, r.state.transitions[0]);
  return undefined;
}

function follow(r: Recognizer, frame: RecognizerFrame, transition: Transition | undefined): RecoveryFailure | undefined {
  if (transition === undefined) throw new Error('a parser state without a transition');
  switch (transition.kind) {
    case 'epsilon':
      r.state = transition.target;
      return undefined;
    case 'tokens':
      return match(r, frame, transition);
    case 'precedence':
      pushOperand(r, frame);
      r.state = transition.target;
      return undefined;
    case 'rule':
      enter(r, frame, transition);
      return undefined;
  }
}

function match(r: Recognizer, frame: RecognizerFrame, transition: Transition & { kind: 'tokens' }): RecoveryFailure | undefined {
  let token = lookAhead(r.stream, 1);
  if (transition.types.has(token.type)) {
    reportMatch(r);
    consume(r);
  } else {
    const recovered = recoverInline(r, transition.target);
    if ('kind' in recovered) return recovered;
    token = recovered;
  }
  if (transition.label !== undefined) addToken(frame.node, transition.label, token);
  r.state = transition.target;
  return undefined;
}

function enter(r: Recognizer, frame: RecognizerFrame, transition: Transition & { kind: 'rule' }): void {
  const { rule, label, precedence } = transition;
  enterDepth(r, rule);
  r.frame = {
    node: treeNode(rule, lookAhead(r.stream, 1)),
    callers: { returnState: transition.target, parent: frame.callers },
    parent: frame,
    label,
    precedence,
    chosen: 0,
  };
  r.state = statesOf(rule).start;
}

function exit(r: Recognizer, frame: RecognizerFrame): void {
  leaveDepth(r, frame.node.rule);
  if (frame.parent !== undefined) addNode(frame.parent.node, frame.label, frame.node);
  r.frame = frame.parent;
  if (frame.callers !== undefined) r.state = frame.callers.returnState;
}

/** The node matched so far becomes the left operand of a new node of the same rule. */
function pushOperand(r: Recognizer, frame: RecognizerFrame): void {
  const node = treeNode(frame.node.rule, frame.node.start);
  node.alternative = frame.chosen;
  addNode(node, 'left', frame.node);
  frame.node = node;
  enterDepth(r, node.rule);
}

function enterDepth(r: Recognizer, rule: RuleName): void {
  const depth = (r.depths.get(rule) ?? 0) + 1;
  r.depths.set(rule, depth);
  if (depth <= maxNesting) return;
  r.giveUp(`expression recursion limit exceeded: ${maxNesting}`);
  r.stopped = true;
}

function leaveDepth(r: Recognizer, rule: RuleName): void {
  const depth = r.depths.get(rule) ?? 0;
  if (depth > 0) r.depths.set(rule, depth - 1);
}
