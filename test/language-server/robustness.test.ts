import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { projectRoot } from '../corpus/files.js';
import { startEditor } from './editor.js';

const folder = path.join(projectRoot, 'fixtures/lint');
const texts = readdirSync(folder)
  .filter(name => name.endsWith('.yaml'))
  .map(name => readFileSync(path.join(folder, name), 'utf8'));

/** An edit: a part of the text is replaced. */
const edit = fc.record({
  at: fc.double({ min: 0, max: 1, noNaN: true }),
  length: fc.integer({ min: 0, max: 40 }),
  text: fc.oneof(
    fc.constantFrom('', ' ', '\n', ':', '- ', '{', ']', '"', '|\n', '&a ', '*a', '<<: *a', '😀', '\t', '---\n', 'spec:', '# '),
    fc.string({ maxLength: 5 }),
  ),
});

it('answers for the newest version after any edits, completes and hovers anywhere, and never fails', { timeout: 240_000 }, async () => {
  const editor = await startEditor();
  const errors: string[] = [];
  editor.connection.onNotification('window/logMessage', ({ message }: { message: string }) => void errors.push(message));
  let number = 0;
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...texts), fc.array(edit, { minLength: 1, maxLength: 8 }), async (start, edits) => {
      number += 1;
      const uri = `file:///${number}.yaml`;
      let text = start;
      await editor.show(uri, text);
      for (const { at, length, text: added } of edits) {
        const from = Math.floor(at * text.length);
        text = text.slice(0, from) + added + text.slice(from + length);
        const diagnostics = await editor.show(uri, text);
        const lines = text.split(/\r\n|\r|\n/).length;
        for (const { range } of diagnostics) expect(range.end.line).toBeLessThan(lines);
        const before = text.slice(0, from + added.length).split(/\r\n|\r|\n/);
        const params = { textDocument: { uri }, position: { line: before.length - 1, character: before.at(-1)?.length ?? 0 } };
        await editor.connection.sendRequest('textDocument/completion', params);
        await editor.connection.sendRequest('textDocument/hover', params);
      }
      await editor.hide(uri);
    }),
    { numRuns: 60, seed: 70 },
  );
  expect(errors).toEqual([]);
  expect(await editor.close()).toBe(true);
});

it('survives every prefix of a document', { timeout: 240_000 }, async () => {
  const editor = await startEditor();
  const text = texts[0] ?? '';
  for (let length = 0; length <= text.length; length += 3) await editor.show('file:///prefix.yaml', text.slice(0, length));
  expect(await editor.close()).toBe(true);
});
