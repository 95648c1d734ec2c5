import { indented } from '../shared/indented.js';
import { startFilter } from './filter.js';

/** Shows times in the time zone of the reader. */
for (const time of document.querySelectorAll('time')) {
  time.title = time.dateTime;
  time.textContent = new Date(time.dateTime).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'medium' });
}

// Bodies are single lines until they are expanded.
document.addEventListener(
  'toggle',
  ({ target }) => {
    if (!(target instanceof HTMLDetailsElement) || !target.open) return;
    for (const body of target.querySelectorAll(':scope > .body')) body.textContent = indented(body.textContent ?? '');
  },
  true,
);

const form = document.querySelector('form');
if (form !== null) startFilter(form);
