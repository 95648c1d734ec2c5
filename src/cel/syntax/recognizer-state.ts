import type { Callers } from './expected-tokens.js';
import type { RuleName } from './grammar.js';
import type { TreeNode } from './parse-tree.js';
import type { State } from './state-graph.js';
import type { TokenStream } from './token-stream.js';

/** A parser at work. What it does after an error is in recovery.ts. */
export interface Recognizer {
  readonly stream: TokenStream;
  state: State;
  frame: Frame | undefined;
  readonly depths: Map<RuleName, number>;
  /** Errors are reported once until a token matches again. */
  recovering: boolean;
  lastErrorIndex: number;
  lastErrorStates: Set<State>;
  attempts: number;
  /** Set when the parser gives up for good. */
  stopped: boolean;
  readonly syntaxError: (offset: number, message: string) => void;
  readonly giveUp: (message: string) => void;
}

/** A rule being matched. */
export interface Frame {
  node: TreeNode;
  readonly callers: Callers | undefined;
  readonly parent: Frame | undefined;
  /** Under which label the caller keeps the node. */
  readonly label: string;
  readonly precedence: number;
  /** Which suffix or operator was chosen. */
  chosen: number;
}
