import { createHash } from 'node:crypto';
import { element, type Html, jsonElement, rawElement, voidElement } from '../../../writers/html.js';

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

/** Style sheet of the page, light or dark by the system's preference. */
const style = `
:root {
  color-scheme: light dark;
  --ink: #1c2128; --quiet: #59636e; --paper: #ffffff; --panel: #f6f8fa; --line: #d1d9e0; --accent: #0969da;
  --good: #1a7f37; --bad: #cf222e; --warn: #9a6700;
  --good-paper: #dafbe1; --bad-paper: #ffebe9;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ink: #e6edf3; --quiet: #9198a1; --paper: #0d1117; --panel: #151b23; --line: #3d444d; --accent: #4493f8;
    --good: #3fb950; --bad: #f85149; --warn: #d29922;
    --good-paper: #12261e; --bad-paper: #301a1f;
  }
}
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 72rem; padding: 1.5rem; background: var(--paper); color: var(--ink); font: 15px/1.5 system-ui, sans-serif; }
h1, h2, h3 { overflow-wrap: anywhere; }
h1 { margin: 0 0 .25rem; font-size: 1.5rem; }
h2 { margin: 2rem 0 .5rem; font-size: 1.1rem; }
h3 { margin: 1rem 0 .25rem; font-size: .95rem; }
p { margin: .25rem 0; }
.quiet { color: var(--quiet); font-weight: normal; font-size: .9em; }
.tally { display: flex; flex-wrap: wrap; gap: .5rem; margin: .75rem 0; padding: 0; list-style: none; }
.tally li { padding: .1rem .75rem; border: 1px solid var(--line); border-radius: 1rem; background: var(--panel); }
.none { color: var(--quiet); }
.shares { display: block; width: 100%; height: .5rem; margin: .75rem 0; border-radius: .25rem; }
.shares .passed { fill: var(--good); }
.shares .failed { fill: var(--bad); }
.shares .broken { fill: var(--warn); }
.shares .skipped { fill: var(--line); }
.chart { overflow-x: auto; }
.chart svg { display: block; width: 100%; min-width: 60rem; }
.chart line { stroke: var(--line); }
.chart text { fill: var(--quiet); font: 12px system-ui, sans-serif; }
.chart .calls { fill: var(--quiet); opacity: .45; }
.chart .changed { fill: var(--bad); }
.legend { display: flex; flex-wrap: wrap; gap: .25rem 1rem; margin: .25rem 0 .5rem; padding: 0; list-style: none; font-size: .9em; color: var(--quiet); }
.legend li::before { content: ''; display: inline-block; width: .8rem; height: .8rem; margin-right: .4rem; border-radius: 2px; vertical-align: -.05rem; background: var(--bad); }
.legend .calls::before { background: var(--quiet); opacity: .45; }
.passed, .added { color: var(--good); }
.failed, .removed { color: var(--bad); }
.broken, .flaky, .warning { color: var(--warn); }
.skipped, .gap, .server { color: var(--quiet); }
form { position: sticky; top: 0; z-index: 1; display: flex; flex-wrap: wrap; align-items: center; gap: .75rem 1rem; padding: .75rem 0; background: var(--paper); border-bottom: 1px solid var(--line); }
form fieldset { display: flex; flex-wrap: wrap; gap: .75rem; margin: 0; padding: 0; border: 0; }
form input[type=search] { flex: 1 1 14rem; padding: .35rem .6rem; border: 1px solid var(--line); border-radius: .4rem; background: var(--panel); color: inherit; font: inherit; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 1px; }
details { margin: .25rem 0; }
summary { cursor: pointer; overflow-wrap: anywhere; }
.case { border: 1px solid var(--line); border-radius: .4rem; content-visibility: auto; contain-intrinsic-size: auto 2.4rem; }
.case > summary { padding: .4rem .75rem; color: var(--ink); }
.case[open] > summary { border-bottom: 1px solid var(--line); background: var(--panel); }
.case > div { padding: .25rem .75rem .75rem; }
.link { margin-left: .5rem; color: var(--quiet); text-decoration: none; }
.case:target { outline: 2px solid var(--accent); }
nav a { color: var(--accent); }
button { padding: .3rem .7rem; border: 1px solid var(--line); border-radius: .4rem; background: var(--panel); color: inherit; font: inherit; cursor: pointer; }
.mark { display: inline-block; width: 1.2em; font-weight: bold; }
.failure { margin: .5rem 0; padding-left: .75rem; border-left: 3px solid var(--bad); color: var(--ink); overflow-wrap: anywhere; }
.failure p { white-space: pre-wrap; }
pre { margin: .4rem 0; padding: .5rem .75rem; overflow-x: auto; max-height: 40rem; border: 1px solid var(--line); border-radius: .4rem; background: var(--panel); font: 12.5px/1.45 ui-monospace, monospace; color: var(--ink); tab-size: 4; }
pre.body, pre.text { white-space: pre-wrap; overflow-wrap: anywhere; }
pre span { display: block; min-width: fit-content; }
pre .added { background: var(--good-paper); }
pre .removed { background: var(--bad-paper); }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .1rem .75rem; margin: .4rem 0; }
dt { color: var(--quiet); }
dd { margin: 0; overflow-wrap: anywhere; }
[hidden] { display: none !important; }
@media print { form { display: none !important; } .case { break-inside: avoid; } }
`;
