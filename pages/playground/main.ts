import { kubernetesMinors } from '../../src/kubernetes/kubernetes-version.js';
import { el } from '../shared/dom.js';
import { fragmentFor, inputIn } from './address.js';
import { type Editor, editor } from './editor.js';
import { startEngine } from './engine-client.js';
import { examples, startInput } from './examples.js';
import { type EditorName, editorNames, type PlaygroundInput } from './model.js';
import { resultsView } from './results-view.js';

const titles: Readonly<Record<EditorName, string>> = {
  manifest: 'Manifest',
  configuration: 'Configuration',
  definitions: 'Objects',
  policies: 'Policies',
  answers: 'Answers',
};

const status = el('p', { class: 'quiet', role: 'status' }, 'loading');
const version = choice('Kubernetes version', [...kubernetesMinors].reverse());
const operation = choice('Operation', ['create', 'update', 'apply', 'delete']);
const user = el('input', { 'aria-label': 'User', placeholder: 'kubernetes-admin', oninput: () => onChange() });
const editors = {} as Record<EditorName, Editor>;
const tabs = new Map<EditorName, HTMLElement>();
const results = resultsView(titles, goTo);

const engine = startEngine(
  (result, waitedMs) => {
    status.replaceChildren(`${waitedMs.toFixed(0)} ms`);
    for (const name of editorNames) editors[name].mark(result.problems.filter(problem => problem.editor === name));
    results.show(result);
  },
  message => {
    status.replaceChildren('failed');
    results.fail(message);
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
