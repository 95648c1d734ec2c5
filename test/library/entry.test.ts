import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import Review from '../../commands/review.js';
import { CliError, loadState, type ReviewOptions, review, reviewAll } from '../../src/library/entry.js';
import { root, runCommand } from '../support/run-command.js';

const pod = (image = 'nginx:1.27', name = 'web'): ReviewOptions['manifest'] => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, namespace: 'shop' },
  spec: { automountServiceAccountToken: false, containers: [{ name: 'web', image }] },
});

const fixed = { seed: 1, now: new Date('2026-11-21T00:00:00Z') };

describe('review', { timeout: 60_000 }, () => {
  it('answers the document that webhook-cli review -o json prints', async () => {
    const files = { state: 'fixtures/cluster', filename: 'fixtures/manifests/pod-sidecar.yaml' };
    const argv = ['--demo', '--seed=1', '--now=2026-11-21T00:00:00Z', '-o', 'json', '--include=exchange', '--as=jane'];
    const { stdout } = await runCommand(Review, [...argv, '--state', files.state, '-f', files.filename]);
    const report = await review({
      ...fixed,
      demo: true,
      as: 'jane',
      filename: files.filename,
      state: await loadState(files.state, { cwd: root }),
      cwd: root,
    });
    const timeless = (text: string): string =>
      text
        .replace(/"durationMs":\s*[\d.]+/g, '"durationMs": 0')
        .replace(/127\.0\.0\.1:\d+/g, '127.0.0.1:1')
        .replace(/"name": "date",\s*"value": "[^"]*"/g, '"name": "date"');
    expect(timeless(`${JSON.stringify(report, null, 2)}\n`)).toBe(timeless(stdout));
  });

  it("returns a webhook's changes and denials as plain data", async () => {
    const allowed = await review({ manifest: pod(), demo: true });
    expect(allowed.decision.object.metadata.labels).toEqual({ 'demo.webhook-cli.dev/reviewed': 'yes' });
    expect(allowed.decision.object.spec.terminationGracePeriodSeconds).toBe(30);
    const refused = await review({ manifest: pod('nginx'), demo: true });
    expect(refused.decision).toMatchObject({ allowed: false, code: 403, object: null, status: { reason: 'Forbidden' } });
  });

  it('reports an unreachable webhook, and does not reject', async () => {
    const report = await review({ manifest: pod(), url: 'https://127.0.0.1:1', phase: 'validating' });
    expect(report.decision).toMatchObject({ allowed: false, code: 500 });
    expect(report.webhooks[0]).toMatchObject({ outcome: 'callFailed', failure: { class: 'tcp' } });
  });

  it('takes text, a stored object and a patch as data', async () => {
    const manifest = 'apiVersion: v1\nkind: Pod\nmetadata: {name: web, namespace: shop}\n';
    const patch = { metadata: { labels: { a: 'b' } } };
    const report = await review({ manifest, operation: 'patch', patch, type: 'merge', old: pod(), demo: true, dryRun: 'server' });
    expect(report.decision.object.metadata.labels).toMatchObject({ a: 'b' });
    expect(report.kubectl).toContain('pod/web patched (server dry run)');
  });

  it('calls the webhooks of a shared state without changing it', async () => {
    const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop' } };
    const stored = { ...fixed, state: await loadState([namespace, 'fixtures/cluster/guard.yaml'], { cwd: root }) };
    const options = { ...stored, manifest: pod(), service: { 'shop/guard': 'https://127.0.0.1:1' } };
    const [first, second] = [await review(options), await review(options)];
    expect(first.webhooks.map(({ webhook }) => webhook)).toContain('label.guard.example.com');
    expect(second).toEqual(first);
    expect(stored.state.size).toBeGreaterThan(1);
  });

  it('has only the namespaces of its state', async () => {
    const state = await loadState([{ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'other' } }]);
    expect((await review({ manifest: pod(), state, demo: true })).decision.code).toBe(404);
    expect((await review({ manifest: pod(), state: await loadState(), demo: true })).decision.code).toBe(201);
  });

  it('keeps integers exact', async () => {
    const manifest = `${JSON.stringify(pod()).slice(0, -1)},"spec":{"containers":[{"name":"a","image":"a:1"}],"activeDeadlineSeconds":2147483647,"securityContext":{"runAsUser":9007199254740993}}}`;
    const report = await review({ manifest, demo: true });
    expect(report.decision.status?.['message'] ?? '').toContain('9007199254740993');
  });
});

