import type { TypedExpression } from '../check/check-expression.js';
import { type Clause, type FormatFailure, parseFormat } from '../library/format-parser.js';
import { unsuitable } from '../library/string-format.js';
import { type CallNode, childrenOf, type Expr } from '../syntax/ast.js';
import { type ExprFactory, locationOf } from '../syntax/expr-factory.js';
import { type Issues, newIssues, reportIssue } from '../syntax/issues.js';
import { toDuration, toTimestamp } from '../values/convert.js';
import { GoPanic } from '../values/go-panic.js';
import { compilePattern } from '../values/regex.js';
import { equivalentType, formatType, type Type, type TypeKind } from '../values/type.js';
import { type CelValue, isError } from '../values/value.js';

/**
 * Validates literals that passed type checking: durations, timestamps, patterns, mixed lists and format strings. Only for expressions
 * without other issues. Throws GoPanic for an optional element of type dyn. Source: cel-go cel/validator.go, ext/formatting.go; apiserver
 * pkg/cel/environment/base.go.
 */
export function validateLiterals(expr: Expr, factory: ExprFactory, { types }: TypedExpression): Issues {
  const validation: Validation = { factory, types, issues: newIssues() };
  const nodes = nodesOf(expr, false);
  for (const name of literalChecks.keys()) for (const { expr: call } of nodes) checkLiteralArgument(validation, name, call);
  for (const { expr: literal, insideFormat } of nodes) if (!insideFormat) checkAggregate(validation, literal);
  for (const { expr: call } of nodes)
    if (call.node.kind === 'call' && call.node.function === 'format') checkFormat(validation, call.id, call.node);
  return validation.issues;
}

/** A node; elements inside the arguments of `format` may have mixed types. */
interface Visited {
  readonly expr: Expr;
  readonly insideFormat: boolean;
}

/** All nodes, children before parents: the order of issues at the same position. */
function nodesOf(expr: Expr, insideFormat: boolean): readonly Visited[] {
  const inside = insideFormat || (expr.node.kind === 'call' && expr.node.function === 'format');
  return [...childrenOf(expr).flatMap(child => nodesOf(child, inside)), { expr, insideFormat }];
}

/** The first argument in parentheses; for `matches(text, pattern)` that is the text. */
function checkLiteralArgument(v: Validation, name: string, { node }: Expr): void {
  if (node.kind !== 'call' || node.function !== name) return;
  const [argument] = node.args;
  const isValid = literalChecks.get(name);
  if (isValid === undefined || argument?.node.kind !== 'literal') return;
  if (!isValid(argument.node.value)) invalidAt(v, argument.id, `invalid ${name} argument`);
}

const literalChecks: ReadonlyMap<string, (value: CelValue) => boolean> = new Map([
  ['duration', value => !isError(toDuration(value))],
  ['timestamp', value => !isError(toTimestamp(value))],
  ['matches', value => typeof value !== 'string' || !('error' in compilePattern(value))],
]);

function checkAggregate(v: Validation, { node }: Expr): void {
  if (node.kind === 'list') checkElements(v, node.elements, node.optionalIndices);
  if (node.kind !== 'map') return;
  checkAlike(v, { exprs: node.entries.map(entry => entry.key), optional: () => false });
  checkAlike(v, { exprs: node.entries.map(entry => entry.value), optional: i => node.entries[i]?.optional === true });
}

/** Reports only the first element that differs. */
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
  if (!optional) return type;
  const [inside] = type.parameters;
  if (inside === undefined) throw new GoPanic('runtime error: index out of range [0] with length 0');
  return inside;
}

function mismatch(v: Validation, { id }: Expr, { expected, found }: { expected: Type; found: Type }): void {
  invalidAt(v, id, `expected type '${formatType(expected)}' but found '${formatType(found)}'`);
}

/** Checks the clauses of `'...'.format([...])` against literal arguments. Source: cel-go ext/formatting.go. */
function checkFormat(v: Validation, id: number, { target, args }: CallNode): void {
  const [list, ...others] = args;
  if (target?.node.kind !== 'literal' || typeof target.node.value !== 'string') return;
  if (list?.node.kind !== 'list' || others.length > 0) return;
  const { elements } = list.node;
  let used = 0;
  const format = (clause: Clause, index: number): string | FormatFailure => {
    used += 1;
    const element = elements[index];
    return element === undefined ? '' : (misfit(v, clause, element) ?? '');
  };
  const result = parseFormat(target.node.value, { count: elements.length, checkedEarly: false, format });
  if (typeof result !== 'string') {
    invalidAt(v, result.id ?? id, result.error);
    return;
  }
  if (elements.length <= used) return;
  invalidAt(v, id, `too many arguments supplied to string.format (expected ${used}, got ${elements.length})`);
}

const integers: readonly TypeKind[] = ['int', 'uint'];
const doubles: readonly TypeKind[] = ['double', 'string'];
const hexadecimals: readonly TypeKind[] = [...integers, 'string', 'bytes'];
const printable: readonly TypeKind[] = [
  'list',
  'map',
  'int',
  'uint',
  'double',
  'bool',
  'string',
  'timestamp',
  'bytes',
  'duration',
  'type',
  'null',
];

const suitable: Readonly<Record<Clause['letter'], readonly TypeKind[]>> = {
  s: printable,
  d: integers,
  o: integers,
  b: [...integers, 'bool'],
  x: hexadecimals,
  X: hexadecimals,
  f: doubles,
  e: doubles,
};

function misfit({ types }: Validation, { letter }: Clause, element: Expr): FormatFailure | undefined {
  const fits = (type: Type) => type.kind === 'dyn' || suitable[letter].includes(type.kind);
  const wrong = partsOf(letter, element).find(({ id }) => {
    const type = types.get(id);
    return type !== undefined && !fits(type);
  });
  return wrong === undefined ? undefined : { error: unsuitable(letter, types.get(wrong.id)?.name ?? ''), id: wrong.id };
}

/** The literal and, for `%s`, the elements of list and map literals. */
function partsOf(letter: Clause['letter'], element: Expr): readonly Expr[] {
  const { node } = element;
  const inside = (parts: readonly Expr[]) => [element, ...parts.flatMap(part => partsOf(letter, part))];
  if (letter === 's' && node.kind === 'list') return inside(node.elements);
  if (letter === 's' && node.kind === 'map') return inside(node.entries.flatMap(entry => [entry.key, entry.value]));
  return [element];
}

/** State of the validators that run on a checked expression. */
interface Validation {
  readonly factory: ExprFactory;
  readonly types: ReadonlyMap<number, Type>;
  readonly issues: Issues;
}

/** Reports an error at a node. */
function invalidAt({ factory, issues }: Validation, id: number, message: string): void {
  reportIssue(issues, locationOf(factory, id), message);
}
