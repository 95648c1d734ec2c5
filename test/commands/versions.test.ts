import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import Review from '../../commands/review.js';
import Test from '../../commands/test.js';
import { runCommand } from '../support/run-command.js';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'versions-'));
  const pod = (fields: string): string =>
    `apiVersion: v1\nkind: Pod\nmetadata: {name: a, namespace: default}\nspec: {${fields}containers: [{name: c, image: 'nginx:1'}]}\n`;
  writeFileSync(path.join(folder, 'host.yaml'), pod('hostnameOverride: db.example.com, '));
  writeFileSync(path.join(folder, 'plain.yaml'), pod(''));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('review --upgrade', () => {
  it('prints the field that the older version drops', async () => {
    const { stdout, exitCode } = await runCommand(Review, ['--demo', '-f', 'host.yaml', '--upgrade', 'v1.34:v1.36', '-o', 'json'], {
      cwd: folder,
    });
    expect(exitCode).toBe(1);
    expect(JSON.parse(stdout)).toEqual({
      apiVersion: 'webhook-cli.dev/v1alpha1',
      kind: 'UpgradeReport',
      from: 'v1.34',
      to: 'v1.36',
      differences: [
        {
          call: 'CREATE Pod default/a',
          at: 'review[validating demo.webhook-cli.dev].object.spec.hostnameOverride',
          to: '"db.example.com"',
        },
        { call: 'CREATE Pod default/a', at: 'answer.object.spec.hostnameOverride', to: '"db.example.com"' },
      ],
    });
  });

  it('finds nothing where the versions agree', async () => {
    const { stdout, exitCode } = await runCommand(Review, ['--demo', '-f', 'plain.yaml', '--upgrade', 'v1.35:v1.36'], { cwd: folder });
    expect([exitCode, stdout]).toEqual([0, 'v1.35 -> v1.36: no differences\n']);
  });

  it('warns about a webhook that neither version can call, and exits with 4', async () => {
    const address = ['--url', 'https://127.0.0.1:9/', '--insecure-skip-tls-verify', '--phase', 'validating'];
    const argv = [...address, '-f', 'plain.yaml', '--upgrade', 'v1.35:v1.36'];
    const { stdout, stderr, exitCode } = await runCommand(Review, argv, { cwd: folder });
    expect([exitCode, stdout]).toEqual([4, 'v1.35 -> v1.36: no differences\n']);
    expect(stderr).toContain(
      'warning: CREATE Pod default/a: no answer of the webhook was compared: Internal error occurred: failed calling webhook',
    );
  });

  it('names the call of a difference if several calls differ', async () => {
    const argv = ['--demo', '-f', 'host.yaml,digit.yaml', '--upgrade', 'v1.34:v1.36'];
    const service = 'apiVersion: v1\nkind: Service\nmetadata: {name: 0-db}\nspec: {ports: [{port: 80}]}\n';
    writeFileSync(path.join(folder, 'digit.yaml'), service);
    const { stdout } = await runCommand(Review, argv, { cwd: folder });
    expect(stdout).toContain('CREATE Pod default/a: answer.object.spec.hostnameOverride\n  + "db.example.com"\n');
    expect(stdout).toContain('CREATE Service default/0-db: answer.code\n  - 422\n  + 201\n');
    expect(stdout).not.toContain('answer.object\n');
  });

  it('compares the other calls if neither version knows a kind, and prints the error', async () => {
    const widget = 'apiVersion: example.com/v1\nkind: Widget\nmetadata: {name: w}\n';
    writeFileSync(path.join(folder, 'mixed.yaml'), `${widget}---\n${readFileSync(path.join(folder, 'host.yaml'), 'utf8')}`);
    const { stdout, stderr, exitCode } = await runCommand(Review, ['--demo', '-f', 'mixed.yaml', '--upgrade', 'v1.34:v1.36'], {
      cwd: folder,
    });
    expect([exitCode, stdout]).toEqual([3, expect.stringContaining('v1.34 -> v1.36: 2 differences\n')]);
    expect(stderr).toMatch(/^error: mixed\.yaml:1:1: .*no matches for kind "Widget" in version "example.com\/v1"/);
  });

  it('fails if neither version can read the calls', async () => {
    writeFileSync(path.join(folder, 'broken.yaml'), 'a: [');
    const { stdout, stderr, exitCode } = await runCommand(Review, ['--demo', '-f', 'broken.yaml', '--upgrade', 'v1.34:v1.36'], {
      cwd: folder,
    });
    expect([exitCode, stdout, stderr]).toEqual([3, '', expect.stringMatching(/^error: broken\.yaml/)]);
  });

  it('names the call that only one version can make', async () => {
    const taint =
      'apiVersion: resource.k8s.io/v1\nkind: DeviceTaintRule\nmetadata: {name: t}\nspec: {taint: {key: a, effect: NoExecute}}\n';
    writeFileSync(path.join(folder, 'taint.yaml'), taint);
    const { stdout, exitCode } = await runCommand(Review, ['--demo', '-f', 'taint.yaml', '--upgrade', 'v1.36:v1.37', '-o', 'json'], {
      cwd: folder,
    });
    expect([exitCode, JSON.parse(stdout).differences]).toEqual([
      1,
      [{ call: 'CREATE DeviceTaintRule t', at: 'call', from: expect.stringContaining('no matches for kind "DeviceTaintRule"') }],
    ]);
  });

  it('says that a version is a preview', async () => {
    const argv = ['--demo', '-f', 'plain.yaml', '--upgrade', 'v1.37:v1.38'];
    const text = await runCommand(Review, argv, { cwd: folder });
    const note = 'Kubernetes v1.38 is a preview, as of v1.38.0-beta.0: the release may differ';
    expect([text.exitCode, text.stdout]).toEqual([0, `v1.37 -> v1.38: no differences\nnote: ${note}\n`]);
    const json = await runCommand(Review, [...argv, '-o', 'json'], { cwd: folder });
    expect(JSON.parse(json.stdout)).toMatchObject({ differences: [], notes: [note] });
  });

  it('says which rules of the state lose their effect', async () => {
    const rule = '{operations: ["*"], apiGroups: [authentication.k8s.io], apiVersions: [v1], resources: [tokenreviews]}';
    const webhook = `{name: a.example.com, clientConfig: {url: "https://127.0.0.1:1/"}, rules: [${rule}], sideEffects: None, admissionReviewVersions: [v1]}`;
    const head = 'apiVersion: admissionregistration.k8s.io/v1\nkind: ValidatingWebhookConfiguration\nmetadata: {name: reviews}\n';
    writeFileSync(path.join(folder, 'state.yaml'), `${head}webhooks: [${webhook}]\n`);
    const argv = ['--state', 'state.yaml', '-f', 'plain.yaml', '--upgrade', 'v1.36:v1.37'];
    const { stdout } = await runCommand(Review, argv, { cwd: folder });
    expect(stdout).toBe(
      'v1.36 -> v1.37: 1 difference\nreviews\n' +
        '  + webhooks[0].rules[0]: tokenreviews.authentication.k8s.io is excluded from admission webhooks; this rule will have no effect\n',
    );
  });

  it.each(['v1.34', 'v1.34:', 'v1.33:v1.36', 'v1.34:v1.35:v1.36', 'v1.36:v1.36'])('refuses %s', async upgrade => {
    const { stderr, exitCode } = await runCommand(Review, ['--demo', '-f', 'plain.yaml', '--upgrade', upgrade], { cwd: folder });
    expect(exitCode).toBe(2);
    expect(stderr).toMatch(/invalid --upgrade .* expected/);
  });
});

