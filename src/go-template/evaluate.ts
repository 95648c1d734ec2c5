import { quote } from '../kubernetes/quote.js';
import { type Functions, type GoFunction, type Parameter, parameterType } from './functions.js';
import { type Command, type Operand, type Pipe, printCommand, printOperand } from './nodes.js';
import { type GoValue, isGoMap, isGoStruct, truth, typeOf } from './values.js';

export interface Variable {
  readonly name: string;
  value: GoValue;
}

/** What evaluation needs. */
export interface Evaluation {
  readonly functions: Functions;
  readonly variables: Variable[];
  /** Throws the error of a node: its place, its text and a message. */
  readonly fail: (at: number, context: string, message: string) => never;
}

/** No value comes from the command before. */
const missing = Symbol('missing');
type Final = GoValue | typeof missing;

interface Node {
  readonly at: number;
  readonly text: string;
}

/** The value of a pipeline; sets its variables. */
export function evaluatePipe(state: Evaluation, dot: GoValue, pipe: Pipe): GoValue {
  let value: Final = missing;
  for (const command of pipe.commands) {
    const found = evaluateCommand(state, dot, { command, final: value });
    value = found === null ? undefined : found;
  }
  const result = value === missing ? undefined : value;
  for (const name of pipe.variables) {
    if (!pipe.isAssignment) state.variables.push({ name, value: result });
    else {
      const variable = state.variables.findLast(known => known.name === name);
      if (variable !== undefined) variable.value = result;
    }
  }
  return result;
}

function evaluateCommand(
  state: Evaluation,
  dot: GoValue,
  { command, final }: { readonly command: Command; readonly final: Final },
): GoValue {
  const [first, ...args] = command.operands;
  if (first === undefined) return undefined;
  const hasArguments = args.length > 0 || final !== missing;
  switch (first.type) {
    case 'identifier':
      return callFunction(state, dot, { name: first.name, node: { at: command.at, text: printCommand(command) }, args, final });
    case 'field':
    case 'chain':
    case 'variable':
      return evaluatePath(state, dot, first, hasArguments);
    default: {
      const text = printOperand(first);
      if (hasArguments) state.fail(first.at, text, `can't give argument to non-function ${text}`);
      if (first.type === 'nil') state.fail(first.at, text, 'nil is not a command');
      return evaluateOperand(state, dot, first);
    }
  }
}

function evaluatePath(
  state: Evaluation,
  dot: GoValue,
  node: Operand & { readonly names: readonly string[] },
  hasArguments: boolean,
): GoValue {
  const text = printOperand(node);
  let receiver = dot;
  let { names } = node;
  if (node.type === 'variable') {
    const [name = '', ...fields] = names;
    receiver = state.variables.findLast(known => known.name === name)?.value;
    names = fields;
    if (fields.length === 0 && hasArguments) state.fail(node.at, text, `can't give argument to non-function ${text}`);
  } else if (node.type === 'chain') {
    if (node.inner.type === 'nil') state.fail(node.at, text, `indirection through explicit nil in ${text}`);
    receiver = evaluateOperand(state, dot, node.inner);
  }
  for (const [i, name] of names.entries()) {
    receiver = fieldOf(state, { at: node.at, text }, { receiver, name, hasArguments: hasArguments && i === names.length - 1 });
  }
  return receiver;
}

interface FieldAccess {
  readonly receiver: GoValue;
  readonly name: string;
  readonly hasArguments: boolean;
}

/** Source: text/template exec.go evalField. */
function fieldOf(state: Evaluation, { at, text }: Node, { receiver, name, hasArguments }: FieldAccess): GoValue {
  if (receiver === undefined) return undefined;
  if (receiver === null) return state.fail(at, text, `nil pointer evaluating interface {}.${name}`);
  if (isGoMap(receiver)) {
    if (hasArguments) state.fail(at, text, `${name} is not a method but has arguments`);
    return receiver.entries.get(name);
  }
  const found = isGoStruct(receiver) ? receiver.field(name) : undefined;
  if (found === undefined) return state.fail(at, text, `can't evaluate field ${name} in type ${shownType(receiver)}`);
  if (hasArguments) state.fail(at, text, `${name} has arguments but cannot be invoked as function`);
  return found.value;
}

/** Values inside maps and slices of anything are interfaces. */
function shownType(value: GoValue): string {
  return isGoStruct(value) ? value.type : isGoMap(value) ? typeOf(value) : typeOf(value);
}

/** The value of an operand that is no command: an argument, or a term in parentheses. */
function evaluateOperand(state: Evaluation, dot: GoValue, node: Operand): GoValue {
  switch (node.type) {
    case 'dot':
      return dot;
    case 'nil':
      return undefined;
    case 'bool':
      return node.value;
    case 'string':
      return node.text;
    case 'number':
      return numberOf(state, node);
    case 'pipe':
      return evaluatePipe(state, dot, node);
    case 'identifier':
      return callFunction(state, dot, { name: node.name, node: { at: node.at, text: node.name }, args: [], final: missing });
    default:
      return evaluatePath(state, dot, node, false);
  }
}

