import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import Review from '../../commands/review.js';
import { issueServingPair } from '../../src/certificates/issue.js';
import { callCheckNames } from '../../src/client/options/call-checks.js';
import { toValue } from '../../src/go/value.js';
import type { HandlerCase } from '../../src/webhook-server/handler.js';
import { type RunningServer, startServer } from '../../src/webhook-server/server.js';
import { runCommand } from '../support/run-command.js';
import { temporaryFolder } from '../support/temporary-folder.js';

/** Adds a sidecar on every call, except in a dry run. */
const careless: HandlerCase = request => ({
  allowed: true,
  patch:
    request.get('dryRun') === true ? [] : [toValue({ op: 'add', path: '/spec/containers/-', value: { name: 'proxy', image: 'proxy:1' } })],
});

const sidecar = 'fixtures/manifests/pod-sidecar.yaml';

describe('review --check', () => {
  let server: RunningServer;
  let argv: string[];
  let remove: () => void;

  beforeAll(async () => {
    const { ca, cert, key } = await issueServingPair({ dns: [], ips: [] }, new Date());
    server = await startServer({ handler: careless, cert, key, host: '127.0.0.1', port: 0 });
    const folder = temporaryFolder({ 'ca.crt': ca });
    remove = folder.remove;
    argv = ['--url', `${server.origin}/mutate`, '--ca-file', `${folder.folder}/ca.crt`, '-f', sidecar];
  });
  afterAll(async () => {
    remove();
    await server.close();
  });

  it('finds nothing against the demo webhook, says what it cannot prove, and exits with 0', { timeout: 30_000 }, async () => {
    const all = 'side-effects,idempotent,reinvocation,unknown-fields,order';
    const { stdout, exitCode } = await runCommand(Review, ['--demo', '-f', sidecar, '-o', 'json', '--check', all]);
    const { findings, notes } = JSON.parse(stdout);
    expect([exitCode, findings, notes.slice(1)]).toEqual([
      0,
      [],
      [
        'side-effects: only answers are compared: other side effects of a dry run are not visible',
        'idempotent: checked for this object only: the webhook may treat another one differently',
        'reinvocation: every webhook was called again, regardless of its reinvocationPolicy',
        'unknown-fields: fieldOfANewerVersion was added as a field of a newer Kubernetes to each part of the object that the call may change',
        'order: fewer than two mutating webhooks are called',
      ],
    ]);
  });

  it('prints its findings, and exits with 1 although the call is allowed', { timeout: 30_000 }, async () => {
    const text = await runCommand(Review, [...argv, '--check', 'idempotent, side-effects']);
    expect([text.exitCode, text.stdout.split('\n').filter(line => /^ {2}(idempotent|side-effects):/.test(line))]).toEqual([
      1,
      [
        '  side-effects: webhook.webhook-cli.dev answers a dry run differently: it changes the object of the call itself only (add /spec/containers/-)',
        '  idempotent: webhook.webhook-cli.dev changes its own result again: add /spec/containers/-',
      ],
    ]);
    const json = await runCommand(Review, [...argv, '--check', 'idempotent', '-o', 'json']);
    const { decision, findings } = JSON.parse(json.stdout);
    expect([json.exitCode, decision.allowed, findings]).toEqual([
      1,
      true,
      [{ check: 'idempotent', webhook: 'webhook.webhook-cli.dev', message: 'changes its own result again: add /spec/containers/-' }],
    ]);
  });

  it('leaves a report without findings to the call itself', async () => {
    const { stdout, exitCode } = await runCommand(Review, [...argv, '-o', 'json']);
    expect([exitCode, JSON.parse(stdout).findings]).toEqual([0, []]);
  });

  it('knows its checks by name', async () => {
    const near = await runCommand(Review, [...argv, '--check', 'idempotent,sideeffects']);
    const far = await runCommand(Review, [...argv, '--check', '']);
    const expected = `all, or some of ${callCheckNames.join(', ')}`;
    expect([near, far]).toEqual([
      {
        stdout: '',
        stderr: `error: invalid --check "idempotent,sideeffects": expected ${expected}; did you mean side-effects?\n`,
        exitCode: 2,
      },
      { stdout: '', stderr: `error: invalid --check "": expected ${expected}\n`, exitCode: 2 },
    ]);
  });
});
