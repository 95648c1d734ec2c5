import { escapedMarkup } from './markup.js';
import { withoutCommands } from './printable.js';

/** Safe HTML: created only by the functions of this file. */
export interface Html {
  readonly html: string;
}

type Content = Html | string | undefined | readonly Content[];

/** Attributes by name; `true` is one without a value, `undefined` and `false` are omitted. */
type Attributes = Readonly<Record<string, string | boolean | undefined>>;

/** An element; strings in it are escaped. */
export function element(name: string, attributes: Attributes, ...content: readonly Content[]): Html {
  return { html: `<${name}${attributeText(attributes)}>${contentText(content)}</${name}>` };
}

/** A void element: `meta`, `input`. */
export function voidElement(name: string, attributes: Attributes): Html {
  return { html: `<${name}${attributeText(attributes)}>` };
}

/** Our own style sheet or script, not escaped. It must not contain an end tag. */
export function rawElement(name: 'style' | 'script', text: string, attributes: Attributes = {}): Html {
  return { html: `<${name}${attributeText(attributes)}>${text}</${name}>` };
}

/** JSON for a script of the page, in which nothing ends the element. */
export function jsonElement(id: string, json: string): Html {
  const safe = json.replace(/[<>\u2028\u2029]/g, found => `\\u${found.charCodeAt(0).toString(16).padStart(4, '0')}`);
  return { html: `<script type="application/json" id="${id}">${withoutCommands(safe)}</script>` };
}

function attributeText(attributes: Attributes): string {
  return Object.entries(attributes)
    .flatMap(([name, value]) => {
      if (value === undefined || value === false) return [];
      return [value === true ? ` ${name}` : ` ${name}="${escaped(value)}"`];
    })
    .join('');
}

function contentText(content: Content): string {
  if (content === undefined) return '';
  if (typeof content === 'string') return escaped(content);
  return 'html' in content ? content.html : content.map(contentText).join('');
}

const needsEscape = /[^\n\t\x20!#-%'-;=?-~]|::|##\[/;

function escaped(text: string): string {
  return needsEscape.test(text) ? escapedMarkup(text) : text;
}
