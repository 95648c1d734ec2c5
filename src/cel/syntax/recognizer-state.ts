import type { Callers } from './expected-tokens.js';
import type { RuleName } from './grammar.js';
import type { TreeNode } from './parse-tree.js';
import type { GraphState } from './state-graph.js';
import type { TokenStream } from './token-stream.js';

/** State of a parser. Error recovery is in recovery.ts. */
export interface Recognizer {
  readonly stream: TokenStream;
  state: GraphState;
  frame: RecognizerFrame | undefined;
  readonly depths: Map<RuleName, number>;
  /** After an error, further ones are not reported until a token matches. */
  recovering: boolean;
  lastErrorIndex: number;
  lastErrorStates: Set<GraphState>;
  attempts: number;
  /** Set when the parser aborts. */
  stopped: boolean;
  readonly syntaxError: (offset: number, message: string) => void;
  readonly giveUp: (message: string) => void;
}

/** A rule being matched. */
export interface RecognizerFrame {
  node: TreeNode;
  readonly callers: Callers | undefined;
  readonly parent: RecognizerFrame | undefined;
  /** Label under which the calling rule keeps the node. */
  readonly label: string;
  readonly precedence: number;
  /** The chosen suffix or operator. */
  chosen: number;
}
