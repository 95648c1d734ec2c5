/** Token types in the order of cel-go's grammar: lists of expected tokens are printed in it. */
export const tokenTypes = {
  EOF: -1,
  EQUALS: 1,
  NOT_EQUALS: 2,
  IN: 3,
  LESS: 4,
  LESS_EQUALS: 5,
  GREATER_EQUALS: 6,
  GREATER: 7,
  LOGICAL_AND: 8,
  LOGICAL_OR: 9,
  LBRACKET: 10,
  RBRACKET: 11,
  LBRACE: 12,
  RBRACE: 13,
  LPAREN: 14,
  RPAREN: 15,
  DOT: 16,
  COMMA: 17,
  MINUS: 18,
  EXCLAM: 19,
  QUESTIONMARK: 20,
  COLON: 21,
  PLUS: 22,
  STAR: 23,
  SLASH: 24,
  PERCENT: 25,
  TRUE: 26,
  FALSE: 27,
  NULL: 28,
  WHITESPACE: 29,
  COMMENT: 30,
  NUM_FLOAT: 31,
  NUM_INT: 32,
  NUM_UINT: 33,
  STRING: 34,
  BYTES: 35,
  IDENTIFIER: 36,
  ESC_IDENTIFIER: 37,
} as const;

/** The name of a token type. */
export type TokenName = keyof typeof tokenTypes;

export interface CelToken {
  readonly type: number;
  readonly text: string;
  /** Offset of its first character, in code points. */
  readonly offset: number;
  /** Index among all tokens, including white space and comments; -1 for a token inserted by error recovery. */
  readonly index: number;
}

/** Operators and keywords, longest first among those with the same prefix. */
export const literalTokens: readonly (readonly [text: string, type: number])[] = [
  ['==', tokenTypes.EQUALS],
  ['!=', tokenTypes.NOT_EQUALS],
  ['<=', tokenTypes.LESS_EQUALS],
  ['>=', tokenTypes.GREATER_EQUALS],
  ['&&', tokenTypes.LOGICAL_AND],
  ['||', tokenTypes.LOGICAL_OR],
  ['<', tokenTypes.LESS],
  ['>', tokenTypes.GREATER],
  ['[', tokenTypes.LBRACKET],
  [']', tokenTypes.RBRACKET],
  ['{', tokenTypes.LBRACE],
  ['}', tokenTypes.RBRACE],
  ['(', tokenTypes.LPAREN],
  [')', tokenTypes.RPAREN],
  ['.', tokenTypes.DOT],
  [',', tokenTypes.COMMA],
  ['-', tokenTypes.MINUS],
  ['!', tokenTypes.EXCLAM],
  ['?', tokenTypes.QUESTIONMARK],
  [':', tokenTypes.COLON],
  ['+', tokenTypes.PLUS],
  ['*', tokenTypes.STAR],
  ['/', tokenTypes.SLASH],
  ['%', tokenTypes.PERCENT],
];

/** Keywords. */
export const wordTokens: ReadonlyMap<string, number> = new Map([
  ['in', tokenTypes.IN],
  ['true', tokenTypes.TRUE],
  ['false', tokenTypes.FALSE],
  ['null', tokenTypes.NULL],
]);

/** Display name of a token type in error messages: `'=='`, `NUM_INT`, `<EOF>`. */
export function tokenDisplayName(type: number): string {
  return displayNames.get(type) ?? '<INVALID>';
}

const displayNames: ReadonlyMap<number, string> = new Map([
  ...Object.entries(tokenTypes).map(([name, type]): [number, string] => [type, name]),
  ...literalTokens.map(([text, type]): [number, string] => [type, `'${text}'`]),
  ...[...wordTokens].map(([text, type]): [number, string] => [type, `'${text}'`]),
  [tokenTypes.EOF, '<EOF>'],
]);
