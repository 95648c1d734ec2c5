import type { EvaluatedExpression, EvaluatedPart } from '../kubernetes/evaluated-expression.js';
import type { CelProgram } from './program/compile.js';
import { type ComprehensionNode, childrenOf, type Expr } from './syntax/ast.js';
import { accumulatorName } from './syntax/expr-factory.js';
import { operators } from './syntax/operators.js';
import { printed } from './values/printed.js';
import { type CelValue, isError } from './values/value.js';

const maxValueLength = 200;

/** Their values say nothing that their text does not say, or belong to macros. */
const hidden: ReadonlySet<string> = new Set(['literal', 'ident', 'list']);

/** Returns an expression and its parts with the values that an evaluation saw; literals, lists and variables are omitted, and parts that were not evaluated. */
export function evaluatedExpression({ checked: { expr } }: CelProgram, values: ReadonlyMap<number, CelValue>): EvaluatedExpression {
  const parts: EvaluatedPart[] = [];
  const visit = (node: Expr, depth: number): void => {
    const value = values.get(node.id);
    const isShown = value !== undefined && !hidden.has(node.node.kind) && !isOfMacro(node);
    if (isShown) parts.push({ text: expressionText(node), value: shown(value), depth });
    // The value that a field was selected from is shown only if the field is missing.
    if (value !== undefined && node.node.kind === 'select' && !isError(value) && node.node.operand.node.kind === 'select') return;
    for (const child of typedPartsOf(node)) visit(child, isShown ? depth + 1 : depth);
  };
  visit(expr, 0);
  return { text: expressionText(expr), parts };
}

function shown(value: CelValue): string {
  const text = isError(value) ? `error: ${value.message}` : typeof value === 'string' ? JSON.stringify(value) : printed(value);
  return text.length > maxValueLength ? `${text.slice(0, maxValueLength)}...` : text;
}

/** What macros add is not in the text that was typed. */
function isOfMacro({ node }: Expr): boolean {
  if (node.kind !== 'call') return false;
  return [node.target, ...node.args].some(arg => arg?.node.kind === 'ident' && arg.node.name === accumulatorName);
}

/** The parts of an expression that were typed: macros add others. */
function typedPartsOf(expr: Expr): readonly Expr[] {
  const { node } = expr;
  return node.kind === 'comprehension' ? [node.iterRange, node.loopStep] : childrenOf(expr);
}

/** Returns an expression as text, with parentheses around nested operators. */
export function expressionText({ node }: Expr): string {
  switch (node.kind) {
    case 'literal':
      return typeof node.value === 'string' ? JSON.stringify(node.value) : isNull(node.value) ? 'null' : printed(node.value);
    case 'ident':
      return node.name;
    case 'select':
      return node.testOnly ? `has(${operand(node.operand)}.${node.field})` : `${operand(node.operand)}.${node.field}`;
    case 'call':
      return callText(node.function, node.target, node.args);
    case 'list':
      return `[${node.elements.map(expressionText).join(', ')}]`;
    case 'map':
      return `{${node.entries.map(({ key, value }) => `${expressionText(key)}: ${expressionText(value)}`).join(', ')}}`;
    case 'struct':
      return `${node.typeName}{${node.fields.map(({ name, value }) => `${name}: ${expressionText(value)}`).join(', ')}}`;
    case 'comprehension':
      return loopText(node);
    default:
      return '';
  }
}

function isNull(value: CelValue): boolean {
  return typeof value === 'object' && value.kind === 'null';
}

/** Returns a loop as the macro that it comes from. */
function loopText({ iterRange, iterVar, iterVar2, accuInit, loopStep }: ComprehensionNode): string {
  const { name, body } = macroOf(accuInit, loopStep);
  const variables = iterVar2 === undefined ? [iterVar] : [iterVar, iterVar2];
  return `${operand(iterRange)}.${name}(${[...variables, ...body.map(expressionText)].join(', ')})`;
}

/** Source: cel-go parser/macro.go. Other macros are `loop`. */
function macroOf(accuInit: Expr, { node }: Expr): { readonly name: string; readonly body: readonly Expr[] } {
  const [first, second] = node.kind === 'call' ? node.args : [];
  if (node.kind !== 'call' || first === undefined || second === undefined) return { name: 'loop', body: [] };
  if (node.function === operators.logicalAnd) return { name: 'all', body: [second] };
  if (node.function === operators.logicalOr) return { name: 'exists', body: [second] };
  if (node.function === operators.add) return { name: 'map', body: addedBy(second) };
  if (node.function !== operators.conditional) return { name: 'loop', body: [] };
  if (accuInit.node.kind === 'literal') return { name: 'exists_one', body: [first] };
  const added = second.node.kind === 'call' && second.node.args[1] !== undefined ? addedBy(second.node.args[1]) : [];
  return added[0]?.node.kind === 'ident' ? { name: 'filter', body: [first] } : { name: 'map', body: [first, ...added] };
}

function addedBy({ node }: Expr): readonly Expr[] {
  return node.kind === 'list' ? node.elements : [];
}

function callText(name: string, target: Expr | undefined, args: readonly Expr[]): string {
  const [first, second, third] = args;
  if (target !== undefined) return `${operand(target)}.${name}(${args.map(expressionText).join(', ')})`;
  if (name === operators.conditional && first && second && third) return `${operand(first)} ? ${operand(second)} : ${operand(third)}`;
  if ((name === operators.index || name === operators.optIndex) && first && second)
    return `${operand(first)}[${name === operators.optIndex ? '?' : ''}${expressionText(second)}]`;
  if (name === operators.optSelect && first && second) return `${operand(first)}.?${expressionText(second).replaceAll('"', '')}`;
  if (first && second && isBinary(name)) return `${operand(first, name)} ${symbolOf(name)} ${operand(second, name)}`;
  if (first && (name === operators.logicalNot || name === operators.negate)) return `${name.charAt(0)}${operand(first)}`;
  return `${name}(${args.map(expressionText).join(', ')})`;
}

function operand(expr: Expr, within?: string): string {
  const { node } = expr;
  const isOperator =
    node.kind === 'call' && node.target === undefined && (isBinary(node.function) || node.function === operators.conditional);
  const isSame = node.kind === 'call' && node.function === within && (within === operators.logicalAnd || within === operators.logicalOr);
  return isOperator && !isSame ? `(${expressionText(expr)})` : expressionText(expr);
}

function isBinary(name: string): boolean {
  return name === operators.in || /^_[^\w[?]+_$/.test(name);
}

function symbolOf(name: string): string {
  return name === operators.in ? 'in' : name.slice(1, -1);
}
