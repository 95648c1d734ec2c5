import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import Replay from '../../commands/replay.js';
import { issueServingPair } from '../../src/certificates/issue.js';
import '../../src/cli/commands/replay/run-replay.js';
import type { Script } from '../../src/webhook-server/script/script.js';
import { startScriptedEndpoint } from '../../src/webhook-server/script/scripted-endpoint.js';
import { type CommandResult, root, runCommand } from '../support/run-command.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const recordings = path.join(root, 'fixtures/recordings');
const policy = path.join(root, 'fixtures/replay/policy.yaml');
const folder = temporaryFolder();
const closing: { close(): Promise<void> | void }[] = [{ close: () => folder.remove() }];
let certificates: Awaited<ReturnType<typeof issueServingPair>>;

beforeAll(async () => {
  certificates = await issueServingPair({ dns: [], ips: [] }, new Date());
  writeFileSync(path.join(folder.folder, 'ca.crt'), certificates.ca);
});

afterAll(async () => {
  for (const one of closing) await one.close();
});

/** Starts a webhook that gives one answer, and returns the flags for it. */
async function webhook(answer: object): Promise<readonly string[]> {
  const response = { uid: '{{uid}}', ...answer };
  const body = JSON.stringify({ apiVersion: '{{apiVersion}}', kind: 'AdmissionReview', response });
  const script: Script = { endpoint: { kind: 'http', headers: { 'Content-Type': 'application/json' }, body } };
  const endpoint = await startScriptedEndpoint(script, { chain: certificates.cert, key: certificates.key });
  closing.push(endpoint);
  return ['--url', `https://127.0.0.1:${endpoint.port}`, '--ca-file', 'ca.crt'];
}

const replay = (words: readonly string[]): Promise<CommandResult> => runCommand(Replay, words, { cwd: folder.folder });

const documentOf = ({ stdout }: CommandResult) => JSON.parse(stdout);
const changesIn = (result: CommandResult): unknown[] =>
  documentOf(result).changes.map(({ change, message, count }: Readonly<Record<string, unknown>>) => [change, message, count]);

const texts = (): readonly string[] => readdirSync(recordings).map(name => readFileSync(path.join(recordings, name), 'utf8'));

/** The review of a recording, as one line. */
const reviewIn = (text: string): string => /^ {4}(\{"kind":"AdmissionReview".*"request".*)$/m.exec(text)?.[1] ?? '';

describe('replay of recordings', () => {
  it('compares recorded answers with those of a webhook now', async () => {
    const result = await replay(['-f', recordings, ...(await webhook({ allowed: true })), '-o', 'json']);
    expect(documentOf(result)).toMatchObject({ log: { lines: 3 }, calls: { replayed: 3, same: 1, unknown: [] } });
    expect(changesIn(result)).toEqual([
      ['newly-allowed', expect.stringContaining('must not be privileged'), 1],
      ['other-patch', expect.stringContaining('object.metadata.labels'), 1],
    ]);
    expect(result.exitCode).toBe(1);
  });

  it('hides secrets of the reviews, and repeats one by its uid', async () => {
    const [debug = '', web = ''] = texts();
    const quoted = `${debug}---\n${web}`.replaceAll('"image":"', '"env":[{"name":"DB_PASSWORD","value":"planted-secret"}],"image":"');
    writeFileSync(path.join(folder.folder, 'planted.yaml'), quoted);
    const refusing = await webhook({ allowed: false, status: { code: 403, message: 'not with planted-secret' } });
    const { stdout } = await replay(['-f', 'planted.yaml', ...refusing]);
    expect(stdout).toContain('2 would change');
    expect(stdout).toContain('denied the request: not with ');
    expect(stdout).not.toContain('planted-secret');
    const [, other = ''] = await webhook({ allowed: true });
    const compared = await replay(['-f', 'planted.yaml', ...refusing, '--compare', other]);
    expect(compared.stdout).toContain('answered differently');
    expect(compared.stdout).not.toContain('planted-secret');
    const uid = /--only (\S+)/.exec(stdout)?.[1] ?? '';
    const only = await replay(['-f', 'planted.yaml', ...refusing, '--only', uid]);
    expect([only.exitCode, only.stdout]).toEqual([1, expect.stringContaining('CREATE Pod shop/')]);
  });

  it('evaluates policies, and reads recordings and audit events from one file', async () => {
    const log = readFileSync(path.join(root, 'fixtures/replay/audit.log'), 'utf8');
    writeFileSync(path.join(folder.folder, 'both.yaml'), [...texts(), log].join('---\n'));
    const both = await replay(['-f', 'both.yaml', '--state', policy, '-o', 'json']);
    const [ofRecordings, ofLog] = [documentOf(await replay(['-f', recordings, '--state', policy, '-o', 'json'])), 17];
    expect(documentOf(both).calls.replayed).toBe(ofRecordings.calls.replayed + ofLog);
    expect(documentOf(both).log.lines).toBe(ofRecordings.log.lines + log.trimEnd().split('\n').length);
    expect(ofRecordings.changes.map(({ change, by }: Readonly<Record<string, unknown>>) => [change, by])).toEqual([
      ['newly-refused', 'owner'],
      ['other-refusal', 'owner'],
    ]);
  });

  it('sends equal reviews once, and merges nothing that was answered differently', async () => {
    const [debug = ''] = texts();
    const allowed = debug.replace('"allowed":false', '"allowed":true');
    writeFileSync(path.join(folder.folder, 'three.yaml'), [debug, debug, allowed].join('---\n'));
    const flags = await webhook({ allowed: true });
    const state = ['--state', 'configuration.yaml'];
    const configuration = {
      apiVersion: 'admissionregistration.k8s.io/v1',
      kind: 'ValidatingWebhookConfiguration',
      metadata: { name: 'guard' },
      webhooks: [
        {
          ...{ name: 'guard.example.com', sideEffects: 'None', admissionReviewVersions: ['v1'] },
          clientConfig: { url: `${flags[1]}/validate`, caBundle: Buffer.from(certificates.ca).toString('base64') },
          rules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['*'], resources: ['pods'] }],
        },
      ],
    };
    writeFileSync(path.join(folder.folder, 'configuration.yaml'), JSON.stringify(configuration));
    const { calls } = documentOf(await replay(['-f', 'three.yaml', ...state, '-o', 'json']));
    expect(calls).toMatchObject({ replayed: 3, same: 1, reused: 1 });
  });
});

describe('replay of captured reviews', () => {
  it('counts reviews without an answer, and compares those that show it', async () => {
    const [debug = '', web = ''] = texts().map(reviewIn);
    const answered = JSON.stringify({ ...JSON.parse(web), response: { uid: JSON.parse(web).request.uid, allowed: true } });
    writeFileSync(
      path.join(folder.folder, 'webhook.log'),
      `I1123 10:00:00 server.go:1] got ${debug}\n${answered}\n{"cut": "AdmissionReview\n`,
    );
    const refusing = await webhook({ allowed: false, status: { message: 'no' } });
    const result = await replay(['-f', 'webhook.log', ...refusing, '-o', 'json']);
    expect(documentOf(result)).toMatchObject({
      log: { lines: 3, broken: { count: 1 } },
      calls: { replayed: 1, unknown: [{ reason: 'the captured review does not show what was answered', count: 1 }] },
    });
    expect(changesIn(result)).toEqual([['newly-refused', expect.stringContaining('denied the request: no'), 1]]);
  });
});
