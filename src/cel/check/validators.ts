import { compilePattern } from '../regex.js';
import { childrenOf, type Expr } from '../syntax/ast.js';
import { type ExprFactory, locationOf } from '../syntax/expr-factory.js';
import { type Issues, noIssues, report } from '../syntax/issues.js';
import { toDuration, toTimestamp } from '../values/convert.js';
import { equivalentType, formatType, type Type } from '../values/type.js';
import { type CelValue, isError } from '../values/value.js';
import { checkFormat } from './check-format.js';
import type { Checked } from './checker.js';

/** A checked expression that is looked at once more. */
export interface Validation {
  readonly factory: ExprFactory;
  readonly types: ReadonlyMap<number, Type>;
  readonly issues: Issues;
}

/**
 * What is wrong with literals although the types fit: durations, times, patterns, mixed lists, format strings. For expressions without
 * other issues. Source: cel-go cel/validator.go, ext/formatting.go; apiserver pkg/cel/environment/base.go.
 */
export function validateLiterals(expr: Expr, factory: ExprFactory, { types }: Checked): Issues {
  const validation: Validation = { factory, types, issues: noIssues() };
  visit(validation, expr, false);
  return validation.issues;
}

/** Reports an error at a node. */
export function invalidAt({ factory, issues }: Validation, id: number, message: string): void {
  report(issues, locationOf(factory, id), message);
}

function visit(v: Validation, expr: Expr, insideFormat: boolean): void {
  const { node } = expr;
  if (node.kind === 'call') {
    checkLiteralArgument(v, node.function, node.args[0]);
    if (node.function === 'format') checkFormat(v, expr.id, node);
  }
  if (node.kind === 'list' && !insideFormat) checkElements(v, node.elements, node.optionalIndices);
  if (node.kind === 'map' && !insideFormat) {
    checkAlike(v, { exprs: node.entries.map(entry => entry.key), optional: () => false });
    checkAlike(v, { exprs: node.entries.map(entry => entry.value), optional: i => node.entries[i]?.optional === true });
  }
  const inside = insideFormat || (node.kind === 'call' && node.function === 'format');
  for (const child of childrenOf(expr)) visit(v, child, inside);
}

/** The first argument in parentheses, whatever it is: for `matches(text, pattern)` that is the text. */
function checkLiteralArgument(v: Validation, name: string, argument: Expr | undefined): void {
  const isValid = literalChecks.get(name);
  if (isValid === undefined || argument?.node.kind !== 'literal') return;
  if (!isValid(argument.node.value)) invalidAt(v, argument.id, `invalid ${name} argument`);
}

const literalChecks: ReadonlyMap<string, (value: CelValue) => boolean> = new Map([
  ['duration', value => !isError(toDuration(value))],
  ['timestamp', value => !isError(toTimestamp(value))],
  ['matches', value => typeof value !== 'string' || !('error' in compilePattern(value))],
]);

/** Only the first element that differs is reported. */
function checkElements(v: Validation, elements: readonly Expr[], optionalIndices: readonly number[]): void {
  const [first, ...rest] = elements.map((element, i) => ({ element, type: typeOfPart(v, element, optionalIndices.includes(i)) }));
  if (first === undefined) return;
  const different = rest.find(({ type }) => !equivalentType(first.type, type));
  if (different !== undefined) mismatch(v, different.element, { expected: first.type, found: different.type });
}

function checkAlike(v: Validation, { exprs, optional }: { exprs: readonly Expr[]; optional: (index: number) => boolean }): void {
  let expected: Type | undefined;
  exprs.forEach((expr, i) => {
    const found = typeOfPart(v, expr, optional(i));
    expected ??= found;
    if (!equivalentType(expected, found)) mismatch(v, expr, { expected, found });
  });
}

function typeOfPart({ types }: Validation, { id }: Expr, optional: boolean): Type {
  const type = types.get(id);
  if (type === undefined) throw new Error('a node without a type');
  return optional ? (type.parameters[0] ?? type) : type;
}

function mismatch(v: Validation, { id }: Expr, { expected, found }: { expected: Type; found: Type }): void {
  invalidAt(v, id, `expected type '${formatType(expected)}' but found '${formatType(found)}'`);
}
