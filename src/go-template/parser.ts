import { quote } from '../go/quote.js';
import { unquote } from '../go/unquote.js';
import type { TemplateToken } from './lexer.js';
import type { Branch, Command, Operand, Pipe, TemplateNode } from './nodes.js';
import { isEmptyList, numberTerm, pipelineFault, printTerm, startsOperand } from './terms.js';
import { TemplateTokenStream } from './token-stream.js';

/** Templates defined in one text, by name. */
export type Templates = Map<string, readonly TemplateNode[]>;

/**
 * Parses a text and the templates that it defines. `functions` are the names of known functions. Throws TemplateError with Go's message and
 * the line. Source: text/template/parse parse.go.
 */
export function parseTemplate(name: string, text: string, functions: { has(name: string): boolean }): Templates {
  const templates: Templates = new Map();
  const parser = new Parser(name, text, { functions, templates });
  parser.define(name, parser.parseAll());
  return templates;
}

interface Context {
  readonly functions: { has(name: string): boolean };
  readonly templates: Templates;
}

type Ended = { readonly nodes: TemplateNode[]; readonly end: 'end' | 'else' | 'eof' };

class Parser extends TemplateTokenStream {
  private variables: string[] = ['$'];
  private rangeDepth = 0;

  constructor(
    name: string,
    text: string,
    private readonly context: Context,
  ) {
    super(name, text);
  }

  parseAll(): TemplateNode[] {
    const { nodes, end } = this.list(true);
    if (end !== 'eof') this.fail(`unexpected {{${end}}}`);
    return nodes;
  }

  /** Adds a template; an empty one does not replace another. */
  define(name: string, nodes: readonly TemplateNode[]): void {
    const known = this.context.templates.get(name);
    if (known === undefined || isEmptyList(known)) this.context.templates.set(name, nodes);
    else if (!isEmptyList(nodes)) this.fail(`template: multiple definition of template ${quote(name)}`);
  }

  /** Parses nodes up to the end, `{{end}}` or `{{else}}`. */
  private list(isTop = false): Ended {
    const nodes: TemplateNode[] = [];
    for (;;) {
      const token = this.nextNonSpace();
      if (token.type === 'eof') {
        if (!isTop) this.fail('unexpected EOF');
        return { nodes, end: 'eof' };
      }
      if (token.type === 'text') nodes.push({ type: 'text', at: token.at, text: token.text });
      else if (token.type === 'left') {
        this.actionLine = this.lineOf(token.at);
        const node = this.action(isTop);
        this.actionLine = undefined;
        if (node === 'end' || node === 'else') return { nodes, end: node };
        if (node !== undefined) nodes.push(node);
      } else this.unexpected(token, 'input');
    }
  }

  private action(isTop: boolean): TemplateNode | 'end' | 'else' | undefined {
    const token = this.nextNonSpace();
    if (token.type === 'keyword') return this.keyword(token, isTop);
    this.at -= 1;
    const at = this.peek().at;
    const pipe = this.pipeline('command', 'right');
    return { type: 'action', at, pipe };
  }

  private keyword(token: TemplateToken, isTop: boolean): TemplateNode | 'end' | 'else' | undefined {
    switch (token.text) {
      case 'end':
        this.expect('right', 'end');
        return 'end';
      case 'else': {
        // `{{else if` and `{{else with` are parsed by their branch.
        const next = this.peekNonSpace();
        if (next.type === 'keyword' && (next.text === 'if' || next.text === 'with')) return 'else';
        this.expect('right', 'else');
        return 'else';
      }
      case 'if':
      case 'range':
      case 'with':
        return this.branch(token.text);
      case 'template':
        return this.templateCall();
      case 'block':
        return this.block();
      case 'define':
        if (!isTop) this.unexpected(token, 'command');
        this.definition();
        return undefined;
      default: {
        const type = token.text === 'break' ? 'break' : 'continue';
        const after = this.nextNonSpace();
        if (after.type !== 'right') this.unexpected(after, `{{${type}}}`);
        if (this.rangeDepth === 0) this.fail(`{{${type}}} outside {{range}}`);
        return { type, at: token.at };
      }
    }
  }

  private branch(type: Branch['type']): Branch {
    const depth = this.variables.length;
    const pipe = this.pipeline(type, 'right');
    if (type === 'range') this.rangeDepth += 1;
    const { nodes, end } = this.list();
    if (type === 'range') this.rangeDepth -= 1;
    let otherwise: readonly TemplateNode[] | undefined;
    if (end === 'else') otherwise = this.otherwise(type);
    this.variables.length = depth;
    return { type, at: pipe.at, pipe, list: nodes, otherwise };
  }

  private otherwise(type: Branch['type']): readonly TemplateNode[] {
    const next = this.peekNonSpace();
    if (next.type === 'keyword' && (next.text === 'if' || next.text === 'with')) {
      if (next.text !== type) this.unexpected(this.nextNonSpace(), 'input');
      this.nextNonSpace();
      return [this.branch(next.text)];
    }
    const { nodes, end } = this.list();
    if (end !== 'end') this.fail(`expected end; found {{${end}}}`);
    return nodes;
  }

  private templateName(token: TemplateToken, context: string): string {
    const name = token.type === 'string' || token.type === 'rawString' ? unquote(token.text) : undefined;
    return name ?? this.unexpected(token, context);
  }

