import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import Test from '../../commands/test.js';
import { runCommand } from '../support/run-command.js';
import { temporaryFolder } from '../support/temporary-folder.js';

let folder: string;
let remove: () => void;

beforeAll(() => {
  ({ folder, remove } = temporaryFolder());
});
afterAll(() => remove());

const head = 'apiVersion: webhook-cli.dev/v1alpha1\nkind: Suite\n';

const severalErrors = `${head}urll: x
timeout: 5
exec: {comand: run}
redact: [{path: 1}, {matches: '['}]
cases:
- name: a
  filname: pod.yaml
  expect: {alowed: true, code: x, object: [{path: a}, {path: b, equals: 1, absent: true}]}
- filename: pod.yaml
  seed: -1
  checks: [idempotnt]
  skip: 5
- name: b
  steps: [{filename: pod.yaml, operation: craete}, {expect: {reasn: x}}]
- name: b
  to: v1
  filename: pod.yaml
  expect: {lost: [1], converted: x}
  matrix: {seed: [1]}
`;

describe('several errors of suites', () => {
  it('are reported in one run in the order of the file, without their consequences', async () => {
    writeFileSync(path.join(folder, 'a.webhook-test.yaml'), severalErrors);
    const { exitCode, stderr } = await runCommand(Test, ['a.webhook-test.yaml'], { cwd: folder });
    const lines = stderr.trimEnd().split('\n');
    expect([exitCode, lines.map(line => line.replace('error: a.webhook-test.yaml:', '').slice(0, 60))]).toMatchInlineSnapshot(`
      [
        3,
        [
          "3:1: a suite has no field "urll"; did you mean url?",
          "4:1: invalid timeout: expected a duration from 1s to 30s, in",
          "5:8: exec has no field "comand"; did you mean command?",
          "6:11: invalid redact[0].path: expected a path such as spec.c",
          "6:22: redact[1].matches is not a valid regular expression: e",
          "9:3: cases[0] has no field "filname"; did you mean filename?",
          "10:12: cases[0].expect has no field "alowed"; did you mean a",
          "10:26: invalid cases[0].expect.code: expected an integer fro",
          "10:44: invalid cases[0].expect.object[0]: expected a map wit",
          "10:55: invalid cases[0].expect.object[1]: expected a map wit",
          "11:3: cases[1] has no name; add a unique name",
          "12:3: invalid cases[1].seed "-1": expected an integer from 0",
          "13:12: cases[1].checks[0] is "idempotnt", which is not a val",
          "14:3: invalid cases[1].skip: expected the reason, or true, f",
          "16:32: invalid cases[2].steps[0].operation "craete": expecte",
          "16:52: cases[2].steps[1] has no call; add filename: with a m",
          "16:62: cases[2].steps[1].expect has no field "reasn"; did yo",
          "20:19: invalid cases[3].expect.lost[0]: expected a path such",
          "20:23: invalid cases[3].expect.converted: expected true or f",
        ],
      ]
    `);
    const asJson = await runCommand(Test, ['a.webhook-test.yaml'], { cwd: folder, env: { WEBHOOK_CLI_OUTPUT: 'json' } });
    const document = JSON.parse(asJson.stdout);
    expect([document.location, document.others.length, document.others[0].location]).toMatchInlineSnapshot(`
      [
        {
          "column": 1,
          "file": "a.webhook-test.yaml",
          "line": 3,
        },
        18,
        {
          "column": 1,
          "file": "a.webhook-test.yaml",
          "line": 4,
        },
      ]
    `);
  });

  it('are at most 20 as text, from all suites', async () => {
    mkdirSync(path.join(folder, 'many'), { recursive: true });
    const cases = Array.from({ length: 12 }, (_, i) => `- {name: c${i}, filename: a.yaml, sed: 1}\n`).join('');
    for (const name of ['a', 'b']) writeFileSync(path.join(folder, `many/${name}.webhook-test.yaml`), `${head}cases:\n${cases}`);
    const { stderr } = await runCommand(Test, ['many'], { cwd: folder });
    const lines = stderr.trimEnd().split('\n');
    expect([lines.length, lines.filter(line => line.includes('many/b.')).length, lines.at(-1)]).toEqual([21, 8, '... and 4 more errors']);
  });
});
