import type { TraceData } from '../../src/pages/trace-model.js';
import { el } from '../shared/dom.js';
import { type CallList, callList } from './call-list.js';
import { entryView } from './call-view.js';
import { keysHelp } from './keys-help.js';
import { liveUpdates } from './live-updates.js';
import { fragmentOf, listed, type Place, placeIn } from './page-state.js';
import { reportAround } from './report-around.js';

const data = JSON.parse(document.getElementById('data')?.textContent ?? '') as TraceData;
const options = { isUnified: globalThis.innerWidth < 960, showsAll: false, withManagedFields: false, tab: 'Changes' };
const sendTo = document.body.dataset['sendTo'];
const editing = sendTo === undefined ? undefined : { sendTo, forms: new Map<number, HTMLElement>() };
const main = el('main', { id: 'call', tabindex: -1 });
const list: CallList = callList(data, entry => go({ entry, call: 0, step: undefined }));
const startPlace: Place = { entry: listed(data)[0] ?? 0, call: 0, step: undefined };

/** Shows a place, and puts its link into the address. */
function go(place: Place): void {
  history.replaceState(null, '', fragmentOf(place));
  show(place);
}

function show(place: Place): void {
  const entry = data.entries[place.entry];
  list.select(place.entry);
  const focused = document.activeElement?.closest('.steps') !== null && main.contains(document.activeElement);
  const isOpen = main.querySelector<HTMLDetailsElement>('details')?.open === true;
  main.replaceChildren(
    entry === undefined ? el('p', {}, data.whenEmpty ?? 'No calls.') : entryView(entry, { data, place, options, go, editing }),
  );
  const steps = main.querySelector<HTMLDetailsElement>('details');
  if (isOpen && focused && steps !== null) steps.open = true;
}

function current(): Place {
  return placeIn(location.hash, data) ?? startPlace;
}

function onKey(event: KeyboardEvent): void {
  const isTyping = event.target instanceof Element && event.target.matches('input, select, textarea');
  if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector('dialog[open]') !== null) return;
  if (event.key === '/' && !isTyping) {
    event.preventDefault();
    app.querySelector<HTMLElement>('input[type=search]')?.focus();
    return;
  }
  if (event.key === '?' && !isTyping) {
    help.show();
    return;
  }
  const isInPanel = event.target instanceof Element && event.target.closest('pre, .diff, .scroll, [role=tabpanel]') !== null;
  if (isTyping || isInPanel) return;
  const lines = event.key === 'ArrowDown' || event.key === 'j' ? 1 : event.key === 'ArrowUp' || event.key === 'k' ? -1 : 0;
  if (lines !== 0) {
    const entry = list.beside(lines);
    if (entry === undefined) return;
    event.preventDefault();
    go({ entry, call: 0, step: undefined });
    return;
  }
  if (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight') return;
  main.querySelector<HTMLElement>('.bar[tabindex="0"]')?.focus();
}

const help = keysHelp([
  ['↓ ↑', 'next and previous call'],
  ['→ ←', 'next and previous step'],
  ['Home End', 'first and last step'],
  ['/', 'search; Enter or ↓ goes to the results'],
  ['?', 'these keys'],
]);
const app = el(
  'div',
  { id: 'app' },
  el(
    'header',
    {},
    el('h1', {}, data.title),
    el('p', { class: 'quiet' }, `webhook-cli ${data.toolVersion}`),
    liveUpdates(document.body.dataset['events']),
    help.button,
  ),
  list.node,
  main,
  help.dialog,
);
const skip = el('a', { class: 'skip-link', href: '#call' }, 'Skip to the call');

/** Shows the time lines instead of everything else. */
function open(): void {
  document.body.append(skip, app);
  document.addEventListener('keydown', onKey);
  show(current());
}

function onLink(act: (place: Place) => void): void {
  addEventListener('hashchange', () => {
    const place = placeIn(location.hash, data);
    if (place !== undefined) act(place);
  });
}

const report = reportAround(app, data);
if (report === undefined) {
  open();
  onLink(show);
} else {
  const enter = (): void => {
    report.hide();
    open();
  };
  report.onEnter(enter);
  report.onLeave(() => {
    document.removeEventListener('keydown', onKey);
    skip.remove();
    app.remove();
  });
  onLink(place => (app.isConnected ? show(place) : enter()));
  if (placeIn(location.hash, data) !== undefined) enter();
}
