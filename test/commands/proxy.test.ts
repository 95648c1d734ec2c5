import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import ProxyCommand from '../../commands/proxy.js';
import Review from '../../commands/review.js';
import { issueServingPair } from '../../src/certificates/issue.js';
import { allow, type HttpScript, type Script } from '../../src/webhook-server/script/script.js';
import { startScriptedEndpoint } from '../../src/webhook-server/script/scripted-endpoint.js';
import { exchangeBytes, post, review } from '../proxy/proxied-webhook.js';
import { type CommandResult, runCommand } from '../support/run-command.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const opened: { close(): Promise<void> | void }[] = [];

afterEach(async () => {
  for (const one of opened.splice(0)) await one.close();
});

interface Running {
  readonly port: number;
  readonly ca: string;
  readonly folder: string;
  /** Everything on stdout so far. */
  readonly output: () => string;
  readonly stop: () => Promise<CommandResult>;
}

/** Starts the command in front of a webhook, which allows by default. */
async function running(
  argv: readonly string[],
  setUp: (folder: string) => void = () => {},
  script: Script = { endpoint: allow },
): Promise<Running> {
  const { cert, key, ca } = await issueServingPair({ dns: [], ips: [] }, new Date());
  const endpoint = await startScriptedEndpoint(script, { chain: cert, key });
  opened.push(endpoint);
  const made = temporaryFolder({ 'ca.crt': ca, 'certs/tls.crt': cert, 'certs/tls.key': key, 'certs/ca.crt': ca });
  opened.push({ close: () => made.remove() });
  setUp(made.folder);
  let output = '';
  let interrupt = async (): Promise<void> => {};
  let announce: (origin: string) => void = () => {};
  const started = new Promise<string>(resolve => {
    announce = resolve;
  });
  const result = runCommand(ProxyCommand, ['--to', `https://127.0.0.1:${endpoint.port}`, '--ca-file', 'ca.crt', ...argv], {
    cwd: made.folder,
    onInterrupt: cleanUp => {
      interrupt = cleanUp;
      return () => {};
    },
    onStdout: text => {
      output += text;
      if (output.startsWith('https://')) announce(output.split('\n')[0] ?? '');
    },
  });
  const origin = await Promise.race([started, result.then(({ stderr }) => Promise.reject(new Error(stderr)))]);
  const stop = async (): Promise<CommandResult> => {
    await interrupt();
    return result;
  };
  return { port: Number(new URL(origin).port), ca, folder: made.folder, output: () => output, stop };
}

