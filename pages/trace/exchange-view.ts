import type { TraceData, TraceExchange } from '../../src/pages/trace-model.js';
import { shellCommand } from '../../src/writers/shell.js';
import { el, facts, longText } from '../shared/dom.js';
import { indented } from '../shared/indented.js';
import { highlighted } from '../shared/json.js';

/** Returns the request to a webhook, with a button that copies it as curl. */
export function requestView({ url, address, serverName, request, curl }: TraceExchange, { texts }: TraceData): HTMLElement {
  const body = texts[request] ?? '';
  const copied = el('span', { role: 'status', class: 'quiet' });
  const copy = el('button', { type: 'button' }, 'Copy as curl');
  copy.addEventListener('click', async () => {
    const command = `${curl} ${shellCommand(['--data-binary', body.trimEnd(), url])}`;
    try {
      await navigator.clipboard.writeText(command);
      copied.textContent = 'copied';
    } catch {
      copied.textContent = 'the browser does not permit copying';
    }
  });
  return el(
    'div',
    {},
    facts([
      ['POST', url],
      ['connected to', address],
      ['server name', serverName],
      ['Content-Type', 'application/json'],
      ['Accept', 'application/json, */*'],
    ]),
    el('div', { class: 'tools' }, copy, copied),
    bodyView(body),
  );
}

/** Returns the response of a webhook, or the error of the connection. */
export function responseView({ statusCode, headers, response }: TraceExchange, { texts }: TraceData): HTMLElement {
  const body = response === undefined ? '' : (texts[response] ?? '');
  if (statusCode === undefined) return el('div', {}, el('p', { class: 'error' }, 'No response'), longText(body));
  return el('div', {}, facts([['status', String(statusCode)], ...headers]), bodyView(body));
}

/** Longer bodies are shown as they are. */
const maxIndented = 1_000_000;

/** Returns a body, indented and highlighted if it is JSON. */
export function bodyView(body: string): HTMLElement {
  const text = body.length > maxIndented ? body : indented(body);
  const parts = highlighted(text);
  return parts.length === 1 ? longText(text) : el('pre', { tabindex: 0 }, parts);
}
