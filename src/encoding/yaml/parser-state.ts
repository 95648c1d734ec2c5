import type { Mark } from './cursor.js';
import { peekToken, takeToken } from './scanner.js';
import type { Scanner } from './scanner-state.js';
import type { Token } from './tokens.js';

/** What stands in a YAML text, one after the other. A document's nodes come in the order of the text, a mapping's as key, value, key, value ... */
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

/** Turns tokens into events. */
export interface Parser {
  readonly scanner: Scanner;
  /** What comes next, and what after the collections that are open. */
  state: State;
  readonly after: State[];
  /** Where the open collections began. */
  readonly marks: Mark[];
  readonly tagPrefixes: Map<string, string>;
}

/** What the parser does next. */
export type State = (parser: Parser) => Event;

/** Takes the state that was put aside when the node began. */
export function leave(parser: Parser): State {
  const state = parser.after.pop();
  if (state === undefined) throw new Error('the parser has left more nodes than it entered');
  return state;
}

export function nextToken(parser: Parser): Token {
  takeToken(parser.scanner);
  return peekToken(parser.scanner);
}

export function emptyScalar(parser: Parser, mark: Mark, state: State): Event {
  parser.state = state;
  return { type: 'scalar', mark, anchor: '', tag: '', value: '', implicit: true };
}
