import type { TraceData, TraceEntry } from '../../src/pages/trace-model.js';
import { cutName, el } from '../shared/dom.js';
import { filterTools } from './filter-tools.js';
import { failureOf, fragmentOf, listed, shownOutcome } from './page-state.js';

/** The list of all entries, of which only the visible ones are in the document. */
export interface CallList {
  readonly node: HTMLElement;
  /** Marks an entry and makes it visible. */
  readonly select: (entry: number) => void;
  /** Returns the entry that is so many lines below the selected one. */
  readonly beside: (lines: number) => number | undefined;
}

const rowHeight = 44;

/** Rows above and below the visible ones. */
const margin = 10;

/** Returns the list; `onChosen` is called with the entry that the user chose. */
export function callList(data: TraceData, onChosen: (entry: number) => void): CallList {
  const all = listed(data);
  const rows = el('div', { class: 'rows' });
  const list = el('ol');
  const count = el('p', { class: 'count quiet', role: 'status' });
  const none = el('p', { class: 'count quiet', hidden: true }, 'Nothing matches: change the search or the outcome.');
  const filter = filterTools(data, () => {
    shown = all.filter(filter.matches);
    count.textContent = shown.length === all.length ? '' : `${shown.length} of ${all.length}`;
    none.hidden = shown.length > 0 || all.length === 0;
    rows.scrollTop = 0;
    render();
  });
  let shown = all;
  let chosen = -1;

  function render(): void {
    list.style.height = `${shown.length * rowHeight}px`;
    const first = Math.max(0, Math.floor(rows.scrollTop / rowHeight) - margin);
    const last = Math.min(shown.length, Math.ceil((rows.scrollTop + (rows.clientHeight || 800)) / rowHeight) + margin);
    const isFocused = list.querySelector(':focus') !== null;
    const visible = shown.slice(first, last).map((entry, index) => {
      const item = rowOf(data.entries[entry], { entry, data, isChosen: entry === chosen, onChosen: () => onChosen(entry) });
      item.style.top = `${(first + index) * rowHeight}px`;
      item.setAttribute('aria-setsize', String(shown.length));
      item.setAttribute('aria-posinset', String(first + index + 1));
      return item;
    });
    list.replaceChildren(...visible);
    if (isFocused) list.querySelector<HTMLElement>('[aria-current]')?.focus({ preventScroll: true });
  }

  rows.append(list);
  rows.addEventListener('scroll', render, { passive: true });
  new ResizeObserver(render).observe(rows);
  filter.node.addEventListener('keydown', event => {
    if (event.key !== 'Enter' && event.key !== 'ArrowDown') return;
    const [first] = shown;
    if (!(event.target instanceof HTMLInputElement) || first === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    onChosen(shown.includes(chosen) ? chosen : first);
    list.querySelector<HTMLElement>('[aria-current]')?.focus();
  });
  return {
    node: el('nav', { 'aria-label': 'Calls' }, filter.node, count, none, rows),
    select(entry) {
      chosen = entry;
      const top = shown.indexOf(entry) * rowHeight;
      const isHidden = top < rows.scrollTop || top + rowHeight > rows.scrollTop + rows.clientHeight;
      if (top >= 0 && isHidden) rows.scrollTop = Math.max(0, top - rows.clientHeight / 2);
      render();
    },
    beside: lines => shown[Math.min(shown.length - 1, Math.max(0, shown.indexOf(chosen) + lines))],
  };
}

interface Row {
  readonly entry: number;
  readonly data: TraceData;
  readonly isChosen: boolean;
  readonly onChosen: () => void;
}

function rowOf(made: TraceEntry | undefined, { entry, data, isChosen, onChosen }: Row): HTMLElement {
  const { name = '', group, facts } = made ?? {};
  const outcome = made === undefined ? '' : shownOutcome(made, data);
  const failure = made === undefined ? undefined : failureOf(made);
  const said = failure ?? [group, facts].filter(Boolean).join(', ');
  const link = el(
    'a',
    { href: fragmentOf({ entry, call: 0, step: undefined }), 'aria-current': isChosen ? 'true' : undefined },
    cutName(name, group),
    ' ',
    el('span', { class: 'second', title: said }, outcome !== '' && [el('b', { class: outcome }, outcome), ' '], said),
  );
  link.addEventListener('click', event => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    onChosen();
  });
  return el('li', {}, link);
}
