import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { randomFrom } from '../differential/random.js';
import { root } from '../support/run-command.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { closeFunctionReaders, functionReaders } from './readers/functions.js';
import { inputReaders, kustomizedReader } from './readers/input-readers.js';
import { randomInput } from './readers/random-input.js';
import { settingsReaders } from './readers/settings-readers.js';

const programs = temporaryFolder();
const readers = [...inputReaders, ...settingsReaders, kustomizedReader(path.join(programs.folder, 'bin')), ...functionReaders];
const runs = 12;
const pod = 'apiVersion: v1\nkind: Pod\nmetadata: {name: a}\nspec: {containers: [{name: a, image: a}]}\n';

let attacked: ReturnType<typeof temporaryFolder>;
beforeEach(() => {
  attacked = temporaryFolder();
});
afterEach(() => attacked.remove());
afterAll(() => {
  programs.remove();
  closeFunctionReaders();
});

describe('random input', { timeout: 60_000 }, () => {
  it.each(readers)('ends no reader of $name with an error of ours', async ({ name, samples, read }) => {
    const random = randomFrom([...name].reduce((sum, letter) => sum * 31 + letter.charCodeAt(0), 7));
    const bugs: object[] = [];
    for (let run = 0; run < runs; run += 1) {
      const input = randomInput(random, samples);
      const folder = path.join(attacked.folder, String(run));
      mkdirSync(folder);
      writeFileSync(path.join(folder, 'pod.yaml'), pod);
      const { stdout, stderr, exitCode } = await read(input, folder).catch(crashed);
      const isBug = exitCode === 70 || /^\s+at .*[:(]\d+:\d+\)?$/m.test(stderr);
      // What is printed is bounded by what was read: no reader multiplies its input.
      if (isBug || stdout.length + stderr.length > 200_000 + 100 * input.length)
        bugs.push({ run, exitCode, stderr: stderr.slice(0, 1000), input: input.toString('latin1').slice(0, 500) });
    }
    expect(bugs).toEqual([]);
  });
});

function crashed(error: Error): { stdout: string; stderr: string; exitCode: number } {
  return { stdout: '', stderr: String(error.stack), exitCode: 70 };
}

/** Functions that read bytes of files. */
const reading =
  /\b(?:readFileSync|readFile|readSync|createReadStream|readNamedFile|readRegularFile|readInputFile|readFoundInput|readInputFiles|inputFiles|deserialize)\(/;

/** Files that read only what belongs to this program, to the system or to the user's own code, or that define such a function. */
const ownFiles = [
  ...['src/files/read-file.ts', 'src/kubernetes/table-file.ts', 'src/local-apiserver/recorded/data-file.ts', 'src/pages/page-files.ts'],
  ...[
    'src/cli/options/base-command.ts',
    'src/cli/options/trust/consent.ts',
    'src/cli/shell/process-surroundings.ts',
    'src/processes/owner.ts',
    'src/processes/process-group.ts',
  ],
  ...['src/cli/commands/serve/load-handlers.ts', 'src/cli/commands/report/merge-replays.ts', 'pages/playground/platform/node-fs.ts'],
];

it('is tried with every file of this program that reads files', () => {
  const sources = ['src', 'commands', 'pages'].flatMap(folder =>
    readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter(name => name.endsWith('.ts'))
      .map(name => path.posix.join(folder, name.replaceAll(path.sep, '/'))),
  );
  const found = sources.filter(file => reading.test(readFileSync(path.join(root, file), 'utf8')));
  const tried = new Set([...readers.flatMap(({ sources }) => sources), ...ownFiles]);
  expect(found.filter(file => !tried.has(file))).toEqual([]);
  expect([...tried].filter(file => !sources.includes(file))).toEqual([]);
});
