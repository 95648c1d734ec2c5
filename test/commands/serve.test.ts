import { afterEach, describe, expect, it } from 'vitest';
import Review from '../../commands/review.js';
import Serve from '../../commands/serve.js';
import { profileNamed } from '../support/certificate-profiles.js';
import { type CommandResult, runCommand } from '../support/run-command.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const folders: { readonly folder: string; remove(): void }[] = [];
afterEach(() => {
  for (const made of folders.splice(0)) made.remove();
});

function folderWith(files: Readonly<Record<string, string>>): string {
  const made = temporaryFolder(files);
  folders.push(made);
  return made.folder;
}

interface Serving {
  readonly origin: string;
  /** The output, starting with the address. */
  readonly stdout: string;
  stop(): Promise<CommandResult>;
}

/** Serves until it is stopped; rejects when the command ends before it serves. */
async function serve(argv: readonly string[], cwd: string): Promise<Serving> {
  let interrupt: (() => unknown) | undefined;
  let heard: (text: string) => void = () => {};
  const printed = new Promise<string>(resolve => {
    heard = resolve;
  });
  const onInterrupt = (cleanUp: () => unknown) => {
    interrupt = cleanUp;
    return () => {};
  };
  const ended = runCommand(Serve, argv, { cwd, onInterrupt, onStdout: text => heard(text) });
  const stdout = await Promise.race([
    printed,
    ended.then(({ stderr }) => {
      throw new Error(stderr);
    }),
  ]);
  const stop = async () => {
    await interrupt?.();
    return ended;
  };
  return { origin: stdout.split('\n', 1)[0] ?? '', stdout, stop };
}

const pod = 'apiVersion: v1\nkind: Pod\nmetadata: {name: a}\nspec: {containers: [{name: c, image: i}]}\n';

/** Returns the output of `review` of a pod for an endpoint. */
async function reviewed(script: string, certificate = {}) {
  const cwd = folderWith({ 'script.yaml': script, 'pod.yaml': pod, ...certificate });
  const folder = Object.keys(certificate).length > 0 ? ['--cert-dir', '.'] : [];
  const serving = await serve(['--script', 'script.yaml', ...folder], cwd);
  const bundle = folderWith({ 'ca.crt': serving.stdout.includes('BEGIN') ? serving.stdout : profileNamed('valid').bundle });
  const clock = folder.length > 0 ? ['--now', new Date().toISOString()] : [];
  const url = ['--url', `${serving.origin}/v`, '--phase', 'validating', '--ca-file', `${bundle}/ca.crt`];
  const { stdout, exitCode } = await runCommand(Review, [...url, ...clock, '-f', 'pod.yaml'], { cwd });
  return { exitCode, error: stdout.trim().split('\n').at(-1)?.replaceAll(serving.origin, 'ORIGIN'), served: await serving.stop() };
}

const refusal = (message: string) =>
  `Error from server (InternalError): error when creating "pod.yaml": Internal error occurred: failed calling webhook "webhook.webhook-cli.dev": failed to call webhook: ${message}`;

describe('serve --script', () => {
  it('serves an answer described in YAML', async () => {
    const { exitCode, error, served } = await reviewed('kind: http\nstatus: 503\n');
    expect([exitCode, error]).toEqual([4, refusal('the server is currently unable to handle the request')]);
    expect(served.exitCode).toBe(0);
    expect(served.stderr).toMatch(
      /^serving script\.yaml at https:\/\/127\.0\.0\.1:\d+\ntry: webhook-cli review --url \S+\/validate --phase/,
    );
  });

  it('serves an endpoint and routes described in JSON', async () => {
    const script = {
      endpoint: { kind: 'http', status: 307, headers: { Location: '/else' } },
      path: '/v',
      routes: { '/else': { kind: 'http', status: 404 } },
    };
    const { exitCode, error } = await reviewed(JSON.stringify(script));
    expect([exitCode, error]).toEqual([4, refusal('the server could not find the requested resource')]);
  });

  it('refuses connections', async () => {
    const { exitCode, error } = await reviewed('kind: refuse');
    expect([exitCode, error?.replace(/:\d+: connect/, ':PORT: connect')]).toEqual([
      4,
      refusal('Post "ORIGIN/v?timeout=10s": dial tcp 127.0.0.1:PORT: connect: connection refused'),
    ]);
  });

  it('uses the certificate of a folder instead of a recorded one', async () => {
    const { chain, key } = profileNamed('valid');
    const { exitCode } = await reviewed('{"endpoint": {"kind": "http", "status": 500}, "certificate": {"name": "expired"}}', {
      'tls.crt': chain,
      'tls.key': key,
    });
    expect(exitCode).toBe(4);
  });

  it('uses the certificate and TLS options of the script', async () => {
    const { chain, key } = profileNamed('valid');
    const cwd = folderWith({ 's.json': JSON.stringify({ certificate: { chain, key, maximum: 'TLSv1.2' } }) });
    const serving = await serve(['--script', 's.json'], cwd);
    const { port } = new URL(serving.origin);
    const { stop, stdout } = serving;
    expect(stdout).toBe(`https://127.0.0.1:${port}\n`);
    await stop();
  });

  it.each([
    ['a script that is none', 'kind: htp', 'script.kind: must be one of http, raw'],
    ['a member nobody knows', '{"kind": "http", "stat": 1}', 'script: unknown member "stat"'],
    ['no document', '# nothing', 'missing document: expected one script'],
    ['two documents', 'kind: refuse\n---\nkind: refuse', 'unexpected second document: expected one script'],
    ['half a pair', '{"certificate": {"chain": "x"}}', 'certificate: chain and key must be given together'],
    ['a recorded pair that is not there', '{"certificate": {"name": "expired"}}', 'certificate: the pair "expired" is not in the script'],
    ['a pair that is none', '{"certificate": {"chain": "x", "key": "y"}}', 'chain and key cannot be used: '],
    ['no YAML', 'kind: [', 'error converting YAML to JSON: yaml: line 1'],
  ])('names the file of %s, with exit code 3', async (_, script, message) => {
    const cwd = folderWith({ 'script.yaml': script });
    const { exitCode, stderr, stdout } = await runCommand(Serve, ['--script', 'script.yaml'], { cwd });
    expect([exitCode, stdout, stderr]).toEqual([3, '', expect.stringMatching(/^error: (script\.yaml(:\d+)*: )/)]);
    expect(stderr).toContain(message);
  });

  it('requires a script or a handler, and an existing file', async () => {
    const both = await runCommand(Serve, ['--script', 'a', '--handler', 'deny']);
    expect([both.exitCode, both.stderr]).toEqual([2, 'error: --handler and --script are mutually exclusive; omit one of them\n']);
    const none = await runCommand(Serve, ['--script', 'none.yaml']);
    expect([none.exitCode, none.stderr]).toEqual([3, expect.stringContaining('none.yaml')]);
  });
});

describe('serve --port', () => {
  it('the same port taken for the local server: names it, and how to take another', async () => {
    const first = await serve([], folderWith({}));
    const { host, port } = new URL(first.origin);
    const { exitCode, stdout, stderr } = await runCommand(Serve, ['--port', port]);
    await first.stop();
    expect([exitCode, stdout, stderr]).toEqual([2, '', `error: ${host}: the port is in use; pass another --port or --host\n`]);
  });
});
