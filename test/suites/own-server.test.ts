import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import Review from '../../commands/snapshot/review.js';
import Test from '../../commands/test.js';
import { type CommandResult, root, runCommand } from '../support/run-command.js';
import { temporaryFolder } from '../support/temporary-folder.js';

let folder: string;
let remove: () => void;

beforeEach(() => {
  ({ folder, remove } = temporaryFolder());
  cpSync(path.join(root, 'fixtures/suites/node'), folder, { recursive: true });
});
afterEach(() => remove());

/** PATH is needed to find node. */
const env = { PATH: process.env['PATH'] ?? '', XDG_CACHE_HOME: '' };

const test = (...argv: readonly string[]): Promise<CommandResult> => runCommand(Test, argv, { cwd: folder, env });

function change(file: string, from: string | RegExp, to: string): void {
  const text = readFileSync(path.join(folder, file), 'utf8');
  expect(text).toMatch(from);
  writeFileSync(path.join(folder, file), text.replace(from, to));
}

const withoutTimes = (text: string): string => text.replace(/ {2}(\d[\d.]* m?s|\(\d[\d.]* m?s\))/g, '');

describe('a suite that starts its webhook', { timeout: 60_000 }, () => {
  it('passes as committed; a change of the handler is one mismatch, by name, that can be accepted', async () => {
    expect((await test('.', '--check')).exitCode).toBe(0);

    change('server.mjs', 'new Error(`the image ', 'new Error(`image ');
    const changed = await test('.');
    expect(changed.exitCode).toBe(1);
    expect(withoutTimes(changed.stdout)).toBe(`images images.webhook-test.yaml
  ✓ own-image
  ✗ foreign-image
    snapshot: calls[0].decision.status.message differs from the snapshot: "admission webhook \\"images.example.com\\" denied the request: image nginx:1.27 is not from registry.example.com" instead of "admission webhook \\"images.example.com\\" denied the request: the image nginx:1.27 is not from registry.example.com"
    __snapshots__/images.foreign-image.yaml:10
    @@ -7,7 +7,7 @@
           apiVersion: v1
           code: 403
           kind: Status
    -      message: 'admission webhook "images.example.com" denied the request: the image nginx:1.27 is not from registry.example.com'
    +      message: 'admission webhook "images.example.com" denied the request: image nginx:1.27 is not from registry.example.com'
           metadata: {}
           status: Failure
       request: POST /api/v1/namespaces/shop/pods?fieldManager=kubectl-create&fieldValidation=Strict
  ✓ system-pod

snapshots: 2 matched, 1 mismatched; decide on them with webhook-cli snapshot review
2 passed, 1 failed
`);

    const review = await runCommand(Review, [], { cwd: folder, keys: 'a', isTerminal: true });
    expect(review.stdout.endsWith('1 accepted, 0 rejected, 0 left\n')).toBe(true);
    expect((await test('.', '--check')).exitCode).toBe(0);
  });

  it('reports a server that exits during the run with its last lines, and makes no further calls', async () => {
    change(
      'server.mjs',
      "'/validate': ({ object }) => {",
      "'/validate': ({ object }) => {\n    console.error('boom');\n    process.exit(3);",
    );
    const { exitCode, stdout } = await test('.', '--concurrency', '1');
    expect(exitCode).toBe(4);
    expect(stdout).toContain('ended with exit code 3 during the run\n      its last lines:\n        boom\n');
    expect(stdout).toContain('3 broken');
  });

  it('reports a server that never answers', async () => {
    change('images.webhook-test.yaml', /exec: .*/, 'exec: {command: [sleep, "60"], ready-timeout: 300ms}');
    const { exitCode, stdout } = await test('.');
    expect(exitCode).toBe(4);
    expect(stdout).toMatch(/exec: sleep 60 was not ready within 0\.3 s: .*connection refused\n/);
    expect(stdout).toContain('1 broken, 3 skipped');
  });

  it('does not start the server when the command line configures a webhook', async () => {
    change('images.webhook-test.yaml', 'node, server.mjs', '"false"');
    const { stdout } = await test('.', '--demo', '--run', 'system-pod');
    expect(stdout).toContain('called is demo.webhook-cli.dev, demo.webhook-cli.dev instead of payer.example.com');
  });
});
