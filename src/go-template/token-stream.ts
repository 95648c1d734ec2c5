import { quote } from '../go/quote.js';
import { type TemplateToken, tokensOfTemplate } from './lexer.js';
import { TemplateError } from './template-error.js';

/** Tokens of a template, and error reporting. Source: text/template/parse parse.go. */
export class TemplateTokenStream {
  private readonly tokens: readonly TemplateToken[];
  private position = 0;
  /** Index of the next token that was not looked at. */
  private seen = 0;
  /** Line of the action that is parsed. */
  protected actionLine: number | undefined;

  constructor(
    private readonly name: string,
    private readonly text: string,
  ) {
    this.tokens = tokensOfTemplate(text);
  }

  /** Offset of the last token that was looked at. */
  private get lastOffset(): number {
    return this.tokens[Math.min(Math.max(this.seen - 1, 0), this.tokens.length - 1)]?.at ?? 0;
  }

  /** Line of that token, which errors report. */
  protected get lastLine(): number {
    return this.lineOf(this.lastOffset);
  }

  /** Throws for the last token that was looked at; `at` is the offset of another one, whose line Go does not report. */
  protected fail(message: string, { line = this.lastLine, at = this.lastOffset } = {}): never {
    throw new TemplateError(`template: ${this.name}:${line}: ${message}`, at);
  }

  protected lineOf(at: number): number {
    return this.text.slice(0, at).split('\n').length;
  }

  protected get at(): number {
    return this.position;
  }

  protected set at(index: number) {
    this.position = index;
    this.seen = Math.max(this.seen, index);
  }

  protected next(): TemplateToken {
    const token = this.tokens[this.at] ?? { type: 'eof', at: this.text.length, text: '' };
    this.at += 1;
    return token;
  }

  protected peek(): TemplateToken {
    const token = this.next();
    this.at -= 1;
    return token;
  }

  protected nextNonSpace(): TemplateToken {
    const token = this.next();
    return token.type === 'space' ? this.next() : token;
  }

  protected peekNonSpace(): TemplateToken {
    const from = this.at;
    const token = this.nextNonSpace();
    this.at = from;
    return token;
  }

  protected unexpected(token: TemplateToken, context: string): never {
    return this.fail(token.type === 'error' ? this.lexicalError(token) : `unexpected ${shownToken(token)} in ${context}`);
  }

  private lexicalError({ text, at }: TemplateToken): string {
    if (this.actionLine === undefined || this.actionLine === this.lineOf(at)) return text;
    // "unclosed action" is followed by its start without the word "action".
    return `${text} ${text.endsWith(' action') ? '' : 'in action '}started at ${this.name}:${this.actionLine}`;
  }

  protected expect(type: TemplateToken['type'], context: string): TemplateToken {
    const token = this.nextNonSpace();
    return token.type === type ? token : this.unexpected(token, context);
  }
}

/** Long text is truncated. Source: lex.go item.String. */
function shownToken({ type, text }: TemplateToken): string {
  if (type === 'eof') return 'EOF';
  if (type === 'keyword' || type === 'dot' || type === 'nil') return `<${text}>`;
  return Buffer.byteLength(text) > 10 ? `${quote([...text].slice(0, 10).join(''))}...` : quote(text);
}
