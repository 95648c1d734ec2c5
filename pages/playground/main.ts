import { kubernetesMinors, previewNote } from '../../src/kubernetes/kubernetes-version.js';
import { el } from '../shared/dom.js';
import { fragmentFor, inputIn } from './address.js';
import { type Editor, editor } from './editor.js';
import type { Suggest } from './editor-completion.js';
import { startEngine } from './engine-client.js';
import { examples, startInput } from './examples.js';
import { type EditorName, editorNames, type PlaygroundInput } from './model.js';
import { resultsView } from './results-view.js';
import { shareTools } from './share-tools.js';

const titles: Readonly<Record<EditorName, string>> = {
  manifest: 'Manifest',
  configuration: 'Webhooks',
  definitions: 'Objects',
  policies: 'Policies',
  answers: 'Answers',
};

/** What the tooltips of short titles say. */
const explained: Readonly<Record<EditorName, string>> = {
  manifest: 'The objects of the calls',
  configuration: 'Configurations of webhooks',
  definitions: 'CustomResourceDefinitions, namespaces and other objects that exist',
  policies: 'Admission policies and their bindings',
  answers: 'What webhooks answer',
};

const status = el('p', { class: 'quiet', role: 'status' }, 'loading');
const version = choice(
  'Kubernetes version',
  [...kubernetesMinors].reverse().map(minor => [minor, previewNote(minor) === undefined ? minor : `${minor} (preview)`]),
);
const operation = choice(
  'Operation',
  ['create', 'update', 'apply', 'delete'].map(name => [name, name]),
);
const user = el('input', { 'aria-label': 'User', placeholder: 'kubernetes-admin', oninput: () => onChange() });
const editors = {} as Record<EditorName, Editor>;
const tabs = new Map<EditorName, HTMLElement>();
const results = resultsView(titles, goTo);

const engine = startEngine(
  (result, waitedMs) => {
    status.replaceChildren(`answered in ${waitedMs.toFixed(0)} ms`);
    for (const name of editorNames) editors[name].mark(result.problems.filter(problem => problem.editor === name));
    results.show(result);
  },
  message => {
    status.replaceChildren('failed');
    results.fail(message);
  },
);

function choice(label: string, values: readonly (readonly [string, string])[]): HTMLSelectElement {
  return el(
    'select',
    { 'aria-label': label, onchange: () => onChange() },
    values.map(([value, text]) => el('option', { value }, text)),
  );
}

/** The input has a longer name of its own. */
function labelled(text: string, input: HTMLElement): HTMLElement {
  return el('span', { class: 'labelled' }, el('span', { class: 'quiet', 'aria-hidden': 'true' }, text), input);
}

function currentInput(): PlaygroundInput {
  const texts = Object.fromEntries(editorNames.map(name => [name, editors[name].text()])) as Record<EditorName, string>;
  return { ...texts, version: version.value, operation: operation.value, user: user.value };
}

function onChange(): void {
  const input = currentInput();
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
    const suggest: Suggest = offset => engine.complete({ input: currentInput(), editor: name, offset });
    editors[name] = editor(titles[name], { start: startInput[name], onChange, suggest });
    tabs.set(name, el('button', { type: 'button', role: 'tab', title: explained[name], onclick: () => choose(name) }, titles[name]));
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
      el(
        'header',
        {},
        el('h1', {}, 'webhook-cli playground'),
        example,
        labelled('Kubernetes', version),
        labelled('operation', operation),
        labelled('user', user),
        shareTools(),
        status,
      ),
      el(
        'section',
        { class: 'inputs', 'aria-label': 'Inputs' },
        tabList,
        editorNames.map(name => editors[name].node),
      ),
      results.node,
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
