import { quote } from '../go/quote.js';
import { type Evaluation, evaluatePipe } from './evaluate.js';
import type { TemplateFunctions } from './functions.js';
import { type Branch, printPipe, type TemplateNode } from './nodes.js';
import type { Templates } from './parser.js';
import { printValue } from './print.js';
import { TemplateError } from './template-error.js';
import { byteLength, elementOf, isGoList, isGoMap, sortedKeys, type TemplateValue, truth, withoutType } from './values.js';

/** Parsed templates and the functions that they may call. */
export interface TemplateProgram {
  readonly name: string;
  readonly text: string;
  readonly templates: Templates;
  readonly functions: TemplateFunctions;
}

/** Thrown by `{{break}}` and `{{continue}}`. */
type Flow = 'on' | 'break' | 'continue';

interface State extends Evaluation {
  readonly program: TemplateProgram;
  readonly out: string[];
}

/** Renders a template for data. Throws TemplateError. Source: text/template exec.go. */
export function execute(program: TemplateProgram, data: TemplateValue): string {
  const out: string[] = [];
  const state = stateFor(program, { name: program.name, dot: data, out });
  walkAll(state, data, program.templates.get(program.name) ?? []);
  return out.join('');
}

function stateFor(
  program: TemplateProgram,
  { name, dot, out }: { readonly name: string; readonly dot: TemplateValue; readonly out: string[] },
): State {
  return {
    program,
    out,
    functions: program.functions,
    variables: [{ name: '$', value: dot }],
    node: undefined,
    fail(message) {
      const { at = 0, text = () => '' } = this.node ?? {};
      const before = program.text.slice(0, at);
      const line = before.split('\n').length;
      const column = byteLength(before.slice(before.lastIndexOf('\n') + 1));
      throw new TemplateError(`template: ${program.name}:${line}:${column}: executing ${quote(name)} at <${text()}>: ${message}`);
    },
  };
}

function walkAll(state: State, dot: TemplateValue, nodes: readonly TemplateNode[]): Flow {
  for (const node of nodes) {
    const flow = walk(state, dot, node);
    if (flow !== 'on') return flow;
  }
  return 'on';
}

function walk(state: State, dot: TemplateValue, node: TemplateNode): Flow {
  if (node.type !== 'text') state.node = { at: node.at, text: () => nodeText(node) };
  switch (node.type) {
    case 'text':
      state.out.push(node.text);
      return 'on';
    case 'action': {
      const value = evaluatePipe(state, dot, node.pipe);
      if (node.pipe.variables.length === 0) state.out.push(value === undefined ? '<no value>' : printValue(value));
      return 'on';
    }
    case 'if':
    case 'with':
      return walkCondition(state, dot, node);
    case 'range':
      return walkRange(state, dot, node);
    case 'template':
      walkTemplate(state, dot, node);
      return 'on';
    default:
      return node.type;
  }
}

function walkCondition(state: State, dot: TemplateValue, { type, pipe, list, otherwise }: Branch): Flow {
  const mark = state.variables.length;
  const value = evaluatePipe(state, dot, pipe);
  const flow = truth(value) ? walkAll(state, type === 'with' ? value : dot, list) : walkAll(state, dot, otherwise ?? []);
  state.variables.length = mark;
  return flow;
}

function walkRange(state: State, dot: TemplateValue, node: Branch): Flow {
  const { pipe, list, otherwise } = node;
  const outer = state.variables.length;
  const value = withoutType(evaluatePipe(state, dot, pipe));
  const inner = state.variables.length;
  const count = pipe.variables.length;
  let entries: readonly (readonly [TemplateValue, TemplateValue])[];
  if (isGoList(value)) entries = value.items.map((item, i) => [BigInt(i), elementOf(value, item)]);
  else if (isGoMap(value)) entries = sortedKeys(value).map(key => [key, elementOf(value, value.entries.get(key))]);
  else if (typeof value === 'bigint') {
    if (count > 1) state.fail(`can't use ${value} to iterate over more than one variable`);
    entries = Array.from({ length: Math.max(0, Number(value)) }, (_, i) => [undefined, BigInt(i)]);
  } else if (value === undefined || value === null) entries = [];
  else return state.fail(`range can't iterate over ${printValue(value)}`);
  for (const [index, item] of entries) {
    bind(state, node, { index, item, inner });
    const flow = walkAll(state, item, list);
    state.variables.length = inner;
    if (flow === 'break') break;
  }
  const flow = entries.length === 0 ? walkAll(state, dot, otherwise ?? []) : 'on';
  state.variables.length = outer;
  return flow;
}

interface Iteration {
  readonly index: TemplateValue;
  readonly item: TemplateValue;
  /** Number of variables, including those of the range. */
  readonly inner: number;
}

function bind(state: State, { pipe }: Branch, { index, item, inner }: Iteration): void {
  const { variables: names, isAssignment } = pipe;
  const values = names.length > 1 ? [index, item] : [item];
  for (const [i, name] of names.entries()) {
    const variable = isAssignment ? state.variables.findLast(known => known.name === name) : state.variables[inner - names.length + i];
    if (variable !== undefined) variable.value = values[i];
  }
}

/** Returns a node as errors print it. Source: text/template/parse node.go String. */
function nodesText(nodes: readonly TemplateNode[]): string {
  return nodes.map(nodeText).join('');
}

function nodeText(node: TemplateNode): string {
  switch (node.type) {
    case 'text':
      return node.text;
    case 'action':
      return `{{${printPipe(node.pipe)}}}`;
    case 'template':
      return `{{template ${quote(node.name)}${node.pipe === undefined ? '' : ` ${printPipe(node.pipe)}`}}}`;
    case 'break':
    case 'continue':
      return `{{${node.type}}}`;
    default: {
      const end = node.otherwise === undefined ? '' : `{{else}}${nodesText(node.otherwise)}`;
      return `{{${node.type} ${printPipe(node.pipe)}}}${nodesText(node.list)}${end}{{end}}`;
    }
  }
}

function walkTemplate(state: State, dot: TemplateValue, node: TemplateNode & { readonly type: 'template' }): void {
  const nodes = state.program.templates.get(node.name) ?? state.fail(`template ${quote(node.name)} not defined`);
  const inner = node.pipe === undefined ? undefined : evaluatePipe(state, dot, node.pipe);
  try {
    walkAll(stateFor(state.program, { name: node.name, dot: inner, out: state.out }), inner, nodes);
  } catch (error) {
    // The stack of JavaScript ends earlier than Go's limit.
    if (!(error instanceof RangeError)) throw error;
    state.node = { at: node.at, text: () => nodeText(node) };
    state.fail('exceeded maximum template depth (100000)');
  }
}
