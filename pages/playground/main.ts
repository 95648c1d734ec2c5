import { kubernetesMinors } from '../../src/kubernetes/kubernetes-version.js';
import { el, longText } from '../shared/dom.js';
import { entryView } from '../trace/call-view.js';
import type { Place } from '../trace/page-state.js';
import { fragmentFor, inputIn } from './address.js';
import { type Editor, editor } from './editor.js';
import { startEngine } from './engine-client.js';
import { examples, startInput } from './examples.js';
import { type EditorName, editorNames, type PlaygroundInput, type PlaygroundResult, type Problem } from './model.js';

const titles: Readonly<Record<EditorName, string>> = {
  manifest: 'Manifest',
  configuration: 'Configuration',
  definitions: 'Definitions and objects',
  policies: 'Policies',
  answers: 'Answers of webhooks',
};

const options = { isUnified: true, showsAll: false, withManagedFields: false, tab: 'Changes' };
const results = el('main', { id: 'results', tabindex: -1 });
const status = el('p', { class: 'quiet', role: 'status' }, 'loading');
const version = choice('Kubernetes version', [...kubernetesMinors].reverse());
const operation = choice('Operation', ['create', 'update', 'apply', 'delete']);
const user = el('input', { 'aria-label': 'User', placeholder: 'kubernetes-admin', oninput: () => onChange() });
const editors = {} as Record<EditorName, Editor>;
const tabs = new Map<EditorName, HTMLElement>();
let result: PlaygroundResult | undefined;
let place: Place = { entry: 0, call: 0, step: undefined };
let askedAt = 0;

const engine = startEngine(
  made => {
    result = made;
    status.replaceChildren(`${(performance.now() - askedAt).toFixed(0)} ms`);
    show();
  },
  message => {
    status.replaceChildren('failed');
    results.replaceChildren(longText(message, { class: 'error' }));
  },
);

function choice(label: string, values: readonly string[]): HTMLSelectElement {
  return el(
    'select',
    { 'aria-label': label, onchange: () => onChange() },
    values.map(value => el('option', { value }, value)),
  );
}

function currentInput(): PlaygroundInput {
  const texts = Object.fromEntries(editorNames.map(name => [name, editors[name].text()])) as Record<EditorName, string>;
  return { ...texts, version: version.value, operation: operation.value, user: user.value };
}

function onChange(): void {
  const input = currentInput();
  askedAt = performance.now();
  engine.ask(input);
  fragmentFor(input).then(fragment => history.replaceState(null, '', fragment));
}

function setInput(input: PlaygroundInput): void {
  for (const name of editorNames) editors[name].setText(input[name]);
  version.value = kubernetesMinors.some(minor => minor === input.version) ? input.version : startInput.version;
  operation.value = input.operation;
  user.value = input.user;
  onChange();
}

function show(): void {
  if (result === undefined) return;
  const { data, problems } = result;
  for (const name of editorNames) editors[name].mark(problems.filter(problem => problem.editor === name));
  const entries = data.entries;
  if (place.entry >= entries.length) place = { entry: 0, call: 0, step: undefined };
  const entry = entries[place.entry];
  const go = (next: Place): void => {
    place = next;
    show();
  };
  results.replaceChildren(
    problemsView(
      'Errors',
      problems.filter(problem => !isLint(problem)),
    ),
    entries.length > 1
      ? el(
          'div',
          { class: 'tools' },
          entries.map((one, index) =>
            el(
              'button',
              {
                type: 'button',
                'aria-pressed': String(index === place.entry),
                onclick: () => go({ entry: index, call: 0, step: undefined }),
              },
              one.name,
            ),
          ),
        )
      : '',
    entry === undefined
      ? el('p', { class: 'quiet' }, 'No call: type a manifest.')
      : entryView(entry, { data, place: clamped(place), options, go }),
    problemsView('Lint', problems.filter(isLint)),
  );
}

/** Whether a problem is a finding about what exists in the cluster, not an error of the call. */
function isLint({ editor: name }: Problem): boolean {
  return name !== 'manifest' && name !== 'answers';
}

function problemsView(title: string, problems: readonly Problem[]): HTMLElement | string {
  if (problems.length === 0) return '';
  return el(
    'section',
    { 'aria-label': title },
    el('h3', {}, title),
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

/** The steps of the next result may be fewer. */
function clamped(at: Place): Place {
  const count = result?.data.entries[at.entry]?.calls[at.call]?.steps.length ?? 0;
  return at.step !== undefined && at.step >= count ? { ...at, step: undefined } : at;
}

function goTo(name: EditorName, line: number): void {
  choose(name);
  editors[name].goTo(line);
}

function choose(name: EditorName): void {
  for (const [other, tab] of tabs) {
    tab.setAttribute('aria-selected', String(other === name));
    tab.tabIndex = other === name ? 0 : -1;
    editors[other].node.hidden = other !== name;
  }
}

async function start(): Promise<void> {
  for (const name of editorNames) {
    editors[name] = editor(titles[name], startInput[name], onChange);
    tabs.set(name, el('button', { type: 'button', role: 'tab', onclick: () => choose(name) }, titles[name]));
  }
  const example = el(
    'select',
    { 'aria-label': 'Example' },
    el('option', { value: '' }, 'Examples'),
    Object.keys(examples).map(title => el('option', { value: title }, title)),
  );
  example.addEventListener('change', () => {
    const chosen = examples[example.value];
    if (chosen !== undefined) setInput(chosen);
  });
  const tabList = el('div', { role: 'tablist', 'aria-label': 'Inputs' }, [...tabs.values()]);
  tabList.addEventListener('keydown', event => {
    const names = [...editorNames];
    const at = names.findIndex(name => tabs.get(name)?.matches(':focus'));
    const next = names[event.key === 'ArrowRight' ? at + 1 : event.key === 'ArrowLeft' ? at - 1 : -1];
    if (at < 0 || next === undefined) return;
    choose(next);
    tabs.get(next)?.focus();
  });
  document.body.append(
    el('a', { class: 'skip-link', href: '#results' }, 'Skip to the results'),
    el(
      'div',
      { id: 'app', class: 'playground' },
      el('header', {}, el('h1', {}, 'webhook-cli playground'), example, version, operation, user, status),
      el(
        'section',
        { class: 'inputs', 'aria-label': 'Inputs' },
        tabList,
        editorNames.map(name => editors[name].node),
      ),
      results,
    ),
  );
  choose('manifest');
  setInput((await inputIn(location.hash, startInput)) ?? startInput);
  addEventListener('hashchange', async () => {
    const input = await inputIn(location.hash, startInput);
    if (input !== undefined) setInput(input);
  });
}

start();
