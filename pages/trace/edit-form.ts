import { readUnstructured } from '../../src/encoding/unstructured.js';
import { writeYaml } from '../../src/encoding/yaml-writer.js';
import type { TraceEdit } from '../../src/pages/trace-model.js';
import { el } from '../shared/dom.js';
import { fragmentOf } from './page-state.js';

/** Where the form of a call sends it. */
interface Sending {
  readonly entry: number;
  readonly sendTo: string;
  readonly sendsNothing: boolean;
}

const operations = ['create', 'update', 'patch', 'apply', 'delete'];

/** Rows of the text with the object. */
const maxRows = 30;

/** Returns a form, closed at first, to edit a call and send it again. The page then goes to the new call. */
export function editForm(edit: TraceEdit, { entry, sendTo, sendsNothing }: Sending): HTMLElement {
  const manifest = writeYaml(readUnstructured(edit.object));
  const operation = el(
    'select',
    {},
    operations.map(name => el('option', { selected: name === edit.operation }, name)),
  );
  const user = el('input', { value: edit.user, placeholder: 'kubernetes-admin', autocomplete: 'off', spellcheck: 'false' });
  const groups = el('input', {
    value: edit.groups.join(', '),
    placeholder: 'separated by commas',
    autocomplete: 'off',
    spellcheck: 'false',
  });
  const object = el('textarea', { spellcheck: 'false', rows: Math.min(maxRows, manifest.split('\n').length) });
  object.value = manifest;
  const patch = el('textarea', { spellcheck: 'false', rows: 4 });
  patch.value = edit.patch ?? '';
  const patchLabel = el('label', {}, 'Patch, as YAML or JSON', patch);
  const said = el('p', { class: 'error', role: 'alert' });
  const send = el('button', { type: 'submit' }, sendsNothing ? 'Ask again' : 'Send again');
  const showPatch = (): void => {
    patchLabel.hidden = operation.value !== 'patch';
  };
  operation.addEventListener('change', showPatch);
  showPatch();
  const form = el(
    'form',
    { class: 'edit-form' },
    el(
      'div',
      { class: 'tools' },
      el('label', {}, 'Operation ', operation),
      el('label', {}, 'User ', user),
      el('label', {}, 'Groups ', groups),
    ),
    el('label', {}, 'Object, as YAML or JSON', object),
    patchLabel,
    el('div', { class: 'tools' }, send, el('span', { class: 'quiet' }, 'Ctrl-Enter')),
    said,
  );
  const call = (): object => ({
    ...{ entry, operation: operation.value, object: object.value, patch: patch.value, user: user.value.trim() },
    groups: groups.value
      .split(',')
      .map(group => group.trim())
      .filter(group => group !== ''),
  });
  form.addEventListener('submit', async event => {
    event.preventDefault();
    if (send.disabled) return;
    send.disabled = true;
    said.textContent = '';
    const answer = await sendCall(sendTo, call());
    send.disabled = false;
    if ('error' in answer) said.textContent = answer.error;
    else {
      history.replaceState(null, '', fragmentOf({ entry: answer.entry, call: 0, step: undefined }));
      location.reload();
    }
  });
  form.addEventListener('keydown', event => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) form.requestSubmit();
  });
  return el('details', { class: 'edit' }, el('summary', {}, sendsNothing ? 'Edit and ask again' : 'Edit and send again'), form);
}

async function sendCall(sendTo: string, call: object): Promise<{ readonly error: string } | { readonly entry: number }> {
  try {
    const response = await fetch(sendTo, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(call) });
    return await response.json();
  } catch {
    return { error: 'The command does not answer: has it ended?' };
  }
}