describe('test for several versions', () => {
  it('runs the cases of a suite for each, and stores equal snapshots once', async () => {
    const suite = ['apiVersion: webhook-cli.dev/v1alpha1', 'kind: Suite', 'demo: true', 'kubernetes-versions: [v1.36, v1.34]', 'cases:'];
    writeFileSync(path.join(folder, 'a.webhook-test.yaml'), [...suite, '- {name: plain, filename: plain.yaml}', ''].join('\n'));
    const updated = await runCommand(Test, ['--update'], { cwd: folder });
    expect([updated.exitCode, updated.stdout]).toEqual([0, expect.stringContaining('a [v1.34]')]);
    expect(readdirSync(path.join(folder, '__snapshots__'))).toEqual(['a.plain.yaml']);
    expect((await runCommand(Test, ['--check'], { cwd: folder })).exitCode).toBe(0);
  });

  it('shows differing answers of a version', async () => {
    writeFileSync(
      path.join(folder, 'service.yaml'),
      'apiVersion: v1\nkind: Service\nmetadata: {name: 0-db, namespace: default}\nspec: {ports: [{port: 80}]}\n',
    );
    const suite = [
      'apiVersion: webhook-cli.dev/v1alpha1',
      'kind: Suite',
      'demo: true',
      'cases:',
      '- {name: digit, filename: service.yaml}',
      '',
    ];
    writeFileSync(path.join(folder, 'b.webhook-test.yaml'), suite.join('\n'));
    const argv = ['--kubernetes-version', 'v1.36,v1.34'];
    const { exitCode, stdout } = await runCommand(Test, argv, { cwd: folder });
    expect(exitCode).toBe(1);
    expect(stdout).toContain('a DNS-1035 label must consist of');
    expect((await runCommand(Test, [...argv, '--update'], { cwd: folder })).exitCode).toBe(0);
    expect(readdirSync(path.join(folder, '__snapshots__'))).toEqual(['b.digit.v1.34.yaml', 'b.digit.yaml']);
    expect((await runCommand(Test, [...argv, '--check'], { cwd: folder })).exitCode).toBe(0);
  });

  it('rejects an unsupported version', async () => {
    const { stderr, exitCode } = await runCommand(Test, ['--demo', '--kubernetes-version', 'v1.36,v1.30'], { cwd: folder });
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining('expected v1.34, v1.35, v1.36, v1.37 or v1.38')]);
  });
});
