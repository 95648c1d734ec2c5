import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import CertsCreate from '../../commands/certs/create.js';
import Init from '../../commands/init.js';
import SnapshotAccept from '../../commands/snapshot/accept.js';
import SnapshotReject from '../../commands/snapshot/reject.js';
import Test from '../../commands/test.js';
import { auditOptions } from '../../src/cli/work/apiserver/audit-options.js';
import { writeKubeconfigFile } from '../../src/cli/work/apiserver/kubeconfig-file.js';
import { type CommandClass, runCommand, testSurroundings } from '../support/run-command.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const pod = 'apiVersion: v1\nkind: Pod\nmetadata: {name: a}\nspec: {containers: [{name: a, image: a}]}\n';

const keysAndCertificates = ['ca.crt', 'ca.key', 'tls.crt', 'tls.key'];

let attacked: ReturnType<typeof temporaryFolder>;
beforeEach(() => {
  attacked = temporaryFolder({ 'm/pod.yaml': pod, victim: 'mine\n', 'elsewhere/old.yaml': 'mine\n', 'elsewhere/old.yaml.new': 'mine\n' });
});
afterEach(() => attacked.remove());

const at = (name: string): string => path.join(attacked.folder, name);
const run = (command: CommandClass, ...argv: string[]) => runCommand(command, argv, { cwd: attacked.folder });

/** Names of the snapshots that a run wants to write. */
async function pendingName(): Promise<string> {
  await run(Test, 'm', '--demo');
  const [name = ''] = readdirSync(at('m/__snapshots__'));
  return name;
}

describe('links in a repository', { timeout: 30_000 }, () => {
  it.each([
    ['a plain run', ['m', '--demo'], ''],
    ['an update', ['m', '--demo', '--update'], '.new'],
  ])('are replaced, not followed, by %s', async (_, argv, ending) => {
    const name = (await pendingName()).slice(0, ending === '' ? undefined : -ending.length);
    writeFileSync(at(`m/__snapshots__/${name}.new`), '# webhook-cli snapshot, format 1\n');
    await run(SnapshotReject, 'm');
    symlinkSync('../../victim', at(`m/__snapshots__/${name}`));
    await run(Test, ...argv);
    expect(readFileSync(at('victim'), 'utf8')).toBe('mine\n');
    if (ending === '') expect(lstatSync(at(`m/__snapshots__/${name}`)).isFile()).toBe(true);
  });

  it.each(['--demo', '--update'])('are not followed to another folder of snapshots with %s', async flag => {
    symlinkSync('../elsewhere', at('m/__snapshots__'));
    const { stdout, stderr } = await run(Test, 'm', '--demo', ...(flag === '--demo' ? [] : [flag]));
    expect(readdirSync(at('elsewhere'))).toEqual(['old.yaml', 'old.yaml.new']);
    expect(stdout + stderr).toContain('the folder __snapshots__ is a link, which is not followed; replace it by a folder');
  });

  it.each([
    ['accept', SnapshotAccept],
    ['reject', SnapshotReject],
  ])('are not followed by snapshot %s', async (_, command) => {
    symlinkSync('../elsewhere', at('m/__snapshots__'));
    writeFileSync(at('elsewhere/a.yaml.new'), '# webhook-cli snapshot, format 1\na: 1\n');
    await run(command, 'm/__snapshots__/a.yaml.new');
    expect(readdirSync(at('elsewhere'))).toEqual(['a.yaml.new', 'old.yaml', 'old.yaml.new']);
  });

  it.each(['victim', 'nothing'])('are not followed to %s when certs create writes keys', async target => {
    mkdirSync(at('certs'));
    for (const name of keysAndCertificates) symlinkSync(`../${target}`, at(`certs/${name}`));
    symlinkSync('../elsewhere', at('certs/..data'));
    const { exitCode } = await run(CertsCreate, '--out-dir', 'certs', '--force');
    expect([exitCode, readFileSync(at('victim'), 'utf8'), existsSync(at('nothing'))]).toEqual([0, 'mine\n', false]);
    expect(keysAndCertificates.map(name => readFileSync(at(`certs/${name}`), 'utf8').split('\n', 1)[0])).toEqual(
      keysAndCertificates.map(name => `-----BEGIN ${name.endsWith('.key') ? 'PRIVATE KEY' : 'CERTIFICATE'}-----`),
    );
  });

  it('are not followed by apiserver for a kubeconfig', () => {
    writeFileSync(at('victim'), '');
    symlinkSync('victim', at('kubeconfig'));
    const { file } = writeKubeconfigFile({ url: 'https://127.0.0.1:1', ca: '', users: [] }, 'kubeconfig', attacked.folder);
    expect([readFileSync(at('victim'), 'utf8'), lstatSync(file).isFile()]).toEqual(['', true]);
  });

  it('are followed to the audit log that the command line names, as by kube-apiserver', () => {
    writeFileSync(at('policy.yaml'), 'apiVersion: audit.k8s.io/v1\nkind: Policy\nrules: [{level: Metadata}]\n');
    symlinkSync('victim', at('audit.log'));
    const flags = new Map(Object.entries({ 'audit-policy-file': ['policy.yaml'], 'audit-log-path': ['audit.log'] }));
    const surroundings = testSurroundings({ cwd: attacked.folder }, { stdout: '', stderr: '' });
    auditOptions(flags, surroundings)?.write('{}');
    expect(readFileSync(at('victim'), 'utf8')).toBe('mine\n{}\n');
  });

  it('are not followed by init', async () => {
    mkdirSync(at('outside'));
    symlinkSync('../outside', at('m/.github'));
    const { stderr, exitCode } = await run(Init, 'm', '--ci', 'github');
    expect([stderr, exitCode, readdirSync(at('outside'))]).toEqual([
      expect.stringContaining('is a link out of the project, which is not followed'),
      6,
      [],
    ]);
  });
});

describe('a folder of snapshots', { timeout: 30_000 }, () => {
  it('keeps files that this program did not write', async () => {
    mkdirSync(at('m/__snapshots__'));
    writeFileSync(at('m/__snapshots__/notes.yaml'), 'a: 1\n');
    writeFileSync(at('m/__snapshots__/gone.yaml'), '# webhook-cli snapshot, format 1\na: 1\n');
    const { stdout } = await run(Test, 'm', '--demo', '--update');
    expect([existsSync(at('m/__snapshots__/notes.yaml')), existsSync(at('m/__snapshots__/gone.yaml'))]).toEqual([true, false]);
    expect(stdout).not.toContain('notes.yaml');
  });
});
