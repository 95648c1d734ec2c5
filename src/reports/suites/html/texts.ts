import { readUnstructured } from '../../../encoding/unstructured.js';
import type { DiffLine } from '../../diff.js';
import { writeIndented } from '../../json.js';
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

/** A body for reading: JSON indented, other text as it is, and of bytes that are no text their base64. */
export function bodyBlock(body: string | Uint8Array): Html {
  const text = typeof body === 'string' ? body : Buffer.from(body).toString('utf8');
  if (typeof body !== 'string' && !Buffer.from(text, 'utf8').equals(body)) return textBlock(Buffer.from(body).toString('base64'));
  return textBlock(indentedJson(text) ?? text);
}

/** Undefined for text that is no JSON. */
function indentedJson(text: string): string | undefined {
  try {
    return writeIndented(readUnstructured(text));
  } catch {
    return undefined;
  }
}
