import type { EvaluatedExpression } from '../../src/kubernetes/evaluated-expression.js';
import type { Suggestions } from '../../src/language-server/completion/suggestion.js';
import type { TraceData } from '../../src/pages/trace-model.js';

/** Names of the editors, in their order. */
export const editorNames = ['manifest', 'configuration', 'definitions', 'policies', 'answers'] as const;

export type EditorName = (typeof editorNames)[number];

/** Everything that a result depends on: the state in the address. */
export type PlaygroundInput = Readonly<Record<EditorName, string>> & {
  /** `v1.37` */
  readonly version: string;
  /** `create`, `update`, `apply`, `delete` */
  readonly operation: string;
  readonly user: string;
};

/** Something to say about a line of an editor. */
export interface Problem {
  readonly editor: EditorName;
  readonly severity: 'error' | 'warning' | 'info';
  readonly message: string;
  /** From 1. */
  readonly line: number;
  /** The part of the editor's text that it is about, in UTF-16 units; the whole line without one. */
  readonly range?: { readonly start: number; readonly end: number } | undefined;
}

export interface PlaygroundResult {
  readonly data: TraceData;
  readonly problems: readonly Problem[];
  /** Expressions that each call evaluated. */
  readonly expressions: readonly (readonly EvaluatedExpression[])[];
}

/** Message to the engine's worker; the reply has its number. */
export type EngineQuestion =
  | { readonly asks: 'result'; readonly number: number; readonly input: PlaygroundInput }
  | ({ readonly asks: 'completion'; readonly number: number } & EditorPlace);

/** A place in an editor. */
export interface EditorPlace {
  readonly input: PlaygroundInput;
  readonly editor: EditorName;
  /** In UTF-16 units of the editor's text. */
  readonly offset: number;
}

/** Message of the engine's worker. */
export interface EngineReply {
  readonly number: number;
  readonly result?: PlaygroundResult | undefined;
  /** Undefined also where nothing can be written. */
  readonly suggestions?: Suggestions | undefined;
  /** The engine failed. */
  readonly error?: string | undefined;
}
