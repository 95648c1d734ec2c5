import { printable } from '../printable.js';

/** Attributes in their order; those that are undefined are left out. */
type Attributes = Readonly<Record<string, string | number | undefined>>;

/** An XML element with elements in it, a line each; an empty list gives an empty element. */
export function xmlElement(name: string, attributes: Attributes, children: readonly string[] = []): string {
  if (children.length === 0) return `<${name}${attributeText(attributes)}/>`;
  return `<${name}${attributeText(attributes)}>\n${children.join('\n')}\n</${name}>`;
}

/** An XML element with text in it, which stays as it is to the blank. */
export function xmlTextElement(name: string, attributes: Attributes, text: string): string {
  return text === '' ? xmlElement(name, attributes) : `<${name}${attributeText(attributes)}>${escaped(text)}</${name}>`;
}

function attributeText(attributes: Attributes): string {
  return Object.entries(attributes)
    .flatMap(([name, value]) => (value === undefined ? [] : [` ${name}="${escapedAttribute(String(value))}"`]))
    .join('');
}

/** A parser turns line breaks and tabs of an attribute into blanks unless they are references. */
function escapedAttribute(text: string): string {
  return escaped(text).replaceAll('"', '&quot;').replaceAll('\n', '&#10;').replaceAll('\t', '&#9;');
}

/** Markup escaped; what XML 1.0 cannot hold, not even as a reference, is spelt out or replaced. Source: XML 1.0, production Char. */
function escaped(text: string): string {
  return printable(text.replace(/[\p{Surrogate}\ufffe\uffff]/gu, '\ufffd'))
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;');
}
