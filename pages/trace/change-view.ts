import { serverLegend } from '../../src/reports/diff.js';
import { el, longText } from '../shared/dom.js';
import { type AfterLine, type Block, blocksOf, type Change } from '../shared/line-diff.js';

/** How changes are shown; kept while the user goes from step to step. */
export interface ChangeOptions {
  isUnified: boolean;
  showsAll: boolean;
  withManagedFields: boolean;
}

/** Unchanged lines around a change. */
const context = 3;

/** Returns the object before and after a step, as YAML, with the tools to choose the form. */
export function changeView(change: Change, options: ChangeOptions, label = 'Changes of the object'): HTMLElement {
  const place = el('div', { class: 'diff', tabindex: 0, role: 'region', 'aria-label': label });
  const draw = (): void => {
    const blocks = blocksOf(change, options.withManagedFields);
    const isUnchanged = blocks.every(({ type }) => type === 'same');
    const rows = isUnchanged && !options.showsAll ? [] : rowsOf(blocks, options);
    const hasServerLines = blocks.some(({ type, after }) => type === 'changed' && after.some(({ isByServer }) => isByServer));
    place.replaceChildren(
      rows.length === 0 ? el('p', { class: 'quiet' }, 'Only managed fields changed.') : el('table', {}, el('tbody', {}, rows)),
      hasServerLines ? el('p', { class: 'quiet' }, serverLegend) : '',
    );
  };
  const box = (label: string, member: keyof ChangeOptions): HTMLElement => {
    const input = el('input', { type: 'checkbox', checked: options[member] });
    input.addEventListener('change', () => {
      options[member] = input.checked;
      draw();
    });
    return el('label', {}, input, ` ${label}`);
  };
  draw();
  return el(
    'div',
    {},
    el('div', { class: 'tools' }, box('unified', 'isUnified'), box('whole object', 'showsAll'), box('managed fields', 'withManagedFields')),
    place,
  );
}

/** Lines of a diff that are colored: more make a page slow. */
const maxLines = 2000;

/** Returns a unified diff, such as of snapshots, with colored lines. */
export function unifiedDiff(diff: string): HTMLElement {
  const lines = diff.replace(/\n$/, '').split('\n');
  if (lines.length > maxLines) return longText(diff);
  const rows = lines.map(line => el('tr', {}, el('td', { class: classOf(line) }, line)));
  return el('div', { class: 'diff', tabindex: 0, role: 'region', 'aria-label': 'Differences' }, el('table', {}, el('tbody', {}, rows)));
}

function classOf(line: string): string | undefined {
  if (/^(?:@@|---|\+\+\+|\\)/.test(line)) return 'gap';
  return line.startsWith('+') ? 'added' : line.startsWith('-') ? 'removed' : undefined;
}

function rowsOf(blocks: readonly Block[], { isUnified, showsAll }: ChangeOptions): HTMLElement[] {
  return blocks.flatMap((block, index) => {
    if (block.type === 'changed') return isUnified ? unified(block) : sideBySide(block);
    const lines = block.before;
    if (showsAll || lines.length <= 2 * context + 1) return lines.map(line => same(line, isUnified));
    const start = index === 0 ? [] : lines.slice(0, context);
    const end = index === blocks.length - 1 ? [] : lines.slice(-context);
    const hidden = lines.length - start.length - end.length;
    return [...start.map(line => same(line, isUnified)), gap(hidden, isUnified), ...end.map(line => same(line, isUnified))];
  });
}

function same(line: string, isUnified: boolean): HTMLElement {
  return isUnified ? el('tr', {}, el('td', {}, `  ${line}`)) : el('tr', {}, el('td', { class: 'side' }, line), el('td', {}, line));
}

function gap(hidden: number, isUnified: boolean): HTMLElement {
  return el('tr', {}, el('td', { class: 'gap', colspan: isUnified ? 1 : 2 }, `${hidden} unchanged line${hidden === 1 ? '' : 's'}`));
}

function unified({ before, after }: Block): HTMLElement[] {
  const removed = before.map(line => el('tr', {}, el('td', { class: 'removed' }, `- ${line}`)));
  return [...removed, ...after.map(line => el('tr', {}, addedCell(line)))];
}

function sideBySide({ before, after }: Block): HTMLElement[] {
  return Array.from({ length: Math.max(before.length, after.length) }, (_, index) => {
    const [old, now] = [before[index], after[index]];
    return el(
      'tr',
      {},
      el('td', { class: old === undefined ? 'side' : 'side removed' }, old === undefined ? '' : `- ${old}`),
      now === undefined ? el('td') : addedCell(now),
    );
  });
}

function addedCell({ text, isByServer }: AfterLine): HTMLElement {
  return el('td', { class: isByServer ? 'server' : 'added' }, `${isByServer ? '~' : '+'} ${text}`);
}
