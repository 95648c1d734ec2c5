/** Of more cases, only those with something to say are shown at first. */
const maxShown = 200;

interface ShownCase {
  readonly node: HTMLDetailsElement;
  readonly outcomes: readonly string[];
  /** In lower case. */
  readonly text: string;
}

/** Shows the form of a report, which selects cases by outcome and text. Without it the page shows everything. */
export function startFilter(form: HTMLFormElement): void {
  const cases = [...document.querySelectorAll<HTMLDetailsElement>('.case')].map(caseIn);
  const boxes = [...form.querySelectorAll<HTMLInputElement>('input[type=checkbox]')];
  const apply = (): void => {
    const outcomes = new Set(boxes.filter(({ checked }) => checked).map(({ value }) => value));
    const words = searchedText(form)
      .toLowerCase()
      .split(/\s+/)
      .filter(word => word !== '');
    const count = showCases(
      cases,
      ({ outcomes: own, text }) => own.some(outcome => outcomes.has(outcome)) && words.every(word => text.includes(word)),
    );
    const isQuiet = count < cases.length && !outcomes.has('passed') && words.length === 0;
    const shown = form.querySelector('output');
    if (shown !== null) shown.textContent = `${count} of ${cases.length} cases${isQuiet ? ': those that passed are hidden' : ''}`;
  };
  form.addEventListener('input', apply);
  form.addEventListener('submit', event => event.preventDefault());
  const expand = form.querySelector('button');
  expand?.addEventListener('click', () => {
    const opens = expand.textContent === 'expand all';
    for (const { node } of cases) node.open = opens;
    expand.textContent = opens ? 'collapse all' : 'expand all';
  });
  addEventListener('hashchange', openTarget);
  openTarget();
  if (cases.length > maxShown) for (const box of boxes) if (box.value === 'passed' || box.value === 'skipped') box.checked = false;
  form.hidden = false;
  apply();
}

function caseIn(node: HTMLDetailsElement): ShownCase {
  const texts = [...node.querySelectorAll(':scope > summary, .failure')].map(part => part.textContent);
  return {
    node,
    outcomes: (node.dataset['outcomes'] ?? '').split(' '),
    text: [node.dataset['suite'], ...texts].join(' ').toLowerCase(),
  };
}

function searchedText(form: HTMLFormElement): string {
  return form.querySelector<HTMLInputElement>('input[type=search]')?.value ?? '';
}

/** Hides the other cases, and suites of which no case is left. Returns how many are shown. */
function showCases(cases: readonly ShownCase[], fits: (one: ShownCase) => boolean): number {
  for (const one of cases) one.node.hidden = !fits(one);
  for (const suite of document.querySelectorAll<HTMLElement>('.suite'))
    suite.hidden = suite.querySelector('.case:not([hidden])') === null && suite.querySelector('.case') !== null;
  return cases.filter(({ node }) => !node.hidden).length;
}

function openTarget(): void {
  const target = document.getElementById(location.hash.slice(1));
  if (target instanceof HTMLDetailsElement && target.matches('.case')) target.open = true;
}
