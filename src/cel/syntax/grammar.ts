import { type TokenName, tokenTypes } from './tokens.js';

/** A part of a rule. Labeled parts are kept in the parse tree. */
export type Part =
  | { readonly kind: 'tokens'; readonly types: readonly number[]; readonly label: string | undefined }
  | { readonly kind: 'rule'; readonly rule: RuleName; readonly precedence: number; readonly label: string }
  | { readonly kind: 'sequence'; readonly parts: readonly Part[] }
  | { readonly kind: 'optional'; readonly part: Part }
  | { readonly kind: 'star'; readonly alternatives: readonly Part[]; readonly decision: GrammarDecision }
  | { readonly kind: 'plus'; readonly part: Part; readonly decision: GrammarDecision }
  | { readonly kind: 'choice'; readonly alternatives: readonly Part[]; readonly decision: GrammarDecision }
  | { readonly kind: 'precedence'; readonly precedence: number };

/** How the parser chooses: by the next token, or by a named lookahead. */
export type GrammarDecision = 'nextToken' | 'operator' | 'suffix' | 'unary' | 'minuses' | 'primary' | 'literal' | 'listComma';

export type RuleName =
  | 'start'
  | 'expr'
  | 'conditionalOr'
  | 'conditionalAnd'
  | 'relation'
  | 'calc'
  | 'unary'
  | 'member'
  | 'primary'
  | 'exprList'
  | 'listInit'
  | 'fieldInitializerList'
  | 'optField'
  | 'mapInitializerList'
  | 'escapeIdent'
  | 'optExpr'
  | 'literal';

/** Left-recursive rules: operators of one precedence level, and member suffixes. */
export const leftRecursive: ReadonlySet<RuleName> = new Set(['relation', 'calc', 'member']);

/**
 * CEL's grammar with its left-recursive rules written as loops guarded by precedences, which is how ANTLR runs them.
 * Source: cel-go parser/gen/CEL.g4.
 */
