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

/** Returns a self-contained page. */
export function page({ title, toolVersion, script, content, other }: Page): string {
  const body = element(
    'body',
    {},
    content,
    rawElement('script', script),
    other === undefined ? undefined : [jsonElement('data', other.json), rawElement('script', other.script)],
  );
  return selfContained({
    ...{ title, toolVersion, body },
    styles: [{ text: style }, ...(other === undefined ? [] : [{ text: other.style, attributes: { media: 'not all' } }])],
    scripts: [script, ...(other === undefined ? [] : [other.script])],
  });
}

/** A page whose style sheets and scripts are part of it. */
export interface SelfContained {
  readonly title: string;
  readonly toolVersion: string;
  readonly styles: readonly { readonly text: string; readonly attributes?: { readonly media: string } }[];
  /** The scripts in the body. */
  readonly scripts: readonly string[];
  readonly body: Html;
  /** Further elements of the head. */
  readonly meta?: readonly Html[];
  /** The scripts call the server of the page. */
  readonly connects?: boolean;
}

/** Returns an HTML document, whose content security policy allows only its own styles and scripts. */
export function selfContained({ title, toolVersion, styles, scripts, body, meta = [], connects = false }: SelfContained): string {
  const policy = [
    "default-src 'none'",
    `style-src ${styles.map(({ text }) => hashOf(text)).join(' ')}`,
    `script-src ${scripts.map(hashOf).join(' ')}`,
    ...(connects ? ["connect-src 'self'"] : []),
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
  const head = element(
    'head',
    {},
    voidElement('meta', { charset: 'utf-8' }),
    voidElement('meta', { 'http-equiv': 'Content-Security-Policy', content: policy }),
    voidElement('meta', { name: 'viewport', content: 'width=device-width, initial-scale=1' }),
    voidElement('meta', { name: 'generator', content: `webhook-cli ${toolVersion}` }),
    meta,
    element('title', {}, title),
    styles.map(({ text, attributes }) => rawElement('style', text, attributes)),
  );
  return `<!doctype html>\n${element('html', { lang: 'en' }, head, body).html}\n`;
}

function hashOf(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}
