import { createHash } from 'node:crypto';
import { element, type Html, jsonElement, rawElement, voidElement } from './elements.js';
import { style } from './style.js';

/** Content of a page. */
export interface Page {
  readonly title: string;
  readonly toolVersion: string;
  readonly script: string;
  readonly content: readonly Html[];
  /** Shown instead of the content by its own script. */
  readonly other?: OtherView | undefined;
}

/** Another view of a page: its style sheet and script, and the JSON that these show. */
export interface OtherView {
  readonly style: string;
  readonly script: string;
  readonly json: string;
}

/** Returns a self-contained page, whose content security policy allows only its own style and script. */
export function page({ title, toolVersion, script, content, other }: Page): string {
  const hashes = (...texts: readonly (string | undefined)[]): string =>
    texts.flatMap(text => (text === undefined ? [] : [`'${hashOf(text)}'`])).join(' ');
  const policy = `default-src 'none'; style-src ${hashes(style, other?.style)}; script-src ${hashes(script, other?.script)}; base-uri 'none'; form-action 'none'`;
  const head = element(
    'head',
    {},
    voidElement('meta', { charset: 'utf-8' }),
    voidElement('meta', { 'http-equiv': 'Content-Security-Policy', content: policy }),
    voidElement('meta', { name: 'viewport', content: 'width=device-width, initial-scale=1' }),
    voidElement('meta', { name: 'generator', content: `webhook-cli ${toolVersion}` }),
    element('title', {}, title),
    rawElement('style', style),
    other === undefined ? undefined : rawElement('style', other.style, { media: 'not all' }),
  );
  const body = element(
    'body',
    {},
    content,
    rawElement('script', script),
    other === undefined ? undefined : [jsonElement('data', other.json), rawElement('script', other.script)],
  );
  return `<!doctype html>\n${element('html', { lang: 'en' }, head, body).html}\n`;
}

function hashOf(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`;
}
