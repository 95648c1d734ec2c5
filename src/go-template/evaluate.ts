import { quote } from '../go/quote.js';
import { notCallable } from './builtins.js';
import { type GoFunction, type Parameter, parameterType, type TemplateFunctions } from './functions.js';
import { type Command, type Operand, type Pipe, printCommand, printOperand } from './nodes.js';
import { elementOf, inner, isGoMap, isGoStruct, type TemplateValue, templateTypeOf, truth } from './values.js';

export interface TemplateVariable {
  readonly name: string;
  value: TemplateValue;
}

/** State of an evaluation. */
export interface Evaluation {
  readonly functions: TemplateFunctions;
  readonly variables: TemplateVariable[];
  /** Node for error messages. */
  node: { readonly at: number; readonly text: () => string } | undefined;
  /** Throws an error with the position and the text of the node. */
  fail(message: string): never;
}

/** There is no value from a previous command. */
const missing = Symbol('missing');
type Final = TemplateValue | typeof missing;

function at(state: Evaluation, node: Operand): void {
  state.node = { at: node.at, text: () => printOperand(node) };
}

/** Returns the value of a pipeline, and sets its variables. */
export function evaluatePipe(state: Evaluation, dot: TemplateValue, pipe: Pipe): TemplateValue {
  at(state, pipe);
  let value: Final = missing;
  for (const command of pipe.commands) {
    const found = inner(evaluateCommand(state, dot, { command, final: value }));
    value = found === null ? undefined : found;
  }
  const result = value === missing ? undefined : value;
  for (const name of pipe.variables) {
    if (!pipe.isAssignment) state.variables.push({ name, value: result });
    else {
      variableNamed(state, name).value = result;
    }
  }
  return result;
}

/** Source: text/template exec.go evalCommand. */
function evaluateCommand(
  state: Evaluation,
  dot: TemplateValue,
  { command, final }: { readonly command: Command; readonly final: Final },
): TemplateValue {
  const [first, ...args] = command.operands;
  if (first === undefined) return undefined;
  const hasArguments = args.length > 0 || final !== missing;
  if (first.type === 'identifier') return callFunction(state, dot, { function: first, command, args, final });
  if (first.type === 'field' || first.type === 'chain' || first.type === 'variable')
    return evaluatePath(state, dot, { node: first, hasArguments });
  if (first.type !== 'pipe') at(state, first);
  if (hasArguments) state.fail(`can't give argument to non-function ${printOperand(first)}`);
  if (first.type === 'nil') state.fail('nil is not a command');
  return first.type === 'pipe' ? evaluatePipe(state, dot, first) : constantOf(state, dot, first);
}

/** A variable may be assigned in a branch of the text, and not be there when the text is executed. */
function variableNamed(state: Evaluation, name: string): TemplateVariable {
  return state.variables.findLast(known => known.name === name) ?? state.fail(`undefined variable: ${name}`);
}

interface Path {
  readonly node: Operand & { readonly type: 'field' | 'chain' | 'variable' };
  readonly hasArguments: boolean;
}

function evaluatePath(state: Evaluation, dot: TemplateValue, { node, hasArguments }: Path): TemplateValue {
  at(state, node);
  let receiver = dot;
  let { names } = node;
  if (node.type === 'variable') {
    const [name = '', ...fields] = names;
    receiver = variableNamed(state, name).value;
    names = fields;
    if (fields.length === 0 && hasArguments) state.fail(`can't give argument to non-function ${printOperand(node)}`);
  } else if (node.type === 'chain') {
    if (node.inner.type === 'nil') state.fail(`indirection through explicit nil in ${printOperand(node)}`);
    at(state, node.inner);
    receiver = evaluateOperand(state, dot, node.inner);
  }
  for (const [i, name] of names.entries()) {
    receiver = fieldOf(state, { receiver, name, hasArguments: hasArguments && i === names.length - 1 });
  }
  return receiver;
}

interface FieldAccess {
  readonly receiver: TemplateValue;
  readonly name: string;
  readonly hasArguments: boolean;
}

/** Source: text/template exec.go evalField. */
function fieldOf(state: Evaluation, { receiver, name, hasArguments }: FieldAccess): TemplateValue {
  const value = inner(receiver);
  if (value === undefined) return undefined;
  if (value === null) return state.fail(`nil pointer evaluating interface {}.${name}`);
  if (isGoMap(value)) {
    if (hasArguments) state.fail(`${name} is not a method but has arguments`);
    return elementOf(value, value.entries.get(name));
  }
  const found = isGoStruct(value) ? value.field(name) : undefined;
  if (found === undefined) return state.fail(`can't evaluate field ${name} in type ${templateTypeOf(receiver)}`);
  if (hasArguments) state.fail(`${name} has arguments but cannot be invoked as function`);
  return found.value;
}

/** Returns the value of an operand that is not a command: an argument, or a term in parentheses. */
function evaluateOperand(state: Evaluation, dot: TemplateValue, node: Operand): TemplateValue {
  switch (node.type) {
    case 'pipe':
      return evaluatePipe(state, dot, node);
    case 'identifier':
      return callFunction(state, dot, { function: node, command: undefined, args: [], final: missing });
    case 'field':
    case 'chain':
    case 'variable':
      return evaluatePath(state, dot, { node, hasArguments: false });
    default:
      return constantOf(state, dot, node);
  }
}