/** The type of a number follows from its text. Source: exec.go idealConstant. */
function numberOf(state: Evaluation, node: Operand & { readonly type: 'number' }): GoValue {
  const { text, int, float } = node;
  if (float !== undefined && !/^[+-]?0[xX]/.test(text) && /[.eEpP]/.test(text) && !text.startsWith("'")) return float;
  return int ?? state.fail(node.at, text, `${text} overflows int`);
}

interface Call {
  readonly name: string;
  readonly node: Node;
  readonly args: readonly Operand[];
  readonly final: Final;
}

/** Source: exec.go evalFunction, evalCall. */
function callFunction(state: Evaluation, dot: GoValue, call: Call): GoValue {
  const { name, node, args, final } = call;
  const called = state.functions.get(name);
  if (called === undefined) return state.fail(node.at, node.text, `${quote(name)} is not a defined function`);
  const count = args.length + (final === missing ? 0 : 1);
  const fixed = called.variadic ? called.parameters.length - 1 : called.parameters.length;
  // The functions that take one value and more of them have one fixed parameter before the others.
  if (called.variadic ? count < fixed : count !== fixed) {
    const wanted = called.variadic ? `at least ${fixed} got ${args.length}` : `${fixed} got ${count}`;
    state.fail(nameAt(call), name, `wrong number of args for ${name}: want ${wanted}`);
  }
  if (name === 'and' || name === 'or') return shortCircuit(state, dot, call);
  const values = args.map((arg, i) => argumentOf(state, dot, { node: arg, parameter: parameterAt(called, i) }));
  if (final !== missing)
    values.push(checked(state, { node: { at: nameAt(call), text: name }, parameter: parameterAt(called, args.length), value: final }));
  try {
    return called.call(...values);
  } catch (error) {
    if (!(error instanceof Error) || error.name === 'TemplateError') throw error;
    return state.fail(node.at, node.text, `error calling ${name}: ${error.message}`);
  }
}

/** Where Go was when it looked at a call's arguments. */
function nameAt({ node }: Call): number {
  return node.at;
}

function parameterAt({ parameters }: GoFunction, i: number): Parameter {
  return parameters[Math.min(i, parameters.length - 1)] ?? 'any';
}

function shortCircuit(state: Evaluation, dot: GoValue, { name, args, final }: Call): GoValue {
  let value: GoValue;
  for (const arg of args) {
    value = argumentOf(state, dot, { node: arg, parameter: 'value' });
    if (truth(value) === (name === 'or')) return value;
  }
  return final === missing ? value : final;
}

/** Source: exec.go evalArg. */
function argumentOf(
  state: Evaluation,
  dot: GoValue,
  { node, parameter }: { readonly node: Operand; readonly parameter: Parameter },
): GoValue {
  const text = printOperand(node);
  if (node.type === 'nil') {
    if (canBeNil(parameter)) return undefined;
    return state.fail(node.at, text, `cannot assign nil to ${parameterType(parameter)}`);
  }
  const isLiteral = node.type === 'bool' || node.type === 'string' || node.type === 'number';
  if (!isLiteral) return checked(state, { node: { at: node.at, text }, parameter, value: evaluateOperand(state, dot, node) });
  if (parameter === 'any' || parameter === 'value') return evaluateOperand(state, dot, node);
  return literalFor(state, node, parameter);
}

function literalFor(state: Evaluation, node: Operand & { readonly type: 'bool' | 'string' | 'number' }, parameter: Parameter): GoValue {
  const text = printOperand(node);
  const refuse = (wanted: string): never => state.fail(node.at, text, `expected ${wanted}; found ${text}`);
  switch (parameter) {
    case 'string':
      return node.type === 'string' ? node.text : refuse('string');
    case 'bool':
      return node.type === 'bool' ? node.value : refuse('bool');
    case 'int':
      return node.type === 'number' && node.int !== undefined ? node.int : refuse('integer');
    case 'float':
      return node.type === 'number' && node.float !== undefined ? node.float : refuse('float');
    default:
      return state.fail(node.at, text, `can't handle ${text} for arg of type ${parameterType(parameter)}`);
  }
}

function canBeNil(parameter: Parameter): boolean {
  return ['any', 'value', 'map', 'stringMap', 'list'].includes(String(parameter));
}

interface Checked {
  readonly node: Node;
  readonly parameter: Parameter;
  readonly value: GoValue;
}

/** Source: exec.go validateType. */
function checked(state: Evaluation, { node, parameter, value }: Checked): GoValue {
  const wanted = parameterType(parameter);
  if (value === undefined || value === null) {
    if (canBeNil(parameter)) return value;
    return state.fail(
      node.at,
      node.text,
      value === null ? `wrong type for value; expected ${wanted}; got interface {}` : `invalid value; expected ${wanted}`,
    );
  }
  if (parameter === 'any' || parameter === 'value' || typeOf(value) === wanted) return value;
  return state.fail(node.at, node.text, `wrong type for value; expected ${wanted}; got ${typeOf(value)}`);
}
