import { decodeByteString, encodeByteString } from '../../go/byte-string.js';

/** Attributes that hold URLs, by element. Source: apimachinery pkg/util/proxy/transport.go atomsToAttrs. */
const urlAttributes: ReadonlyMap<string, readonly string[]> = new Map([
  ['a', ['href']],
  ['applet', ['codebase']],
  ['area', ['href']],
  ['audio', ['src']],
  ['base', ['href']],
  ['blockquote', ['cite']],
  ['body', ['background']],
  ['button', ['formaction']],
  ['command', ['icon']],
  ['del', ['cite']],
  ['embed', ['src']],
  ['form', ['action']],
  ['frame', ['longdesc', 'src']],
  ['head', ['profile']],
  ['html', ['manifest']],
  ['iframe', ['longdesc', 'src']],
  ['img', ['longdesc', 'src', 'usemap']],
  ['input', ['src', 'usemap', 'formaction']],
  ['ins', ['cite']],
  ['link', ['href']],
  ['object', ['classid', 'codebase', 'data', 'usemap']],
  ['q', ['cite']],
  ['script', ['src']],
  ['source', ['src']],
  ['video', ['poster', 'src']],
]);

/** Elements whose contents are text, up to their end tag. Source: golang.org/x/net/html token.go readStartTag. */
const textElements = new Set(['iframe', 'noembed', 'noframes', 'noscript', 'plaintext', 'script', 'style', 'textarea', 'title', 'xmp']);

/**
 * Returns a page with other links; each character is a byte. All start tags are rewritten, and the rest is unchanged; a tag that does not end is dropped. Source:
 * apimachinery pkg/util/proxy/transport.go rewriteHTML.
 */
export function rewriteHtml(page: string, rewriteLink: (link: string) => string): string {
  let out = '';
  let at = 0;
  while (at < page.length) {
    const open = page.indexOf('<', at);
    if (open < 0 || open === page.length - 1) return out + page.slice(at);
    out += page.slice(at, open);
    const next = page[open + 1] ?? '';
    if (!/[a-z]/i.test(next)) {
      at = /[!?/]/.test(next) ? endOfMarkup(page, open) : open + 1;
      out += page.slice(open, at);
      continue;
    }
    const tag = readTag(page, open + 1);
    if (tag === undefined) return out;
    out += writeTag(tag, rewriteLink);
    at = textElements.has(tag.name) && !tag.isClosed ? endOfText(page, tag) : tag.end;
    out += page.slice(tag.end, at);
  }
  return out;
}

interface Tag {
  /** In lower case. */
  readonly name: string;
  /** Values as they were written. */
  readonly attributes: readonly (readonly [key: string, value: string])[];
  readonly isClosed: boolean;
  /** Index after the tag. */
  readonly end: number;
}

/** Returns the index after an end tag, a comment or a declaration. */
function endOfMarkup(page: string, open: number): number {
  if (page.startsWith('<!--', open)) {
    const end = /^(?:-?>|[\s\S]*?--!?>)/.exec(page.slice(open + 4));
    return end === null ? page.length : open + 4 + end[0].length;
  }
  const end = page.indexOf('>', open);
  return end < 0 ? page.length : end + 1;
}

function endOfText(page: string, { name, end }: Tag): number {
  if (name === 'plaintext') return page.length;
  const closing = new RegExp(`</${name}[ \\n\\r\\t\\f/>]`, 'gi');
  closing.lastIndex = end;
  return closing.exec(page)?.index ?? page.length;
}

const tagName = /[^ \n\r\t\f/>]*/y;

const attribute =
  /[ \n\r\t\f]*(?:\/|(?<key>=?[^ \n\r\t\f/=>]*)(?:[ \n\r\t\f]*=[ \n\r\t\f]*(?:"(?<double>[^"]*)(?:"|$)|'(?<single>[^']*)(?:'|$)|(?<bare>[^ \n\r\t\f>]*)))?)/y;

/** Reads a tag from its name on; undefined if the page ends before it does. Source: golang.org/x/net/html token.go readTag. */
function readTag(page: string, start: number): Tag | undefined {
  tagName.lastIndex = start;
  const [name = ''] = tagName.exec(page) ?? [];
  const attributes: [string, string][] = [];
  attribute.lastIndex = start + name.length;
  for (;;) {
    const { key = '', double, single, bare } = attribute.exec(page)?.groups ?? {};
    if (key !== '') attributes.push([key.toLowerCase(), double ?? single ?? bare ?? '']);
    const at = attribute.lastIndex;
    if (at >= page.length) return undefined;
    if (page[at] === '>') return { name: name.toLowerCase(), attributes, isClosed: page[at - 1] === '/', end: at + 1 };
  }
}

function writeTag({ name, attributes, isClosed }: Tag, rewriteLink: (link: string) => string): string {
  const links = urlAttributes.get(name) ?? [];
  const written = attributes.map(([key, value]) => ` ${key}="${writeValue(value, links.includes(key) ? rewriteLink : undefined)}"`);
  return `<${name}${written.join('')}${isClosed ? '/' : ''}>`;
}

/** Rewrites a value; references to characters by other names are unchanged, and so are links that contain some. */
function writeValue(raw: string, rewriteLink: ((link: string) => string) | undefined): string {
  const pieces = piecesOf(raw.replace(/\r\n?/g, '\n'));
  if (rewriteLink === undefined || pieces.some(piece => 'reference' in piece))
    return pieces.map(piece => ('reference' in piece ? piece.reference : escapeHtml(piece.text))).join('');
  const link = pieces.map(piece => ('text' in piece ? piece.text : '')).join('');
  return escapeHtml(encodeByteString(rewriteLink(decodeByteString(link))));
}

/** Decoded text, or a reference to a character that is not known here. */
type Piece = { readonly text: string } | { readonly reference: string };

function piecesOf(value: string): Piece[] {
  return value.split(/(&(?:#x[0-9a-f]{1,6}|#\d{1,7}|[a-z][a-z0-9]*);)/i).map((piece, index) => {
    const text = index % 2 === 0 ? piece : characterOf(piece.slice(1, -1).toLowerCase());
    return text === undefined ? { reference: piece } : { text };
  });
}

const named: ReadonlyMap<string, string> = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', "'"],
]);

/** Returns the character of `amp`, `#38` or `#x26`; undefined for other names, and for numbers that HTML replaces. */
function characterOf(reference: string): string | undefined {
  if (!reference.startsWith('#')) return named.get(reference);
  const code = reference.startsWith('#x') ? Number.parseInt(reference.slice(2), 16) : Number(reference.slice(1));
  const isReplaced = code === 0 || (code >= 0x80 && code < 0xa0) || (code >= 0xd800 && code < 0xe000) || code > 0x10ffff;
  return isReplaced ? undefined : encodeByteString(String.fromCodePoint(code));
}

const escapes: ReadonlyMap<string, string> = new Map([
  ['&', '&amp;'],
  ["'", '&#39;'],
  ['<', '&lt;'],
  ['>', '&gt;'],
  ['"', '&#34;'],
  ['\r', '&#13;'],
]);

/** Source: golang.org/x/net/html EscapeString. */
function escapeHtml(text: string): string {
  return text.replace(/[&'<>"\r]/g, c => escapes.get(c) ?? c);
}