function constantOf(state: Evaluation, dot: TemplateValue, node: Operand): TemplateValue {
  switch (node.type) {
    case 'dot':
      return dot;
    case 'bool':
      return node.value;
    case 'string':
      return node.text;
    case 'number':
      return numberOf(state, node);
    default:
      return undefined;
  }
}

/** The type of a number follows from its text. Source: exec.go idealConstant. */
function numberOf(state: Evaluation, { text, int, float }: Operand & { readonly type: 'number' }): TemplateValue {
  const isFloat = float !== undefined && !/^[+-]?0[xX]/.test(text) && /[.eEpP]/.test(text) && !text.startsWith("'");
  return isFloat ? float : (int ?? state.fail(`${text} overflows int`));
}

interface Call {
  readonly function: Operand & { readonly type: 'identifier' };
  /** The calling command; undefined if the function is an argument. */
  readonly command: Command | undefined;
  readonly args: readonly Operand[];
  readonly final: Final;
}

/** Source: exec.go evalFunction, evalCall. */
function callFunction(state: Evaluation, dot: TemplateValue, call: Call): TemplateValue {
  const { args, final, command } = call;
  const { name } = call.function;
  at(state, call.function);
  const called = state.functions.get(name) ?? state.fail(`${quote(name)} is not a defined function`);
  const count = args.length + (final === missing ? 0 : 1);
  const fixed = called.variadic ? called.parameters.length - 1 : called.parameters.length;
  if (called.variadic ? count < fixed : count !== fixed) {
    state.fail(
      `wrong number of args for ${name}: want ${called.variadic ? `at least ${fixed} got ${args.length}` : `${fixed} got ${count}`}`,
    );
  }
  if (name === 'and' || name === 'or') return shortCircuit(state, dot, call);
  const values = args.map((arg, i) => argumentOf(state, dot, { node: arg, parameter: parameterAt(called, i) }));
  if (final !== missing) values.push(checked(state, parameterAt(called, args.length), final));
  try {
    return name === 'call'
      ? notCallable(inner(values[0]), calleeText(args, final))
      : called.call(...(name === 'slice' ? values : values.map(inner)));
  } catch (error) {
    // A RangeError is the end of the stack, in endless templates.
    if (!(error instanceof Error) || error.name === 'TemplateError' || error instanceof RangeError) throw error;
    if (command === undefined) at(state, call.function);
    else state.node = { at: command.at, text: () => printCommand(command) };
    return state.fail(`error calling ${name}: ${error.message}`);
  }
}

/** What is called, in words of Go's error. Source: exec.go evalCall. */
function calleeText([callee]: readonly Operand[], final: Final): string {
  if (callee !== undefined) return printOperand(callee);
  return typeof final === 'string' ? final : `<${final === missing ? 'invalid' : templateTypeOf(final)} Value>`;
}

function parameterAt({ parameters }: GoFunction, i: number): Parameter {
  return parameters[Math.min(i, parameters.length - 1)] ?? 'any';
}

function shortCircuit(state: Evaluation, dot: TemplateValue, { function: { name }, args, final }: Call): TemplateValue {
  let value: TemplateValue;
  for (const arg of args) {
    value = inner(argumentOf(state, dot, { node: arg, parameter: 'value' }));
    if (truth(value) === (name === 'or')) return value;
  }
  return final === missing ? value : final;
}

/** Source: exec.go evalArg. */
function argumentOf(
  state: Evaluation,
  dot: TemplateValue,
  { node, parameter }: { readonly node: Operand; readonly parameter: Parameter },
): TemplateValue {
  at(state, node);
  if (node.type === 'nil') return canBeNil(parameter) ? undefined : state.fail(`cannot assign nil to ${parameterType(parameter)}`);
  const isLiteral = node.type === 'bool' || node.type === 'string' || node.type === 'number';
  if (!isLiteral) return checked(state, parameter, evaluateOperand(state, dot, node));
  if (parameter === 'any' || parameter === 'value') return constantOf(state, dot, node);
  return literalFor(state, node, parameter);
}

function literalFor(
  state: Evaluation,
  node: Operand & { readonly type: 'bool' | 'string' | 'number' },
  parameter: Parameter,
): TemplateValue {
  const text = printOperand(node);
  const refuse = (wanted: string): never => state.fail(`expected ${wanted}; found ${text}`);
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
      return state.fail(`can't handle ${text} for arg of type ${parameterType(parameter)}`);
  }
}

function canBeNil(parameter: Parameter): boolean {
  return ['any', 'value', 'map', 'stringMap', 'list'].includes(String(parameter));
}

/** Source: exec.go validateType. */
function checked(state: Evaluation, parameter: Parameter, given: TemplateValue): TemplateValue {
  const value = inner(given);
  const wanted = parameterType(parameter);
  if (value === undefined || value === null) {
    if (parameter === 'any' || parameter === 'value' || (value === undefined && canBeNil(parameter))) return value;
    return state.fail(value === null ? `wrong type for value; expected ${wanted}; got interface {}` : `invalid value; expected ${wanted}`);
  }
  if (parameter === 'value') return given;
  if (parameter === 'any' || templateTypeOf(value) === wanted) return value;
  return state.fail(`wrong type for value; expected ${wanted}; got ${templateTypeOf(value)}`);
}
