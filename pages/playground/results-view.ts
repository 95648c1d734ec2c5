import type { EvaluatedExpression } from '../../src/kubernetes/evaluated-expression.js';
import { el, longText } from '../shared/dom.js';
import { entryView } from '../trace/call-view.js';
import type { Place } from '../trace/page-state.js';
import type { EditorName, PlaygroundResult, Problem } from './model.js';

/** The part of the page with the results. */
export interface ResultsView {
  readonly node: HTMLElement;
  /** Shows a result; the chosen call and step stay chosen if they exist in it. */
  readonly show: (result: PlaygroundResult) => void;
  /** Shows a message of the engine in place of results. */
  readonly fail: (message: string) => void;
}

/** Returns a view without results. `titles` are those of the editors, and `goTo` shows a line of one. */
export function resultsView(titles: Readonly<Record<EditorName, string>>, goTo: (name: EditorName, line: number) => void): ResultsView {
  const options = { isUnified: true, showsAll: false, withManagedFields: false, tab: 'Changes' };
  const node = el('main', { id: 'results', tabindex: -1 });
  let place: Place = start;

  function show(result: PlaygroundResult): void {
    const { data, problems } = result;
    const { entries } = data;
    if (place.entry >= entries.length) place = start;
    const entry = entries[place.entry];
    const go = (next: Place): void => {
      place = next;
      show(result);
    };
    node.replaceChildren(
      problemsView(
        'Errors',
        problems.filter(problem => !isFinding(problem)),
      ),
      entries.length > 1 ? entriesView(result, { place, go }) : '',
      entry === undefined
        ? el('p', { class: 'quiet' }, 'No call: type a manifest.')
        : entryView(entry, { data, place: clamped(place, result), options, go }),
      expressionsView(result.expressions[place.entry] ?? []),
      problemsView('Findings', problems.filter(isFinding)),
    );
  }

  function problemsView(title: string, problems: readonly Problem[]): HTMLElement | string {
    if (problems.length === 0) return '';
    return el(
      'section',
      { 'aria-label': title },
      el('h2', {}, title),
      problems.map(({ editor: name, line, severity, message }) =>
        el(
          'p',
          { class: severity === 'error' ? 'error' : 'quiet' },
          el('button', { type: 'button', class: 'more', onclick: () => goTo(name, line) }, `${titles[name]}:${line}`),
          ` ${message}`,
        ),
      ),
    );
  }

  return { node, show, fail: message => node.replaceChildren(longText(message, { class: 'error' })) };
}

const start: Place = { entry: 0, call: 0, step: undefined };

/** Returns the expressions of policies and match conditions with the values of their parts. */
function expressionsView(expressions: readonly EvaluatedExpression[]): HTMLElement | string {
  if (expressions.length === 0) return '';
  const shown = expressions.map(({ text, parts }) =>
    el(
      'details',
      { open: true },
      el('summary', {}, el('code', {}, text)),
      el(
        'table',
        { class: 'parts' },
        el('thead', {}, el('tr', {}, el('th', { scope: 'col' }, 'Part'), el('th', { scope: 'col' }, 'Value'))),
        el(
          'tbody',
          {},
          parts.map(part => {
            const name = el('code', {}, part.text);
            name.style.paddingInlineStart = `${part.depth}em`;
            return el('tr', {}, el('td', {}, name), el('td', {}, el('code', {}, part.value)));
          }),
        ),
      ),
    ),
  );
  return el('section', { 'aria-label': 'Expressions' }, el('h3', {}, 'Expressions'), shown);
}

/** Returns a button for each entry. */
function entriesView(
  { data }: PlaygroundResult,
  { place, go }: { readonly place: Place; readonly go: (next: Place) => void },
): HTMLElement {
  const buttons = data.entries.map(({ name }, entry) =>
    el('button', { type: 'button', 'aria-pressed': String(entry === place.entry), onclick: () => go({ ...start, entry }) }, name),
  );
  return el('div', { class: 'tools' }, buttons);
}

/** Reports whether a problem is a finding: about what exists in the cluster, or less than an error. */
function isFinding({ editor: name, severity }: Problem): boolean {
  return severity !== 'error' || (name !== 'manifest' && name !== 'answers');
}

/** The steps of the next result may be fewer. */
function clamped(at: Place, { data }: PlaygroundResult): Place {
  const count = data.entries[at.entry]?.calls[at.call]?.steps.length ?? 0;
  return at.step !== undefined && at.step >= count ? { ...at, step: undefined } : at;
}
