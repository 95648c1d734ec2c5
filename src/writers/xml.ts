import { escapedMarkup } from './markup.js';

/** Attributes in order; undefined ones are omitted. */
type Attributes = Readonly<Record<string, string | number | undefined>>;

/** An XML element with child elements, one per line; an empty list gives an empty element. */
export function xmlElement(name: string, attributes: Attributes, children: readonly string[] = []): string {
  if (children.length === 0) return `<${name}${attributeText(attributes)}/>`;
  return `<${name}${attributeText(attributes)}>\n${children.join('\n')}\n</${name}>`;
}

/** An XML element with text, including its white space. */
export function xmlTextElement(name: string, attributes: Attributes, text: string): string {
  return text === '' ? xmlElement(name, attributes) : `<${name}${attributeText(attributes)}>${escapedMarkup(text)}</${name}>`;
}

function attributeText(attributes: Attributes): string {
  return Object.entries(attributes)
    .flatMap(([name, value]) => (value === undefined ? [] : [` ${name}="${escapedAttribute(String(value))}"`]))
    .join('');
}

/** A parser replaces line breaks and tabs of an attribute with spaces unless they are character references. */
function escapedAttribute(text: string): string {
  return escapedMarkup(text).replaceAll('\n', '&#10;').replaceAll('\t', '&#9;');
}
