import { expect, it } from 'vitest';
import type { EngineReply } from '../../pages/playground/model.js';
import { type OpenedPage, violationsOf } from './opened-page.js';

export interface OpenedPlaygrounds {
  readonly open: () => Promise<OpenedPage>;
  /** Opens the page with an example, when its result is shown. */
  readonly withExample: (title: string) => Promise<OpenedPage>;
}

/** Tests of completion in the editors of the playground, and of the messages of its worker. */
export function completionTests({ open, withExample }: OpenedPlaygrounds): void {
  it('offers fields of the object in an expression of a policy, and takes the chosen one', async () => {
    const { page, problems } = await withExample('A ValidatingAdmissionPolicy');
    await page.getByRole('tab', { name: 'Policies' }).first().click();
    await page.getByRole('textbox', { name: 'Policies' }).click();
    await page.keyboard.press('ControlOrMeta+Home');
    for (let line = 1; line < 15; line += 1) await page.keyboard.press('ArrowDown');
    await page.keyboard.press('End');
    await page.keyboard.type(' && object.spec.');
    const offered = page.getByRole('listbox').getByRole('option');
    await offered.filter({ hasText: 'containers' }).first().waitFor();
    const labels = await offered.locator('.cm-completionLabel').allTextContents();
    expect(labels).toEqual(expect.arrayContaining(['hostNetwork', 'nodeName', 'volumes']));
    expect(labels).not.toContain('image');
    await page.keyboard.type('hostNet');
    await offered
      .first()
      .and(page.getByRole('option', { name: 'hostNetwork' }))
      .waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await page.keyboard.press('Enter');
    await page.locator('.editor:not([hidden]) .cm-line').filter({ hasText: '&& object.spec.hostNetwork' }).waitFor();
    expect(problems).toEqual([]);
  });

  it('offers the fields and values of a kind that the definitions define', async () => {
    const { page, problems } = await withExample('A custom resource that its definition refuses');
    await page.getByRole('textbox', { name: 'Manifest' }).click();
    await page.keyboard.press('ControlOrMeta+A');
    await page.keyboard.press('Backspace');
    await page.keyboard.insertText('apiVersion: example.com/v1\nkind: Widget\nmetadata: {name: blue}\nspec:\n  size: 1\n  ');
    await page.keyboard.type('c');
    await page.getByRole('listbox').getByRole('option', { name: 'color' }).waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press('ControlOrMeta+Space');
    await page.getByRole('listbox').getByRole('option', { name: 'color' }).waitFor();
    expect(await page.getByRole('option', { name: 'size' }).count()).toBe(0);
    expect(problems).toEqual([]);
  });

  it('has a worker that answers messages in their order, each by its number', async () => {
    const { page, problems } = await open();
    const texts = { manifest: 'apiVersion: v1\nkind: Pod\nspec:\n  ', configuration: '', definitions: '', policies: '', answers: '' };
    const input = { ...texts, version: 'v1.37', operation: 'create', user: '' };
    const questions = [
      { asks: 'completion', number: 7, input, editor: 'manifest', offset: input.manifest.length },
      { asks: 'result', number: 3, input: { ...input, manifest: 'apiVersion: v1\nkind: Pod\nmetadata: {name: A}\nspec: {}\n' } },
      { asks: 'completion', number: 9, input, editor: 'answers', offset: 0 },
      { asks: 'completion', number: 10, input: { ...input, manifest: '[' }, editor: 'manifest', offset: 1 },
      { asks: 'result', number: 11, input: { ...input, manifest: '{' } },
    ];
    const replies = await page.evaluate<EngineReply[]>(scriptOfWorker(questions));
    expect(replies.map(({ number, error }) => [number, error])).toEqual([7, 3, 9, 10, 11].map(number => [number, undefined]));
    const labels = replies[0]?.suggestions?.items.map(({ label }) => label);
    expect(labels).toEqual(expect.arrayContaining(['containers', 'volumes']));
    expect(replies[0]?.suggestions).toMatchObject({ start: input.manifest.length, end: input.manifest.length });
    const [name] = replies[1]?.result?.problems ?? [];
    expect(name).toMatchObject({ editor: 'manifest', line: 3, range: { start: 42, end: 43 } });
    expect(replies.slice(2, 4).map(({ suggestions }) => suggestions?.items ?? [])).toEqual([[], []]);
    expect(replies[4]?.result?.problems).toHaveLength(1);
    expect(problems).toEqual([]);
  });
}

/** Script that sends all messages to a worker at once, and whose value is its messages. */
const scriptOfWorker = (questions: readonly unknown[]): string => `new Promise((resolve, reject) => {
  const questions = ${JSON.stringify(questions)};
  const replies = [];
  const worker = new Worker('engine.js', { type: 'module' });
  worker.addEventListener('error', event => reject(new Error(event.message)));
  worker.addEventListener('message', ({ data }) => {
    if (replies.push(data) === questions.length) resolve(replies);
  });
  for (const question of questions) worker.postMessage(question);
})`;
