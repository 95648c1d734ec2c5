import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import Convert from '../../commands/convert.js';
import Diagnose from '../../commands/diagnose.js';
import Lint from '../../commands/lint.js';
import Match from '../../commands/match.js';
import Replay from '../../commands/replay.js';
import ReportMerge from '../../commands/report/merge.js';
import Request from '../../commands/request.js';
import Review from '../../commands/review.js';
import Test from '../../commands/test.js';
import { seeded } from '../redaction/planted-secrets.js';
import { type CommandClass, root, runCommand } from '../support/run-command.js';
import { temporaryFolder } from '../support/temporary-folder.js';

/** Each reader of files and the arguments that make it read `input`. */
const readers: readonly (readonly [string, CommandClass, readonly string[]])[] = [
  ['manifests and captures', Review, ['--demo', '-f', 'input', '-o', 'name']],
  ['manifests', Request, ['-f', 'input']],
  ['configurations', Lint, ['-f', 'input']],
  ['states', Match, ['-f', 'pod.yaml', '--state', 'input']],
  ['kubeconfigs', Match, ['-f', 'pod.yaml', '--kubeconfig', 'input']],
  ['definitions', Convert, ['-f', 'pod.yaml', '--state', 'input', '--to', 'v1']],
  ['audit logs', Replay, ['-f', 'input', '--state', 'pod.yaml']],
  ['suites', Test, ['input.webhook-test.yaml']],
  ['reports', ReportMerge, ['input']],
  ['messages', Diagnose, ['-f', 'input']],
];

let attacked: ReturnType<typeof temporaryFolder>;
beforeAll(() => {
  attacked = temporaryFolder({
    'pod.yaml': 'apiVersion: v1\nkind: Pod\nmetadata: {name: a}\nspec: {containers: [{name: a, image: a}]}\n',
  });
});
afterAll(() => attacked.remove());

/** Files of this repository, which are changed at random; none that starts a program. */
const samples = ['fixtures/manifests', 'fixtures/replay', 'fixtures/reports', 'fixtures/recordings', 'fixtures/suites', 'fixtures/policies']
  .flatMap(folder => readdirSync(path.join(root, folder), { recursive: true, withFileTypes: true }))
  .filter(entry => entry.isFile() && /\.(?:ya?ml|json|jsonl|log|txt)$/.test(entry.name))
  .map(entry => path.join(entry.parentPath, entry.name))
  .filter(file => !readFileSync(file, 'utf8').includes('exec'))
  .sort();

/** Parts of logs that look like the start or the end of a capture, a document or a number. */
const parts =
  '{ } [ ] " \' : , - --- ... \\ \\u \\ud800 null true 1e400 -0 0x1 0o7 1_0 .inf & * | > % @ # \t \n \r\n \ufeff \u2028 \u0000 apiVersion: kind: {"kind":"AdmissionReview" {"kind":"Event","auditID": "request": "uid" I1123 level=info msg="{\\"kind\\":\\"AdmissionReview\\" !!binary <<: ? ['.split(
    ' ',
  );

/** Random bytes, random log text, or a changed file of this repository: at most 20,000 bytes. */
function inputOf(next: () => number): Buffer {
  const below = (max: number): number => Math.floor(next() * max);
  const kind = below(3);
  if (kind === 0) return Buffer.from(Array.from({ length: below(2000) }, () => below(256)));
  if (kind === 1) return Buffer.from(Array.from({ length: below(600) }, () => parts[below(parts.length)]).join(below(2) === 0 ? '' : ' '));
  const bytes = Buffer.from(readFileSync(samples[below(samples.length)] ?? '').subarray(0, 20_000));
  for (let changes = 1 + below(8); changes > 0 && bytes.length > 0; changes -= 1) {
    const at = below(bytes.length);
    const part = parts[below(parts.length)] ?? '';
    if (below(2) === 0) bytes[at] = below(256);
    else bytes.write(part.slice(0, bytes.length - at), at);
  }
  return bytes;
}

describe('random input', { timeout: 60_000 }, () => {
  it.each(readers)('ends no reader of %s with an error of ours', async (_, command, argv) => {
    const next = seeded(argv.join('').length * 7919);
    const bugs: object[] = [];
    for (let run = 0; run < 25; run += 1) {
      const input = inputOf(next);
      for (const name of ['input', 'input.webhook-test.yaml']) writeFileSync(path.join(attacked.folder, name), input);
      const { stdout, stderr, exitCode } = await runCommand(command, argv, { cwd: attacked.folder, env: { HOME: attacked.folder } });
      const isBug = exitCode === 70 || /^\s+at .*[:(]\d+:\d+\)?$/m.test(stderr);
      // What is printed is bounded by what was read: no reader multiplies its input.
      if (isBug || stdout.length + stderr.length > 200_000 + 100 * input.length)
        bugs.push({ run, exitCode, stderr: stderr.slice(0, 1000), input: input.toString('base64').slice(0, 500) });
    }
    expect(bugs).toEqual([]);
  });
});
