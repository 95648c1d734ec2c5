import { el } from '../shared/dom.js';

/** Loads the page again when the server has a newer one. Returns a status for the header; undefined for a page in a file. */
export function liveUpdates(address: string | undefined): HTMLElement | undefined {
  if (address === undefined) return undefined;
  const status = el('p', { class: 'quiet', role: 'status' }, 'live');
  const events = new EventSource(address);
  events.addEventListener('page', () => location.reload());
  events.addEventListener('error', () => {
    status.replaceChildren('not connected');
  });
  events.addEventListener('open', () => {
    status.replaceChildren('live');
  });
  return status;
}
