/** Attributes of an element; `undefined` and `false` are omitted, `true` has no value. Functions listen to events: `onclick`. */
export type Attributes = Readonly<Record<string, string | number | boolean | undefined | ((event: Event) => void)>>;

export type Child = Node | string | undefined | false | readonly Child[];

/** Creates an element. Texts become text nodes, so that they cannot contain markup. */
export function el<K extends keyof HTMLElementTagNameMap>(
  name: K,
  attributes: Attributes = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[K] {
  const node = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (typeof value === 'function') node.addEventListener(key.slice(2), value);
    else if (value !== undefined && value !== false) node.setAttribute(key, value === true ? '' : String(value));
  }
  append(node, children);
  return node;
}

function append(node: Node, children: readonly Child[]): void {
  for (const child of children) {
    if (child === undefined || child === false) continue;
    if (typeof child === 'string') node.appendChild(document.createTextNode(visible(child)));
    else if (child instanceof Node) node.appendChild(child);
    else append(node, child);
  }
}

/** Characters that change the order of text, or that nobody sees; not line breaks and tabs. */
const invisible = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u2028\u2029\u202a-\u202e\u2060-\u2069\ufeff]/g;

/** Returns a text from outside with such characters escaped. */
export function visible(text: string): string {
  return text.replace(invisible, character => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** Characters at the end of a name that stay visible. */
const keptEnd = 16;

/** A name that is cut in its middle where there is no room for it: names of webhooks differ at both ends. The tooltip has the whole one. */
export function cutName(name: string, more = ''): HTMLElement {
  const at = Math.max(Math.ceil(name.length / 2), name.length - keptEnd);
  const title = more === '' ? name : `${name}, ${more}`;
  return el('span', { class: 'cut', title: visible(title) }, el('span', {}, name.slice(0, at)), el('span', {}, name.slice(at)));
}

/** Characters of a text that are shown at first. */
const maxShown = 50_000;

/** A preformatted text. The rest of a very long one is shown on demand. */
export function longText(text: string, attributes: Attributes = {}): HTMLElement {
  const pre = el('pre', { tabindex: 0, ...attributes }, text.slice(0, maxShown));
  if (text.length <= maxShown) return pre;
  const rest = el('button', { type: 'button', class: 'more' }, `Show all ${text.length.toLocaleString('en')} characters`);
  rest.addEventListener('click', () => {
    pre.replaceChildren(visible(text));
    rest.remove();
  });
  return el('div', {}, pre, rest);
}

/** A list of terms and values. */
export function facts(pairs: readonly (readonly [string, Child])[]): HTMLElement {
  return el(
    'dl',
    {},
    pairs.map(([term, value]) => [el('dt', {}, term), el('dd', {}, value)]),
  );
}

/** `0.42 ms`, `12.3 ms`, `1.20 s`. */
export function duration(ms: number): string {
  if (ms >= 1000) return `${(ms / 1000).toFixed(2)} s`;
  return `${ms.toFixed(ms >= 10 ? 1 : 2)} ms`;
}
