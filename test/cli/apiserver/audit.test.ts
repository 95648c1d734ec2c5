import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import Apiserver from '../../../commands/apiserver.js';
import { type CommandResult, runCommand } from '../../support/run-command.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const policy = `apiVersion: audit.k8s.io/v1
kind: Policy
omitStages: [RequestReceived]
rules:
- level: RequestResponse
  resources: [{group: "", resources: [configmaps]}]
- level: None
`;
/** Creates a ConfigMap with the kubeconfig's token. */
const client = `import { readFileSync } from 'node:fs';
import { request } from 'node:https';
const text = readFileSync(process.env.KUBECONFIG, 'utf8');
const find = expression => expression.exec(text)?.[1];
const asked = request(find(/server: "?(https:[^"\\n]*)/) + '/api/v1/namespaces/default/configmaps', {
  method: 'POST',
  headers: { 'Content-Type': 'application/json', Authorization: 'Bearer ' + find(/token: "?([^"\\n]*)/) },
  rejectUnauthorized: false,
});
asked.on('response', answer => answer.resume());
asked.end(JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' }, data: { size: '3' } }));
`;
const { folder, remove } = temporaryFolder({
  'policy.yaml': policy,
  'client.mjs': client,
  'empty.yaml': policy.replace(/rules:[\s\S]*/, ''),
});
afterAll(remove);

function apiserver(...flags: readonly string[]): Promise<CommandResult> {
  return runCommand(Apiserver, [...flags, '--', process.execPath, 'client.mjs'], { cwd: folder });
}

describe('the audit log of apiserver', () => {
  it('has the events of the policy', async () => {
    expect(await apiserver('--audit-policy-file', 'policy.yaml', '--audit-log-path', 'audit.log')).toMatchObject({
      exitCode: 0,
      stderr: '',
    });
    const events = readFileSync(path.join(folder, 'audit.log'), 'utf8').trimEnd().split('\n');
    expect(events.map(line => JSON.parse(line))).toEqual([
      expect.objectContaining({
        apiVersion: 'audit.k8s.io/v1',
        verb: 'create',
        stage: 'ResponseComplete',
        user: expect.objectContaining({ username: 'kubernetes-admin' }),
        requestObject: expect.objectContaining({ data: { size: '3' } }),
        responseStatus: expect.objectContaining({ code: 201 }),
      }),
    ]);
  });

  it.each<[string, string[], number, string]>([
    [
      'a log without a policy',
      ['--audit-log-path', 'a.log'],
      2,
      '--audit-log-path logs nothing without a policy; pass one with --audit-policy-file',
    ],
    ['a policy without rules', ['--audit-policy-file', 'empty.yaml', '--audit-log-path', 'a.log'], 3, 'loaded illegal policy with 0 rules'],
    ['a missing policy', ['--audit-policy-file', 'none.yaml', '--audit-log-path', 'a.log'], 3, 'failed to read file path "none.yaml"'],
    [
      'a log that cannot be written',
      ['--audit-policy-file', 'policy.yaml', '--audit-log-path', 'none/a.log'],
      6,
      'none/a.log: no such file or directory',
    ],
  ])('refuses %s', async (_, flags, exitCode, message) => {
    expect(await apiserver(...flags)).toMatchObject({ exitCode, stderr: expect.stringContaining(message) });
  });
});
