import type { Expr } from './ast.js';
import { macroKey } from './ast-builder.js';
import { buildAst, NestingError } from './build-ast.js';
import { type ExprFactory, exprFactory } from './expr-factory.js';
import { type Issues, newIssues, reportIssue } from './issues.js';
import type { Macro } from './macros.js';
import { recognize } from './recognizer.js';
import { type CelSource, locationAt, noLocation } from './source.js';
import { tokenStreamOf } from './token-stream.js';

/** A syntax tree with node positions, or the issues. */
export type Parsed =
  | { readonly outcome: 'parsed'; readonly expr: Expr; readonly factory: ExprFactory }
  | { readonly outcome: 'invalid'; readonly issues: Issues };

/** Macros, and the minor version of cel-go, 0.26 or 0.29. */
export interface Dialect {
  readonly macros: readonly Macro[];
  readonly celGo: number;
}

/** Parses an expression and expands its macros. Source: cel-go parser/parser.go with its default limits. */
export function parse(source: CelSource, { macros, celGo }: Dialect): Parsed {
  const issues = newIssues();
  if (source.characters.length > maxCodePoints) {
    const size = `size: ${source.characters.length}, limit ${maxCodePoints}`;
    reportIssue(issues, noLocation, `expression code point size exceeds limit: ${size}`);
    return { outcome: 'invalid', issues };
  }
  const factory = exprFactory(source);
  const expr = parseWithin(factory, { macros, celGo }, issues);
  return issues.count > 0 || expr === undefined ? { outcome: 'invalid', issues } : { outcome: 'parsed', expr, factory };
}

const maxCodePoints = 100_000;
const maxSyntaxErrors = 100;

/** The maximum number of syntax errors is reached. */
class TooManyErrors extends Error {
  override readonly name = 'TooManyErrors';
}

function parseWithin(factory: ExprFactory, { macros, celGo }: Dialect, issues: Issues): Expr | undefined {
  const { source } = factory;
  let reported = 0;
  const syntaxError = (offset: number, message: string) => {
    const location = locationAt(source, offset);
    reported += 1;
    if (reported <= maxSyntaxErrors) return reportIssue(issues, location, `Syntax error: ${message}`);
    reportIssue(issues, location, `Syntax error: More than ${maxSyntaxErrors} syntax errors`);
    throw new TooManyErrors();
  };
  const giveUp = (message: string) => reportIssue(issues, noLocation, message);
  try {
    const stream = tokenStreamOf(source, (offset, text) => syntaxError(offset, `token recognition error at: '${text}'`));
    const tree = recognize(stream, { syntaxError, giveUp });
    if (tree === undefined) return undefined;
    const byKey = new Map(macros.map(macro => [macroKey(macro.name, macro.argCount, macro.receiver), macro]));
    return buildAst(
      {
        factory,
        macros: byKey,
        report: (location, message) => reportIssue(issues, location, message),
        depth: 0,
        build: buildAst,
        hasEscapedNames: celGo >= 29,
      },
      tree,
    );
  } catch (error) {
    if (error instanceof NestingError) giveUp(error.message);
    else if (!(error instanceof TooManyErrors)) throw error;
    return undefined;
  }
}
