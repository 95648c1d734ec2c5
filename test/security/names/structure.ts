import { XmlDocument, XmlElement } from 'libxml2-wasm';
import { marked, type Token } from 'marked';
import { type DefaultTreeAdapterTypes, parse as parseHtml } from 'parse5';
import { parseAllDocuments } from 'yaml';

/** What a parser finds in a text: its structure without the values, and the values. */
export interface Parsed {
  readonly structure: string;
  readonly texts: readonly string[];
}

/** Parses JSON: the structure has the keys and types. */
export function parsedJson(text: string): Parsed {
  return ofValue(JSON.parse(text));
}

/** Parses the documents of a YAML text. */
export function parsedYaml(text: string): Parsed {
  const documents = parseAllDocuments(text);
  if (!Array.isArray(documents)) throw new Error('no document');
  const errors = documents.flatMap(document => document.errors);
  if (errors.length > 0) throw errors[0];
  return ofValue(documents.map(document => document.toJS()));
}

function ofValue(value: unknown): Parsed {
  const texts: string[] = [];
  const shape = (one: unknown): unknown => {
    if (typeof one === 'string') texts.push(one);
    // A name may be one more finding, or one less.
    if (Array.isArray(one)) return [...new Set(one.map(member => JSON.stringify(shape(member))))].sort();
    if (typeof one !== 'object' || one === null) return typeof one;
    return Object.entries(one).map(([key, member]) => [key, shape(member)]);
  };
  const structure = JSON.stringify(shape(value));
  return { structure, texts };
}

/** Parses XML: the structure has the elements and the names of their attributes. */
export function parsedXml(text: string): Parsed {
  const texts: string[] = [];
  const shape = (element: XmlElement): unknown => {
    texts.push(...element.attrs.map(({ value }) => value), element.content);
    const children: unknown[] = [];
    for (let node = element.firstChild; node !== null; node = node.next) if (node instanceof XmlElement) children.push(shape(node));
    return [element.name, element.attrs.map(({ name }) => name), children];
  };
  const document = XmlDocument.fromString(text);
  try {
    return { structure: JSON.stringify(shape(document.root)), texts };
  } finally {
    document.dispose();
  }
}

/** Parses HTML as browsers do: the structure has the elements, without `br`, the names of their attributes, and what JSON in scripts has. */
export function parsedHtml(text: string): Parsed {
  const texts: string[] = [];
  const shape = (node: DefaultTreeAdapterTypes.ChildNode): unknown[] => {
    if (node.nodeName === '#text' || !('tagName' in node)) return node.nodeName === '#comment' ? ['a comment'] : [];
    if (node.tagName === 'br') return [];
    texts.push(...node.attrs.map(({ value }) => value), textOf(node));
    if (node.tagName === 'script' && node.attrs.some(({ value }) => value === 'application/json')) {
      const { structure, texts: inner } = parsedJson(textOf(node));
      texts.push(...inner);
      return [['json', structure]];
    }
    return [[node.tagName, node.attrs.map(({ name }) => name), node.childNodes.flatMap(shape)]];
  };
  return { structure: JSON.stringify(parseHtml(text).childNodes.flatMap(shape)), texts };
}

function textOf(node: DefaultTreeAdapterTypes.ChildNode): string {
  if ('value' in node) return node.value;
  if ('tagName' in node && node.tagName === 'br') return '\n';
  return 'childNodes' in node ? node.childNodes.map(textOf).join('') : '';
}

/** Parses Markdown as GitHub does: the structure has the tokens without `br`, and the texts are those of the page that comes of it. */
export function parsedMarkdown(text: string): Parsed {
  const shape = (token: Token): unknown[] => {
    if (token.type === 'text' || token.type === 'escape' || token.type === 'space' || token.type === 'br') {
      return 'tokens' in token && token.tokens !== undefined ? token.tokens.flatMap(shape) : [];
    }
    // Only the tags: the texts are those of the page.
    if (token.type === 'html') return (token.raw.match(/<[^>]*>/g) ?? []).filter(tag => tag !== '<br>');
    const cells = token.type === 'table' ? [...token.header, ...token.rows.flat()].map(cell => cell.tokens.flatMap(shape)) : [];
    const inner = 'items' in token ? token.items : 'tokens' in token ? token.tokens : [];
    return [[token.type, cells, (inner ?? []).flatMap(shape)]];
  };
  const { structure, texts } = parsedHtml(marked.parse(text, { async: false }));
  return { structure: JSON.stringify([marked.lexer(text).flatMap(shape), structure]), texts };
}
