import type { Mark } from './cursor.js';
import { peekToken, takeToken } from './scanner.js';
import type { Scanner } from './scanner-state.js';
import type { YamlToken } from './tokens.js';

/** Event of a YAML text. The nodes of a document come in document order, those of a mapping as key, value, key, value ... */
export type Event =
  | { readonly type: 'stream-end' | 'document-start' | 'document-end' | 'collection-end'; readonly mark: Mark }
  | { readonly type: 'alias'; readonly mark: Mark; readonly name: string }
  | { readonly type: 'sequence-start' | 'mapping-start'; readonly mark: Mark; readonly anchor: string }
  | ({ readonly type: 'scalar'; readonly mark: Mark; readonly anchor: string } & ScalarContent);

export interface ScalarContent {
  readonly tag: string;
  readonly value: string;
  readonly implicit: boolean;
}

/** Converts tokens to events. */
export interface Parser {
  readonly scanner: Scanner;
  /** Current state, and the states after the open collections. */
  state: YamlState;
  readonly after: YamlState[];
  /** Start of the open collections. */
  readonly marks: Mark[];
  readonly tagPrefixes: Map<string, string>;
}

/** Next step of the parser. */
export type YamlState = (parser: Parser) => Event;

/** Restores the state that was saved when the node started. */
export function leave(parser: Parser): YamlState {
  const state = parser.after.pop();
  if (state === undefined) throw new Error('the parser has left more nodes than it entered');
  return state;
}

export function nextToken(parser: Parser): YamlToken {
  takeToken(parser.scanner);
  return peekToken(parser.scanner);
}

export function emptyScalar(parser: Parser, mark: Mark, state: YamlState): Event {
  parser.state = state;
  return { type: 'scalar', mark, anchor: '', tag: '', value: '', implicit: true };
}
