import { element, type Html } from '../../../writers/html.js';
import { bodyFields } from '../../body-fields.js';
import { type DiffLine, serverLegend } from '../../diff.js';

/** A diff with colored lines, and what the mark of the API server's lines means if there are any. */
export function diffBlock(diff: readonly DiffLine[]): Html {
  const hasServerLines = diff.some(({ type }) => type === 'server');
  const lines: readonly DiffLine[] = hasServerLines ? [...diff, { type: 'server', text: serverLegend }] : diff;
  return element(
    'pre',
    { class: 'diff', tabindex: '0' },
    lines.map(({ type, text }) => element('span', { class: type }, text === '' ? ' ' : text)),
  );
}

/** The lines of a unified diff by type. */
export function unifiedDiffLines(diff: string): DiffLine[] {
  return diff
    .replace(/\n$/, '')
    .split('\n')
    .map(text => ({ type: unifiedType(text), text }));
}

function unifiedType(line: string): DiffLine['type'] {
  if (/^(@@|---|\+\+\+|\\)/.test(line)) return 'gap';
  if (line.startsWith('+')) return 'added';
  return line.startsWith('-') ? 'removed' : 'same';
}

/** A preformatted text. */
export function textBlock(text: string): Html {
  return element('pre', { class: 'text', tabindex: '0' }, text);
}

/** A request or response body, which the page's script indents if it is JSON; base64 for binary data. */
export function bodyBlock(body: string | Uint8Array): Html {
  if (typeof body === 'string') return element('pre', { class: 'body', tabindex: '0' }, body);
  const fields = bodyFields(body);
  return 'body' in fields ? bodyBlock(fields.body) : textBlock(fields.bodyBase64);
}
