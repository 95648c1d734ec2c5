/** Nodes of a parsed template, in order. `at` is the offset of a node in the text. */
export type TemplateNode =
  | { readonly type: 'text'; readonly at: number; readonly text: string }
  | { readonly type: 'action'; readonly at: number; readonly pipe: Pipe }
  | Branch
  | { readonly type: 'template'; readonly at: number; readonly name: string; readonly pipe: Pipe | undefined }
  | { readonly type: 'break' | 'continue'; readonly at: number };

export interface Branch {
  readonly type: 'if' | 'range' | 'with';
  readonly at: number;
  readonly pipe: Pipe;
  readonly list: readonly TemplateNode[];
  readonly otherwise: readonly TemplateNode[] | undefined;
}

/** Commands; each gets the result of the previous one as its last argument. */
export interface Pipe {
  readonly type: 'pipe';
  readonly at: number;
  /** Declared or assigned variables, with their dollar signs. */
  readonly variables: readonly string[];
  readonly isAssignment: boolean;
  readonly commands: readonly Command[];
}

export interface Command {
  readonly at: number;
  /** Function or value, and its arguments. */
  readonly operands: readonly Operand[];
}

export type Operand =
  | Pipe
  | { readonly type: 'dot' | 'nil'; readonly at: number }
  | { readonly type: 'bool'; readonly at: number; readonly value: boolean }
  | {
      readonly type: 'number';
      readonly at: number;
      readonly text: string;
      readonly int: bigint | undefined;
      readonly float: number | undefined;
    }
  | { readonly type: 'string'; readonly at: number; readonly text: string; readonly quoted: string }
  | { readonly type: 'identifier'; readonly at: number; readonly name: string }
  | { readonly type: 'field'; readonly at: number; readonly names: readonly string[] }
  | { readonly type: 'variable'; readonly at: number; readonly names: readonly string[] }
  | { readonly type: 'chain'; readonly at: number; readonly inner: Operand; readonly names: readonly string[] };

/** Returns a node as Go prints it in error messages. Source: text/template/parse node.go String. */
export function printOperand(node: Operand): string {
  switch (node.type) {
    case 'dot':
      return '.';
    case 'nil':
      return 'nil';
    case 'bool':
      return String(node.value);
    case 'number':
      return node.text;
    case 'string':
      return node.quoted;
    case 'identifier':
      return node.name;
    case 'field':
      return node.names.map(name => `.${name}`).join('');
    case 'variable':
      return node.names.join('.');
    case 'chain':
      return `${node.inner.type === 'pipe' ? `(${printPipe(node.inner)})` : printOperand(node.inner)}${node.names.map(name => `.${name}`).join('')}`;
    case 'pipe':
      return printPipe(node);
  }
}

/** Source: parse PipeNode.String. */
export function printPipe(pipe: Pipe): string {
  const declared = pipe.variables.length === 0 ? '' : `${pipe.variables.join(', ')} ${pipe.isAssignment ? '=' : ':='} `;
  return declared + pipe.commands.map(printCommand).join(' | ');
}

/** Source: parse CommandNode.String. */
export function printCommand({ operands }: Command): string {
  return operands.map(operand => (operand.type === 'pipe' ? `(${printPipe(operand)})` : printOperand(operand))).join(' ');
}