export const grammar: Readonly<Record<RuleName, Part>> = {
  start: sequence(rule('expr', 'e'), token('EOF')),
  expr: sequence(
    rule('conditionalOr', 'e'),
    optional(token('QUESTIONMARK', 'op'), rule('conditionalOr', 'e1'), token('COLON'), rule('expr', 'e2')),
  ),
  conditionalOr: sequence(
    rule('conditionalAnd', 'e'),
    star('nextToken', sequence(token('LOGICAL_OR', 'ops'), rule('conditionalAnd', 'e1'))),
  ),
  conditionalAnd: sequence(rule('relation', 'e'), star('nextToken', sequence(token('LOGICAL_AND', 'ops'), rule('relation', 'e1')))),
  relation: sequence(
    rule('calc', 'operand'),
    star(
      'operator',
      binary(1, rule('relation', 'right', 2), 'EQUALS', 'NOT_EQUALS', 'IN', 'LESS', 'LESS_EQUALS', 'GREATER_EQUALS', 'GREATER'),
    ),
  ),
  calc: sequence(
    rule('unary', 'operand'),
    star('operator', binary(2, rule('calc', 'right', 3), 'STAR', 'SLASH', 'PERCENT'), binary(1, rule('calc', 'right', 2), 'MINUS', 'PLUS')),
  ),
  unary: choice('unary', rule('member', 'member'), prefixed('EXCLAM', 'nextToken'), prefixed('MINUS', 'minuses')),
  member: sequence(
    rule('primary', 'operand'),
    star(
      'suffix',
      sequence(precedence(3), token('DOT', 'op'), optional(token('QUESTIONMARK', 'opt')), rule('escapeIdent', 'id')),
      sequence(precedence(2), token('DOT', 'op'), token('IDENTIFIER', 'id'), ...call('open')),
      sequence(precedence(1), token('LBRACKET', 'op'), optional(token('QUESTIONMARK', 'opt')), rule('expr', 'index'), token('RBRACKET')),
    ),
  ),
  primary: choice(
    'primary',
    sequence(optional(token('DOT', 'leadingDot')), token('IDENTIFIER', 'id')),
    sequence(optional(token('DOT', 'leadingDot')), token('IDENTIFIER', 'id'), ...call('op')),
    sequence(token('LPAREN'), rule('expr', 'e'), token('RPAREN')),
    sequence(token('LBRACKET', 'op'), optional(rule('listInit', 'elements')), optional(token('COMMA')), token('RBRACKET')),
    sequence(token('LBRACE', 'op'), optional(rule('mapInitializerList', 'entries')), optional(token('COMMA')), token('RBRACE')),
    sequence(
      optional(token('DOT', 'leadingDot')),
      token('IDENTIFIER', 'ids'),
      star('nextToken', sequence(token('DOT'), token('IDENTIFIER', 'ids'))),
      token('LBRACE', 'op'),
      optional(rule('fieldInitializerList', 'entries')),
      optional(token('COMMA')),
      token('RBRACE'),
    ),
    rule('literal', 'literal'),
  ),
  exprList: sequence(rule('expr', 'e'), star('nextToken', sequence(token('COMMA'), rule('expr', 'e')))),
  listInit: sequence(rule('optExpr', 'elements'), star('listComma', sequence(token('COMMA'), rule('optExpr', 'elements')))),
  fieldInitializerList: commaSeparated(rule('optField', 'keys'), token('COLON', 'colons'), rule('expr', 'values')),
  optField: sequence(optional(token('QUESTIONMARK', 'opt')), rule('escapeIdent', 'id')),
  mapInitializerList: commaSeparated(rule('optExpr', 'keys'), token('COLON', 'colons'), rule('expr', 'values')),
  escapeIdent: choice('nextToken', token('IDENTIFIER', 'id'), token('ESC_IDENTIFIER', 'id')),
  optExpr: sequence(optional(token('QUESTIONMARK', 'opt')), rule('expr', 'e')),
  literal: choice(
    'literal',
    sequence(optional(token('MINUS', 'sign')), token('NUM_INT', 'tok')),
    token('NUM_UINT', 'tok'),
    sequence(optional(token('MINUS', 'sign')), token('NUM_FLOAT', 'tok')),
    token('STRING', 'tok'),
    token('BYTES', 'tok'),
    token('TRUE', 'tok'),
    token('FALSE', 'tok'),
    token('NULL', 'tok'),
  ),
};

function token(name: TokenName, label?: string): Part {
  return { kind: 'tokens', types: [tokenTypes[name]], label };
}

function rule(name: RuleName, label: string, withPrecedence = 0): Part {
  return { kind: 'rule', rule: name, precedence: withPrecedence, label };
}

function sequence(...parts: readonly Part[]): Part {
  return { kind: 'sequence', parts };
}

function optional(...parts: readonly Part[]): Part {
  return { kind: 'optional', part: sequence(...parts) };
}

function star(decision: GrammarDecision, ...alternatives: readonly Part[]): Part {
  return { kind: 'star', alternatives, decision };
}

function choice(decision: GrammarDecision, ...alternatives: readonly Part[]): Part {
  return { kind: 'choice', alternatives, decision };
}

function precedence(level: number): Part {
  return { kind: 'precedence', precedence: level };
}

function binary(level: number, right: Part, ...operators: readonly TokenName[]): Part {
  return sequence(precedence(level), { kind: 'tokens', types: operators.map(name => tokenTypes[name]), label: 'op' }, right);
}

function prefixed(operator: TokenName, decision: GrammarDecision): Part {
  return sequence({ kind: 'plus', part: token(operator, 'ops'), decision }, rule('member', 'member'));
}

function call(openLabel: string): readonly Part[] {
  return [token('LPAREN', openLabel), optional(rule('exprList', 'args')), token('RPAREN')];
}

function commaSeparated(...parts: readonly Part[]): Part {
  return sequence(...parts, star('listComma', sequence(token('COMMA'), ...parts)));
}
