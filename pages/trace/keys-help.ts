import { el } from '../shared/dom.js';

/** The keys of the page: a button, and the dialog that it opens. */
export interface KeysHelp {
  readonly button: HTMLElement;
  readonly dialog: HTMLElement;
  readonly show: () => void;
}

/** Returns the help for pairs of keys and what they do. */
export function keysHelp(keys: readonly (readonly [string, string])[]): KeysHelp {
  const dialog = el(
    'dialog',
    { 'aria-label': 'Keys' },
    el('h2', {}, 'Keys'),
    el(
      'dl',
      {},
      keys.map(([key, words]) => [
        el(
          'dt',
          {},
          key.split(' ').map(one => [el('kbd', {}, one), ' ']),
        ),
        el('dd', {}, words),
      ]),
    ),
    el('p', { class: 'tools' }, el('button', { type: 'button', onclick: () => dialog.close() }, 'Close')),
  );
  const show = (): void => dialog.showModal();
  return { button: el('button', { type: 'button', class: 'more', onclick: show }, 'Keys (?)'), dialog, show };
}