  private templateCall(): TemplateNode {
    const token = this.nextNonSpace();
    const name = this.templateName(token, 'template clause');
    if (this.peekNonSpace().type === 'right') {
      this.nextNonSpace();
      return { type: 'template', at: token.at, name, pipe: undefined };
    }
    return { type: 'template', at: token.at, name, pipe: this.pipeline('template clause', 'right') };
  }

  private block(): TemplateNode {
    const token = this.nextNonSpace();
    const name = this.templateName(token, 'block clause');
    const pipe = this.pipeline('block clause', 'right');
    const { lastLine } = this;
    const end = this.inner(name);
    // Go reports the line of the block's own clause.
    if (end !== 'end') this.fail(`unexpected {{${end}}} in block clause`, { line: lastLine });
    return { type: 'template', at: token.at, name, pipe };
  }

  private definition(): void {
    // Its errors do not name the start of the action.
    this.actionLine = undefined;
    const name = this.templateName(this.nextNonSpace(), 'define clause');
    this.expect('right', 'define clause');
    const end = this.inner(name);
    if (end !== 'end') this.fail(`unexpected {{${end}}} in define clause`);
  }

  /** Parses and defines the body of a nested template, which cannot access variables of the outer one. Returns its end. */
  private inner(name: string): Ended['end'] {
    const { variables, rangeDepth, actionLine } = this;
    this.variables = ['$'];
    this.rangeDepth = 0;
    this.actionLine = undefined;
    const { nodes, end } = this.list();
    if (end === 'end') this.define(name, nodes);
    this.variables = variables;
    this.rangeDepth = rangeDepth;
    this.actionLine = actionLine;
    return end;
  }

  private pipeline(context: string, closing: 'right' | 'rightParen'): Pipe {
    const at = this.peekNonSpace().at;
    const { variables, isAssignment } = this.declarations(context);
    const commands: Command[] = [];
    for (;;) {
      const token = this.nextNonSpace();
      if (token.type === closing) {
        const fault = pipelineFault(commands, context);
        if (fault !== undefined) this.fail(fault);
        return { type: 'pipe', at, variables, isAssignment, commands };
      }
      if (!startsOperand(token)) this.unexpected(token, context);
      this.at -= 1;
      commands.push(this.command());
    }
  }

  /** `$a := `, `$a = ` or, in a range, `$i, $a := ` before a pipeline. */
  private declarations(context: string): Pick<Pipe, 'variables' | 'isAssignment'> {
    const names: string[] = [];
    for (;;) {
      const start = this.at;
      const token = this.peekNonSpace();
      if (token.type !== 'variable') return { variables: names, isAssignment: false };
      this.nextNonSpace();
      const next = this.nextNonSpace();
      if (next.type === 'declare' || next.type === 'assign') {
        names.push(token.text);
        this.variables.push(token.text);
        return { variables: names, isAssignment: next.type === 'assign' };
      }
      if (next.type === 'comma') {
        names.push(token.text);
        this.variables.push(token.text);
        if (context === 'range' && names.length < 2) {
          if (['variable', 'right', 'rightParen'].includes(this.peekNonSpace().type)) continue;
          this.fail('range can only initialize variables');
        }
        this.fail(`too many declarations in ${context}`);
      }
      this.at = start;
      return { variables: names, isAssignment: false };
    }
  }

  private command(): Command {
    const at = this.peekNonSpace().at;
    const operands: Operand[] = [];
    for (;;) {
      const first = this.nextNonSpace();
      this.at -= 1;
      if (startsOperand(first)) operands.push(this.operand());
      const token = this.next();
      if (token.type === 'space') continue;
      if (token.type === 'right' || token.type === 'rightParen') this.at -= 1;
      else if (token.type !== 'pipe') this.unexpected(token, 'operand');
      break;
    }
    if (operands.length === 0) this.fail('empty command');
    return { at, operands };
  }

  private operand(): Operand {
    const inner = this.term();
    const names: string[] = [];
    // As in Go, the node has the position of the token after its first part.
    const { at } = this.peek();
    while (this.peek().type === 'field') names.push(this.next().text.slice(1));
    if (names.length === 0) return inner;
    switch (inner.type) {
      case 'field':
      case 'variable':
        return { ...inner, at, names: [...inner.names, ...names] };
      case 'bool':
      case 'string':
      case 'number':
      case 'nil':
      case 'dot':
        return this.fail(`unexpected . after term ${quote(printTerm(inner))}`);
      default:
        return { type: 'chain', at, inner, names };
    }
  }

  private term(): Operand {
    const token = this.nextNonSpace();
    const { at, text } = token;
    switch (token.type) {
      case 'identifier':
        if (!this.context.functions.has(text)) this.fail(`function ${quote(text)} not defined`, { at });
        return { type: 'identifier', at, name: text };
      case 'dot':
      case 'nil':
        return { type: token.type, at };
      case 'variable':
        if (!this.variables.includes(text)) this.fail(`undefined variable ${quote(text)}`, { at });
        return { type: 'variable', at, names: [text] };
      case 'field':
        return { type: 'field', at, names: [text.slice(1)] };
      case 'bool':
        return { type: 'bool', at, value: text === 'true' };
      case 'leftParen':
        return { ...this.pipeline('parenthesized pipeline', 'rightParen'), at };
      case 'string':
      case 'rawString':
        return { type: 'string', at, quoted: text, text: unquote(text) ?? this.fail('invalid syntax') };
      default:
        return numberTerm(token, message => this.fail(message));
    }
  }
}
