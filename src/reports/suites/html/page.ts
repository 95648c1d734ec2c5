import { createHash } from 'node:crypto';
import { element, type Html, rawElement, voidElement } from './elements.js';
import { style } from './style.js';

/** Content of a page. */
export interface Page {
  readonly title: string;
  readonly toolVersion: string;
  readonly script: string;
  readonly content: readonly Html[];
}

/** Returns a self-contained page, whose content security policy allows only its own style and script. */
export function page({ title, toolVersion, script, content }: Page): string {
  const policy = `default-src 'none'; style-src '${hashOf(style)}'; script-src '${hashOf(script)}'; base-uri 'none'; form-action 'none'`;
  const head = element(
    'head',
    {},
    voidElement('meta', { charset: 'utf-8' }),
    voidElement('meta', { 'http-equiv': 'Content-Security-Policy', content: policy }),
    voidElement('meta', { name: 'viewport', content: 'width=device-width, initial-scale=1' }),
    voidElement('meta', { name: 'generator', content: `webhook-cli ${toolVersion}` }),
    element('title', {}, title),
    rawElement('style', style),
  );
  const body = element('body', {}, content, rawElement('script', script));
  return `<!doctype html>\n${element('html', { lang: 'en' }, head, body).html}\n`;
}

function hashOf(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`;
}