describe('reviewAll', { timeout: 60_000 }, () => {
  it('reviews every object of a manifest; review accepts only one', async () => {
    const manifest = `${JSON.stringify(pod('nginx:1', 'a'))}\n---\n${JSON.stringify(pod('nginx', 'b'))}`;
    const reports = await reviewAll({ manifest, demo: true });
    expect(reports.map(({ decision }) => decision.allowed)).toEqual([true, false]);
    await expect(review({ manifest, demo: true })).rejects.toThrow('the manifest has 2 objects, but review accepts one');
  });
});

describe('an input error', () => {
  it.each<[string, () => Promise<unknown>, string, object]>([
    ['no manifest', () => review({ demo: true }), 'expected one of the options manifest and filename', { code: 'usage' }],
    [
      'two manifests',
      () => review({ demo: true, manifest: pod(), filename: 'a' }),
      'expected one of the options manifest and filename',
      {},
    ],
    ['an empty manifest', () => review({ demo: true, manifest: '# nothing' }), 'no object in option manifest', { code: 'no-objects' }],
    [
      'no YAML',
      () => review({ demo: true, manifest: 'a: b\n\tc: d' }),
      'error converting YAML to JSON',
      { code: 'invalid-syntax', location: { file: 'STDIN', line: 2 } },
    ],
    ['no webhook', () => review({ manifest: pod() }), 'no webhook specified', { code: 'usage' }],
    [
      'a missing file',
      () => review({ demo: true, filename: 'gone.yaml' }),
      'the path "gone.yaml" does not exist',
      { code: 'unreadable-file' },
    ],
    ['stdin', () => review({ demo: true, filename: '-' }), 'stdin is not supported in the library', {}],
    ['stdin for the state', () => loadState('-'), 'stdin is not supported in the library', {}],
    [
      'a state of their own',
      () => review({ demo: true, manifest: pod(), state: { size: 1 } }),
      'invalid option state: expected a State of loadState',
      {},
    ],
    ['a bigint', () => loadState([{ apiVersion: 'v1', kind: 'A', big: 1n }]), 'cannot be written as JSON', { code: 'invalid-manifest' }],
    ['flags without --url', () => review({ demo: true, manifest: pod(), phase: 'both' }), '--phase has no effect without --url', {}],
  ])('rejects with CliError: %s', async (_, run, message, details) => {
    const error = await run().then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    expect(error).toBeInstanceOf(CliError);
    expect(error).toMatchObject({ message: expect.stringContaining(message), ...details });
  });
});

describe('the package', { timeout: 60_000 }, () => {
  it('is imported by its name, in a test of the runner of Node', () => {
    const env = { ...process.env, NODE_OPTIONS: '', NODE_TEST_CONTEXT: undefined };
    const { stdout, status } = spawnSync(process.execPath, ['--test', '--test-reporter=tap', 'fixtures/library/pods-test.mjs'], {
      cwd: root,
      encoding: 'utf8',
      env,
    });
    expect({ stdout, status }).toEqual({ stdout: expect.stringContaining('# pass 2\n# fail 0\n'), status: 0 });
  });

  it('has types that hold in the strictest settings, without those of its own libraries', () => {
    const tsc = path.join(root, 'node_modules/typescript-7/bin/tsc');
    const { stdout, status } = spawnSync(process.execPath, [tsc, '-p', 'fixtures/library', '--listFiles'], { cwd: root, encoding: 'utf8' });
    expect({ status, errors: stdout.split('\n').filter(line => line.includes('error TS')) }).toEqual({ status: 0, errors: [] });
    expect(stdout.split('\n').filter(line => /node_modules/.test(line) && !/node_modules\/@?typescript/.test(line))).toEqual([]);
  });
});
