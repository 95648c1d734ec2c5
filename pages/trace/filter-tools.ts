import type { TraceData } from '../../src/pages/trace-model.js';
import { el } from '../shared/dom.js';
import { searchText } from './page-state.js';

/** The tools that choose which entries are listed. */
export interface FilterTools {
  readonly node: HTMLElement;
  readonly matches: (entry: number) => boolean;
}

/** Returns a search field and a choice of outcomes; `onChange` is called when the choice changes. */
export function filterTools(data: TraceData, onChange: () => void): FilterTools {
  const texts: (string | undefined)[] = [];
  const search = el('input', { type: 'search', placeholder: 'Search (/)', 'aria-label': 'Search calls', oninput: onChange });
  const outcomes = [...new Set(data.entries.map(({ outcome }) => outcome))].sort();
  const select = el(
    'select',
    { 'aria-label': 'Outcome', onchange: onChange },
    el('option', { value: '' }, 'all'),
    outcomes.map(outcome => el('option', { value: outcome }, outcome)),
  );
  const textOf = (entry: number): string => {
    const made = data.entries[entry];
    const text = texts[entry] ?? (made === undefined ? '' : searchText(made, data));
    texts[entry] = text;
    return text;
  };
  return {
    node: el('div', { class: 'search', role: 'search' }, search, select),
    matches(entry) {
      if (select.value !== '' && data.entries[entry]?.outcome !== select.value) return false;
      const words = search.value.toLowerCase().split(/\s+/);
      return words.every(word => word === '' || textOf(entry).includes(word));
    },
  };
}
