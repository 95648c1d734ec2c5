import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CompletionList } from 'vscode-languageserver';
import { admissionExpressions } from './admission-expressions.js';
import { definitionRules } from './definition-rules.js';
import { type Editor, startEditor } from './editor.js';

let editor: Editor;
beforeAll(async () => {
  editor = await startEditor();
});
afterAll(async () => {
  await editor.close();
});

for (const [name, { write, places }] of Object.entries({ ...admissionExpressions, ...definitionRules })) {
  describe(name, () => {
    it.each(places)('offers at %s', async (marked, present, absent) => {
      const whole = write(marked);
      const offset = whole.indexOf('‸');
      const before = whole.slice(0, offset).split('\n');
      const uri = `file:///${encodeURIComponent(`${name} ${marked}`)}.yaml`;
      await editor.show(uri, whole.replace('‸', ''));
      const position = { line: before.length - 1, character: before.at(-1)?.length ?? 0 };
      const list: CompletionList | null = await editor.connection.sendRequest('textDocument/completion', {
        textDocument: { uri },
        position,
      });
      const labels = (list?.items ?? []).map(({ label }) => label);
      await editor.hide(uri);
      if (present !== '') expect(labels).toEqual(expect.arrayContaining(present.split(' ')));
      expect(labels.filter(label => absent.split(' ').includes(label))).toEqual([]);
    });
  });
}
