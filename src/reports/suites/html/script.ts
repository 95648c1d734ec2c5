/** Implements the filter. Without it the page shows everything. */
const filter = String.raw`
'use strict';
const form = document.querySelector('form');
const search = form.querySelector('input[type=search]');
const shown = form.querySelector('output');
const cases = [...document.querySelectorAll('.case')].map(node => ({
  node,
  outcomes: node.dataset.outcomes.split(' '),
  text: [node.dataset.suite, ...[...node.querySelectorAll(':scope > summary, .failure')].map(part => part.textContent)].join(' ').toLowerCase(),
}));
const suites = [...document.querySelectorAll('.suite')];
function apply() {
  const outcomes = new Set([...form.querySelectorAll('input:checked')].map(box => box.value));
  const words = search.value.toLowerCase().split(/\s+/).filter(word => word !== '');
  let count = 0;
  for (const { node, outcomes: own, text } of cases) {
    const fits = own.some(outcome => outcomes.has(outcome)) && words.every(word => text.includes(word));
    node.hidden = !fits;
    if (fits) count += 1;
  }
  for (const suite of suites) suite.hidden = suite.querySelector('.case:not([hidden])') === null && suite.querySelector('.case') !== null;
  const isQuiet = count < cases.length && !outcomes.has('passed') && words.length === 0;
  shown.textContent = count + ' of ' + cases.length + ' cases' + (isQuiet ? ': those that passed are hidden' : '');
}
form.addEventListener('input', apply);
form.addEventListener('submit', event => event.preventDefault());
const expand = form.querySelector('button');
expand.addEventListener('click', () => {
  const open = expand.textContent === 'expand all';
  for (const { node } of cases) node.open = open;
  expand.textContent = open ? 'collapse all' : 'expand all';
});
function openTarget() {
  const target = document.getElementById(location.hash.slice(1));
  if (target !== null && target.matches('.case')) target.open = true;
}
addEventListener('hashchange', openTarget);
openTarget();
// Of many cases, only those with something to say are shown at first.
if (cases.length > 200) for (const box of form.querySelectorAll('input[value=passed], input[value=skipped]')) box.checked = false;
form.hidden = false;
apply();
`;

/** Indents JSON when it is expanded; without it, bodies are single lines. */
export const indentation = String.raw`
// Token by token, so that numbers and escapes stay as they were sent.
function indented(text) {
  try {
    JSON.parse(text);
  } catch {
    return text;
  }
  let depth = 0;
  const line = () => '\n' + '  '.repeat(depth);
  return text.replace(/"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s"{}[\],:]+|\s+/g, (token, at) => {
    if (token === '{' || token === '[') {
      depth += 1;
      return /^\s*[}\]]/.test(text.slice(at + 1, at + 100)) ? token : token + line();
    }
    if (token === '}' || token === ']') {
      depth -= 1;
      return /[{[]\s*$/.test(text.slice(Math.max(at - 100, 0), at)) ? token : line() + token;
    }
    if (token === ',') return token + line();
    return token === ':' ? ': ' : token.trim();
  });
}
document.addEventListener('toggle', event => {
  if (!event.target.open) return;
  for (const body of event.target.querySelectorAll(':scope > .body')) body.textContent = indented(body.textContent);
}, true);
`;

/** Shows times in the time zone of the reader. */
const localTimes = `
for (const time of document.querySelectorAll('time')) {
  time.title = time.dateTime;
  time.textContent = new Date(time.dateTime).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'medium' });
}
`;

export const script = filter + localTimes + indentation;
