import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import Test from '../../commands/test.js';
import { issueServingPair } from '../../src/certificates/issue.js';
import { mapAt, stringAt } from '../../src/go/value.js';
import { type RunningServer, startServer } from '../../src/webhook-server/server.js';
import { type CommandOptions, type CommandResult, runCommand } from '../support/run-command.js';
import { temporaryFolder } from '../support/temporary-folder.js';

let server: RunningServer;
let ca: string;

/** Refuses to delete what has the label `protected`. */
beforeAll(async () => {
  const certs = await issueServingPair({ dns: [], ips: [] }, new Date());
  ca = certs.ca;
  const handler = (request: Parameters<Parameters<typeof startServer>[0]['handler']>[0]) => {
    const isProtected = mapAt(request, 'oldObject', 'metadata', 'labels')?.has('protected') === true;
    return isProtected && stringAt(request, 'operation') === 'DELETE'
      ? { allowed: false as const, code: 403, reason: 'Forbidden', message: 'it is protected' }
      : { allowed: true as const };
  };
  server = await startServer({ handler, cert: certs.cert, key: certs.key, host: '127.0.0.1', port: 0 });
});
afterAll(() => server.close());

const object = (labels: string): string =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: limits, namespace: default, labels: {${labels}}}\n`;
const head = 'apiVersion: webhook-cli.dev/v1alpha1\nkind: Suite\ncases:\n- name: life\n  filename: a.yaml\n';
const life = `${head}  steps:
  - expect: {allowed: true, code: 201}
  - {name: while it is protected, operation: delete, expect: {allowed: false, message: {matches: it is protected}}}
  - name: unprotect
    operation: update
    filename: b.yaml
    expect:
      object: [{path: metadata.labels, equals: {team: shop}}]
  - operation: delete
  - {name: after it was deleted, operation: delete, expect: {code: 404, called: []}}