describe('proxy', () => {
  it('records with the certificates of certs create, and prints a line for each exchange', async () => {
    const { port, ca, folder, stop } = await running(['--record', 'recordings']);
    await post(port, ca, review());
    await post(port, ca, review('another-uid'));
    const { stdout, stderr, exitCode } = await stop();
    const files = readdirSync(path.join(folder, 'recordings'));
    expect(files).toEqual([expect.stringMatching(/^create-pod-shop-web-mutating-[0-9a-f]{12}\.yaml$/)]);
    expect(stdout.split('\n').slice(1)).toEqual([
      expect.stringMatching(new RegExp(`^CREATE Pod shop/web {2}allowed {2}\\d+\\.\\d ms {2}${files[0]}$`)),
      expect.stringMatching(new RegExp(`^CREATE Pod shop/web {2}allowed {2}\\d+\\.\\d ms {2}equal to ${files[0]}$`)),
      '',
    ]);
    expect(stderr).toMatch(/^forwarding reviews to https:\/\/127\.0\.0\.1:\d+, recording them to recordings\n$/);
    expect(exitCode).toBe(0);
    expect(readFileSync(path.join(folder, 'recordings', files[0] ?? ''), 'utf8')).toContain('path: /mutate?timeout=10s');
  });

  it('neither writes nor prints secrets that calls and answers contain', { timeout: 120_000 }, async () => {
    const planted = 'hunter2"planted';
    const encoded = Buffer.from(planted).toString('base64');
    const answering = (response: object): HttpScript => ({
      kind: 'http',
      headers: { 'Content-Type': 'application/json', 'Set-Cookie': `session=${planted}`, 'X-Copy': encoded },
      body: JSON.stringify({ apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', response: { uid: '{{uid}}', ...response } }),
    });
    const patch = JSON.stringify([
      { op: 'add', path: '/metadata/annotations', value: { copy: planted, code: encoded, both: `${encoded} ${planted}` } },
    ]);
    const told = { warnings: [`saw ${planted}`], auditAnnotations: { seen: planted, code: encoded } };
    const changing = { allowed: true, ...told, patchType: 'JSONPatch', patch: Buffer.from(patch).toString('base64') };
    const denying = { allowed: false, ...told, status: { code: 403, message: `not with ${planted}`, details: { name: encoded } } };
    const script: Script = {
      endpoint: answering(changing),
      path: '/mutate',
      routes: { '/deny': answering(denying), '/last': { ...answering(changing), ending: 'close' } },
    };
    const { port, ca, folder, stop } = await running(['--record', 'recordings'], () => {}, script);
    const container = { name: 'c', image: 'a:1', env: [{ name: 'DB_PASSWORD', value: planted }] };
    const manifests = {
      secret: { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'a' }, data: { key: encoded } },
      text: { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'b' }, stringData: { key: planted } },
      pod: { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'c' }, spec: { containers: [container] } },
      'pod with bearer': {
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: { name: 'd' },
        spec: { containers: [{ ...container, env: [], args: [`Authorization: Bearer ${encoded}`] }] },
      },
    };
    for (const [name, object] of Object.entries(manifests)) writeFileSync(path.join(folder, `${name}.json`), JSON.stringify(object));
    const names = Object.keys(manifests).flatMap(name => ['-f', `${name}.json`]);
    for (const at of ['mutate', 'deny']) {
      const made = await runCommand(Review, [...names, '--url', `https://127.0.0.1:${port}/${at}`, '--ca-file', 'ca.crt'], { cwd: folder });
      expect([at, made.exitCode]).toEqual([at, at === 'deny' ? 1 : 0]);
    }
    const body = review('705ab4f5-6393-11e8-b7cc-42010a800003', 'e');
    await exchangeBytes(
      port,
      ca,
      `POST /last?token=${encoded} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${encoded}\r\nX-Api-Key: ${planted}\r\nConnection: close\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    );
    const { stdout, stderr } = await stop();
    const files = readdirSync(path.join(folder, 'recordings'));
    expect(files).toHaveLength(9);
    const written = files.map(file => readFileSync(path.join(folder, 'recordings', file), 'utf8'));
    const decoded = written.flatMap(text =>
      [...text.matchAll(/[A-Za-z0-9+/]{24,}={0,2}/g)].map(([found]) => Buffer.from(found, 'base64').toString()),
    );
    const all = [stdout, stderr, ...files, ...written, ...decoded].join('\n');
    for (const form of ['hunter2', encoded, encoded.replace(/=+$/, '')]) expect(all).not.toContain(form);
    expect(all.match(/<redacted sha256:/g)?.length).toBeGreaterThan(30);
  });

  it('plays faults, and records only matching calls', async () => {
    const { port, ca, folder, stop } = await running([
      '--record',
      'r',
      '--fault',
      'status=503:1/2',
      '--match',
      'object.metadata.name == "web"',
    ]);
    for (const name of ['other', 'web', 'web']) await post(port, ca, review(undefined, name));
    const { stdout } = await stop();
    expect(readdirSync(path.join(folder, 'r'))).toHaveLength(1);
    expect(stdout).toContain('CREATE Pod shop/web  fault status=503:1/2\n');
    expect(stdout).toMatch(/CREATE Pod shop\/other {2}allowed {2}\d+\.\d ms {2}not recorded: --match is false\n/);
  });

  it('refuses a file in place of the folder', async () => {
    const started = running(['--record', 'file/deep'], folder => writeFileSync(path.join(folder, 'file'), ''));
    await expect(started).rejects.toThrow('--record file/deep is not a folder');
  });

  it('forwards reviews when the directory is lost, with one warning', async () => {
    const { port, ca, folder, stop } = await running(['--record', 'recordings']);
    rmSync(path.join(folder, 'recordings'), { recursive: true });
    writeFileSync(path.join(folder, 'recordings'), '');
    const answers = [await post(port, ca, review()), await post(port, ca, review(undefined, 'b'))];
    expect(answers).toEqual([expect.objectContaining({ status: 200 }), expect.objectContaining({ status: 200 })]);
    const { stderr, stdout } = await stop();
    expect(stderr.match(/warning: cannot record to recordings: .*; reviews are still forwarded\n/g)).toHaveLength(1);
    expect(stdout.match(/ {2}not recorded\n/g)).toHaveLength(2);
  });

  it.each([
    [['--to', 'ftp://a'], 'invalid --to "ftp://a": expected an address without a path'],
    [['--to', 'https://a/mutate'], 'invalid --to "https://a/mutate": expected an address without a path'],
    [['--to', 'https://a', '--max-bytes', 'much'], 'invalid --max-bytes "much": expected a size such as 256Mi'],
    [['--to', 'https://a', '--redact', 'spec..x'], 'invalid --redact "spec..x": expected a path such as spec.containers[*].env'],
    [['--to', 'https://a', '--match', 'request.'], 'invalid --match "request.": '],
    [['--to', 'https://a', '--match', 'request.name'], 'invalid --match "request.name": '],
    [['--to', 'https://a', '--fault', 'explode'], 'invalid --fault "explode": expected delay=DURATION'],
    [['--to', 'https://a', '--host', '203.0.113.1'], '203.0.113.1:0: this machine does not have the address'],
  ])('refuses %j', async (argv, message) => {
    const made = temporaryFolder();
    opened.push({ close: () => made.remove() });
    expect(await runCommand(ProxyCommand, argv, { cwd: made.folder })).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining(message),
    });
  });
});
