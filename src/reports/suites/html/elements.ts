import { printable } from '../../printable.js';

/** HTML that is safe to stand in a page: made by the functions here and by nothing else. */
export interface Html {
  readonly html: string;
}

type Content = Html | string | undefined | readonly Content[];

/** Attributes by name; `true` is one without a value, `undefined` and `false` are left out. */
type Attributes = Readonly<Record<string, string | boolean | undefined>>;

/** An element; texts in it are shown as they are, whoever wrote them. */
export function element(name: string, attributes: Attributes, ...content: readonly Content[]): Html {
  return { html: `<${name}${attributeText(attributes)}>${contentText(content)}</${name}>` };
}

/** An element that has no content and no end: `meta`, `input`. */
export function voidElement(name: string, attributes: Attributes): Html {
  return { html: `<${name}${attributeText(attributes)}>` };
}

/** Text of ours that a browser takes as it is: a style sheet or a script. It must not hold an end tag. */
export function rawElement(name: 'style' | 'script', text: string): Html {
  return { html: `<${name}>${text}</${name}>` };
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

const needsEscape = /[^\n\t\x20!#-%'-;=?-~]/;

function escaped(text: string): string {
  if (!needsEscape.test(text)) return text;
  return printable(text.replace(/\p{Surrogate}/gu, '\ufffd'))
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
