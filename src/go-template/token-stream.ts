import { quote } from '../go/quote.js';
import { type Token, tokensOf } from './lexer.js';
import { TemplateError } from './template-error.js';

/** Tokens of a template, and error reporting. Source: text/template/parse parse.go. */
export class TokenStream {
  private readonly tokens: readonly Token[];
  protected at = 0;

  constructor(
    private readonly name: string,
    private readonly text: string,
  ) {
    this.tokens = tokensOf(text);
  }

  protected fail(message: string): never {
    const at = this.tokens[Math.min(Math.max(this.at - 1, 0), this.tokens.length - 1)]?.at ?? 0;
    throw new TemplateError(`template: ${this.name}:${this.lineOf(at)}: ${message}`);
  }

  protected lineOf(at: number): number {
    return this.text.slice(0, at).split('\n').length;
  }

  protected next(): Token {
    const token = this.tokens[this.at] ?? { type: 'eof', at: this.text.length, text: '' };
    this.at += 1;
    if (token.type === 'error') this.fail(token.text);
    return token;
  }

  protected peek(): Token {
    const token = this.next();
    this.at -= 1;
    return token;
  }

  protected nextNonSpace(): Token {
    const token = this.next();
    return token.type === 'space' ? this.next() : token;
  }

  protected peekNonSpace(): Token {
    const from = this.at;
    const token = this.nextNonSpace();
    this.at = from;
    return token;
  }

  protected unexpected(token: Token, context: string): never {
    const shown = token.type === 'eof' ? 'EOF' : token.type === 'keyword' ? `<${token.text}>` : quoteShort(token.text);
    return this.fail(`unexpected ${shown} in ${context}`);
  }

  protected expect(type: Token['type'], context: string): Token {
    const token = this.nextNonSpace();
    return token.type === type ? token : this.unexpected(token, context);
  }
}

/** Long text is truncated. Source: lex.go item.String. */
function quoteShort(text: string): string {
  return text.length > 10 ? `${quote(text.slice(0, 10))}...` : quote(text);
}
