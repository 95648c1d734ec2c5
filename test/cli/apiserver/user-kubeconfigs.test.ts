import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import Apiserver from '../../../commands/apiserver.js';
import { runCommand } from '../../support/run-command.js';
import { type Closing, startCommand } from '../../support/started-command.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const opened: Closing[] = [];

afterEach(async () => {
  for (const one of opened.splice(0).reverse()) await one.close();
});

function newFolder(): string {
  const { folder, remove } = temporaryFolder();
  opened.push({ close: remove });
  return folder;
}

/** Returns the name of the user whose kubeconfig this is, as the API server knows it. */
async function whoIs(kubeconfig: string): Promise<string> {
  const field = (name: string): string => new RegExp(`${name}: "?([^"\\s]+)`).exec(kubeconfig)?.[1] ?? '';
  const ca = Buffer.from(field('certificate-authority-data'), 'base64');
  const headers = { authorization: `Bearer ${field('token')}`, 'content-type': 'application/json' };
  const review = { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' };
  const answer = await new Promise<string>((resolve, reject) => {
    const address = `${field('server')}/apis/authentication.k8s.io/v1/selfsubjectreviews`;
    const sent = request(address, { method: 'POST', ca, headers }, response => {
      let text = '';
      response.setEncoding('utf8').on('data', (part: string) => {
        text += part;
      });
      response.on('end', () => resolve(text));
    });
    sent.on('error', reject);
    sent.end(JSON.stringify(review));
  });
  return JSON.parse(answer).status.userInfo.username;
}

describe('--kubeconfig-for', { timeout: 30_000 }, () => {
  it('writes a kubeconfig with one user, which is the current one, for each flag', async () => {
    const cwd = newFolder();
    const users = ['system:kube-controller-manager', 'system:kube-scheduler'];
    const argv = [
      '--kubeconfig',
      'admin',
      '--as',
      'system:kube-scheduler',
      ...users.flatMap(user => ['--kubeconfig-for', `${user}=${user.slice(12)}`]),
    ];
    await startCommand(Apiserver, argv, { cwd, env: {}, opened }, [/^(https:.*)$/m]);
    for (const user of users) {
      const file = path.join(cwd, user.slice(12));
      const kubeconfig = readFileSync(file, 'utf8');
      expect(await whoIs(kubeconfig)).toBe(user);
      expect(kubeconfig.match(/token: /g)).toHaveLength(1);
      expect(statSync(file).mode & 0o777).toBe(0o600);
    }
    expect(await whoIs(readFileSync(path.join(cwd, 'admin'), 'utf8'))).toBe('kubernetes-admin');
  });

  it.each([
    [['--kubeconfig-for', 'FILE'], 'invalid --kubeconfig-for "FILE": expected USER=FILE'],
    [['--kubeconfig-for', 'a=x', '--kubeconfig-for', 'b=./x'], "--kubeconfig-for b=./x: another user's kubeconfig is to be in that file"],
    [['--kubeconfig', 'x', '--kubeconfig-for', 'b=x'], "--kubeconfig-for b=x: another user's kubeconfig is to be in that file"],
    [['--kubeconfig-for', 'a=other'], 'it is the kubeconfig of another cluster, and would be overwritten'],
  ])('refuses %j before it starts', async (argv, message) => {
    const cwd = newFolder();
    writeFileSync(path.join(cwd, 'other'), 'current-context: production\n');
    const { stderr, exitCode } = await runCommand(Apiserver, argv, { cwd });
    expect(stderr).toContain(message);
    expect(exitCode).toBe(2);
  });
});
