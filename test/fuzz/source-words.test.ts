import { symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { sourceWords } from '../../src/cli/commands/fuzz/source-words.js';
import { temporaryFolder } from '../support/temporary-folder.js';

it('takes texts in quotes, members of labels and annotations, and numbers from sources', () => {
  const { folder, remove } = temporaryFolder({
    'guard.mjs': [
      'const text = object?.metadata?.annotations?.description;',
      "if (object.metadata.labels.tier === 'gold' && labels!.zone && annotations.get(text) && count > 4096) refuse('example.com/zone');",
      'const { labels } = object.metadata;',
    ].join('\n'),
  });
  onTestFinished(remove);
  const command = `node ${path.join(folder, 'guard.mjs')} \${PORT}`;
  expect(sourceWords({ command, cwd: '.', env: {}, readyTimeoutMs: 1, stopGraceMs: 1 }, folder)).toEqual([
    'example.com/zone',
    'description',
    'tier',
    'zone',
    'gold',
    '4096',
  ]);
});

it('takes nothing from neighbors that cannot be read, or are too large', () => {
  const { folder, remove } = temporaryFolder({ 'guard.mjs': "refuse('gold');\n" });
  onTestFinished(remove);
  symlinkSync(path.join(folder, 'nowhere'), path.join(folder, 'other.mjs'));
  writeFileSync(path.join(folder, 'bundle.mjs'), `'silver';${' '.repeat(1_000_000)}`);
  expect(sourceWords({ command: 'node guard.mjs', cwd: '.', env: {}, readyTimeoutMs: 1, stopGraceMs: 1 }, folder)).toEqual(['gold']);
});