`;

let folder: string;
let remove: () => void;

beforeEach(() => {
  const files = { 'ca.crt': ca, 'a.yaml': object('protected: "true"'), 'b.yaml': object('team: shop'), 's.webhook-test.yaml': life };
  ({ folder, remove } = temporaryFolder(files));
});
afterEach(() => remove());

function test(argv: readonly string[] = [], options: CommandOptions = {}): Promise<CommandResult> {
  const webhook = ['--url', `${server.origin}/validate`, '--phase', 'validating', '--ca-file', 'ca.crt'];
  return runCommand(Test, [...webhook, ...argv], { cwd: folder, env: { XDG_CACHE_HOME: path.join(folder, '.cache') }, ...options });
}

const write = (text: string): void => writeFileSync(path.join(folder, 's.webhook-test.yaml'), text);
const snapshot = (): string => readFileSync(path.join(folder, '__snapshots__', 's.life.yaml'), 'utf8');

describe('a case with steps', { timeout: 60_000 }, () => {
  it('makes every call in the state that the calls before it left, and compares the expectations of each step', async () => {
    const { exitCode, stdout } = await test(['--update']);
    expect(stdout).toContain('1 passed, 0 failed');
    expect(exitCode).toBe(0);
    const steps = snapshot()
      .split('\n')
      .filter(line => /step:|request:|code:/.test(line));
    expect(steps).toMatchInlineSnapshot(`
      [
        "    code: 201",
        "  request: POST /api/v1/namespaces/default/configmaps?fieldManager=kubectl-create&fieldValidation=Strict",
        "  step: create",
        "    code: 403",
        "      code: 403",
        "      message: 'admission webhook "webhook.webhook-cli.dev" denied the request: it is protected'",
        "  request: DELETE /api/v1/namespaces/default/configmaps/limits",
        "  step: while it is protected",
        "    code: 200",
        "  request: PUT /api/v1/namespaces/default/configmaps/limits?fieldManager=kubectl-replace&fieldValidation=Strict",
        "  step: unprotect",
        "    code: 200",
        "  request: DELETE /api/v1/namespaces/default/configmaps/limits",
        "  step: delete",
        "    code: 404",
        "      code: 404",
        "  request: DELETE /api/v1/namespaces/default/configmaps/limits",
        "  step: after it was deleted",
      ]
    `);
    expect((await test(['--check'])).exitCode).toBe(0);
  });

  it('reports the first step that fails, by its number and name, at its place', async () => {
    write(life.replace('it is protected}', 'it is locked}').replace('team: shop', 'team: billing'));
    const { exitCode, stdout } = await test();
    expect(exitCode).toBe(1);
    expect(stdout).toContain('step 2 (while it is protected): message does not match');
    expect(stdout).not.toContain('step 3');
    const junit = await test(['--reporter', 'junit']);
    expect(junit.stdout).toContain('step 2 (while it is protected): message does not match');
  });

  it('expects a step without expectations to be allowed', async () => {
    write(`${head}  steps:\n  - {}\n  - operation: delete\n`);
    const { exitCode, stdout } = await test();
    expect([exitCode, stdout.includes('step 2 (delete): expected the call to be allowed, but it was refused (403)')]).toEqual([1, true]);
    expect(stdout).toContain('s.webhook-test.yaml:8');
  });

  it('names the step in the errors of its files and of its webhook calls', async () => {
    write(`${head}  steps:\n  - {}\n  - {operation: update, filename: missing.yaml}\n`);
    expect(await test()).toMatchObject({ exitCode: 3, stdout: expect.stringContaining('step 2 (update): ') });
    write(`${head}  steps:\n  - {}\n`);
    const unreachable = await runCommand(Test, ['--url', 'https://127.0.0.1:1/validate', '--phase', 'validating'], { cwd: folder });
    expect(unreachable).toMatchObject({ exitCode: 4, stdout: expect.stringContaining('step 1 (create): ') });
  });

  it('accepts the failed webhook call of one step only', async () => {
    const failing = '{name: down, expect: {failure: {class: tcp}}}';
    write(`${head}  steps:\n  - ${failing}\n`);
    const url = ['--url', 'https://127.0.0.1:1/validate', '--phase', 'validating'];
    expect((await runCommand(Test, url, { cwd: folder })).exitCode).toBe(0);
    write(`${head}  steps:\n  - ${failing}\n  - {name: next}\n`);
    expect((await runCommand(Test, url, { cwd: folder })).exitCode).toBe(4);
  });

  it('is written to the reports with the step of each call', async () => {
    await test(['--reporter', 'json=run.json', '--reporter', 'html=run.html']);
    const report = JSON.parse(readFileSync(path.join(folder, 'run.json'), 'utf8'));
    expect(report.suites[0].cases[0].calls.map(({ step }: { step: object }) => step)).toEqual([
      { number: 1, name: 'create' },
      { number: 2, name: 'while it is protected' },
      { number: 3, name: 'unprotect' },
      { number: 4, name: 'delete' },
      { number: 5, name: 'after it was deleted' },
    ]);
    expect(readFileSync(path.join(folder, 'run.html'), 'utf8')).toContain('step 3 (unprotect): PUT ');
  });

  it('has one case for each combination of a matrix', async () => {
    write(`${life}  matrix: {as: [jane, joe]}\n`);
    const { stdout } = await test(['--update']);
    expect(stdout.match(/^ {2}✓ .*?\]|^\d+ passed, \d+ failed/gm)).toEqual([
      '  ✓ life [as=jane]',
      '  ✓ life [as=joe]',
      '2 passed, 0 failed',
    ]);
    expect(readdirSync(path.join(folder, '__snapshots__')).sort()).toEqual(['s.life-as-jane-c616a1c7.yaml', 's.life-as-joe-9f7bc892.yaml']);
  });

  it.each([
    ['steps: []', '6:3: cases[0].steps is an empty list: there is nothing to run'],
    ['steps: [{}]\n  expect: {allowed: true}', '4:3: cases[0] has both steps and expect; move expect: into the steps'],
    ['steps: [{}]\n  scenarios: all', '4:3: cases[0] has both steps and scenarios; remove scenarios, or use another case'],
    ['steps: [{}]\n  created-pods: true', '4:3: cases[0] has both steps and created-pods; remove created-pods, or use another case'],
    [
      'steps: [{expect: {}}]',
      '6:12: cases[0].steps[0].expect is empty: it would hold for every result; omit it, or add the expected value',
    ],
    ['steps: [{expext: {allowed: true}}]', '6:12: cases[0].steps[0] has no field "expext"; did you mean expect?'],
  ])('rejects %j', async (text, message) => {
    write(`${head}  ${text}\n`);
    const { exitCode, stderr } = await test();
    expect([exitCode, stderr]).toEqual([3, expect.stringContaining(message)]);
  });
});
