import { bodyFields } from '../../body-fields.js';
import type { DiffLine } from '../../diff.js';
import { element, type Html } from './elements.js';

/** A diff with its lines in their colours. */
export function diffBlock(lines: readonly DiffLine[]): Html {
  return element(
    'pre',
    { class: 'diff', tabindex: '0' },
    lines.map(({ type, text }) => element('span', { class: type }, text === '' ? ' ' : text)),
  );
}

/** The lines of a unified diff by what they say. */
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

/** A text as it is. */
export function textBlock(text: string): Html {
  return element('pre', { tabindex: '0' }, text);
}

/** A body as it was sent, which the page's script indents when it is JSON and somebody looks; of bytes that are no text their base64. */
export function bodyBlock(body: string | Uint8Array): Html {
  if (typeof body === 'string') return element('pre', { class: 'body', tabindex: '0' }, body);
  const fields = bodyFields(body);
  return 'body' in fields ? bodyBlock(fields.body) : textBlock(fields.bodyBase64);
}
