import { type Cursor, type Mark, markOf } from './cursor.js';
import { YamlError } from './yaml-error.js';

/** Token of the scanner, from `start` to `end`. */
export type YamlToken = PlainToken | NameToken | ScalarToken | TagToken | VersionToken | TagDirectiveToken;

export interface PlainToken {
  readonly type:
    | 'stream-start'
    | 'stream-end'
    | 'document-start'
    | 'document-end'
    | 'block-sequence-start'
    | 'block-mapping-start'
    | 'block-end'
    | 'flow-sequence-start'
    | 'flow-sequence-end'
    | 'flow-mapping-start'
    | 'flow-mapping-end'
    | 'block-entry'
    | 'flow-entry'
    | 'key'
    | 'value';
  readonly start: Mark;
  readonly end: Mark;
}

export interface NameToken {
  readonly type: 'anchor' | 'alias';
  readonly name: string;
  readonly start: Mark;
  readonly end: Mark;
}

export interface ScalarToken {
  readonly type: 'scalar';
  readonly value: string;
  /** Neither quoted nor a block scalar. */
  readonly plain: boolean;
  readonly start: Mark;
  readonly end: Mark;
}

export interface TagToken {
  readonly type: 'tag';
  /** `!`, `!!`, `!name!`, or empty when the suffix is the whole tag. */
  readonly handle: string;
  readonly suffix: string;
  readonly start: Mark;
  readonly end: Mark;
}

export interface VersionToken {
  readonly type: 'version-directive';
  readonly major: number;
  readonly minor: number;
  readonly start: Mark;
  readonly end: Mark;
}

export interface TagDirectiveToken {
  readonly type: 'tag-directive';
  readonly handle: string;
  readonly prefix: string;
  readonly start: Mark;
  readonly end: Mark;
}

/** Returns a scanner error at the cursor, in something that started at `context`. */
export function scannerError(cursor: Cursor, context: Mark, problem: string): YamlError {
  const line = cursor.line > 0 ? cursor.line + 1 : context.line;
  return new YamlError(`yaml: ${line > 0 ? `line ${line}: ` : ''}${problem}`, cursor);
}

/** Returns a parser error at a token, in something that started at `context`. go-yaml counts these lines from 0, and leaves out line 0. */
export function parserError(at: Mark, problem: string, context?: Mark): YamlError {
  const line = at.line > 0 ? at.line : (context?.line ?? 0);
  return new YamlError(`yaml: ${line > 0 ? `line ${line}: ` : ''}${problem}`, at);
}

/** Returns a scanner error without context. */
export function scannerErrorHere(cursor: Cursor, problem: string): YamlError {
  return scannerError(cursor, markOf(cursor), problem);
}
