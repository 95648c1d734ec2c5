import { describe, expect, it } from 'vitest';
import Diagnose from '../../commands/diagnose.js';
// Loaded here, so that loading does not count for the timeout of the first test.
import '../../src/cli/commands/diagnose/run-diagnose.js';
import { runCommand } from '../support/run-command.js';

const refused =
  'Error from server (InternalError): error when creating "pod.yaml": Internal error occurred: failed calling webhook "g.example.com": failed to call webhook: Post "https://127.0.0.1:8443/v?timeout=5s": dial tcp 127.0.0.1:8443: connect: connection refused';

describe('diagnose', () => {
  it('prints cause, fault, suggestion and a command to reproduce it', async () => {
    expect(await runCommand(Diagnose, [refused])).toEqual({
      exitCode: 0,
      stderr: '',
      stdout: `Internal error occurred: failed calling webhook "g.example.com": failed to call webhook: Post "https://127.0.0.1:8443/v?timeout=5s": dial tcp 127.0.0.1:8443: connect: connection refused
  cause      nothing listens at 127.0.0.1:8443 [tcp: connection-refused]
  fault      webhook
  try        start the webhook, or check the port
  policy     with failurePolicy Ignore, the call succeeds
  reproduce  webhook-cli review -f pod.yaml --url https://127.0.0.1:8443/v --phase both --timeout 5s
`,
    });
  });

  it('reads stdin, and prints a document', async () => {
    const { stdout, exitCode } = await runCommand(Diagnose, ['-', '-o', 'json'], { stdin: `x\n${refused}\n` });
    expect(exitCode).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      apiVersion: 'webhook-cli.dev/v1alpha1',
      kind: 'Diagnosis',
      cause: 'connection-refused',
      class: 'tcp',
      fault: 'webhook',
      webhook: 'g.example.com',
      url: 'https://127.0.0.1:8443/v?timeout=5s',
      service: null,
      ignorable: true,
      reproduce: { files: [] },
    });
  });

  it.each([
    [
      `The deployments "web" is invalid: : ValidatingAdmissionPolicy 'team' with binding 'all' denied request: a team label is required`,
      'policy-denied',
      'a validation of the policy team failed',
    ],
    [
      `The pods "web" is invalid: : policy 'label' with binding 'all' denied request: error applying patch: invalid ApplyConfiguration: may not mutate atomic arrays, maps or structs: .spec.tolerations`,
      'policy-atomic',
      'ApplyConfiguration would replace all of .spec.tolerations, which are atomic, and that is not allowed',
    ],
  ])('finds the policy in what kubectl prints for reason Invalid: %s', async (text, cause, why) => {
    const { stdout, exitCode } = await runCommand(Diagnose, [text, '-o', 'json']);
    expect(exitCode).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ cause, why });
  });

  it('lists several', async () => {
    const { stdout } = await runCommand(Diagnose, ['-', '-o', 'json'], {
      stdin: `${refused}\nadmission webhook "d.example.com" denied the request: no\n`,
    });
    expect(JSON.parse(stdout)).toMatchObject({ kind: 'DiagnosisList', items: [{ cause: 'connection-refused' }, { cause: 'denied' }] });
  });

  it('reports that a text contains no known error', async () => {
    expect(await runCommand(Diagnose, ['hello'])).toEqual({
      exitCode: 1,
      stdout: '',
      stderr: "no known error of the API server found; pass the whole line of kubectl or of the API server's log\n",
    });
    expect(JSON.parse((await runCommand(Diagnose, ['hello', '-o', 'json'])).stdout)).toMatchObject({ kind: 'DiagnosisList', items: [] });
  });

  it('explains a reason that is alone on its line', async () => {
    const { exitCode, stdout } = await runCommand(Diagnose, ['EOF', '-o', 'json']);
    expect([exitCode, JSON.parse(stdout)]).toMatchObject([0, { cause: 'connection-closed' }]);
    expect(await runCommand(Diagnose, ['the file has no EOF'])).toMatchObject({ exitCode: 1 });
  });

  it('lets no bytes of a paste move the cursor', async () => {
    const { stdout } = await runCommand(Diagnose, ['admission webhook "d\u001b[2J" denied the request: \u001b]0;title\u0007']);
    expect(stdout).not.toMatch(/[\u0000-\u0009\u000b-\u001f]/);
  });

  it('requires text', async () => {
    expect(await runCommand(Diagnose, ['  '])).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('no text to diagnose'),
    });
  });
});
