import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createServer, type TLSSocket } from 'node:tls';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import CertsCreate from '../../../commands/certs/create.js';
import CertsInject from '../../../commands/certs/inject.js';
import CertsInspect from '../../../commands/certs/inspect.js';
import CertsVerify from '../../../commands/certs/verify.js';
import { type CommandClass, type CommandOptions, runCommand } from '../../support/run-command.js';

/** The time of the test clock: 2026-01-02T03:04:05Z. */
let cwd: string;

beforeEach(() => {
  cwd = mkdtempSync(path.join(tmpdir(), 'certs-'));
});
afterEach(() => rmSync(cwd, { recursive: true }));

const run = (command: CommandClass, argv: readonly string[], options: CommandOptions = {}) =>
  runCommand(command, argv, { cwd, ...options });
const file = (name: string) => path.join(cwd, name);
const text = (name: string) => readFileSync(file(name), 'utf8');

const configuration = `apiVersion: admissionregistration.k8s.io/v1
kind: MutatingWebhookConfiguration
metadata:
  name: team
webhooks:
- name: a.example.com
  clientConfig:
    service: {name: webhook, namespace: team, path: /mutate/}
- name: b.example.com
  timeoutSeconds: 3
  clientConfig:
    url: https://localhost:9443/b
`;

describe('certs create', () => {
  it('creates the files, describes them, and keeps them', async () => {
    const created = await run(CertsCreate, ['--service', 'team/webhook']);
    expect(created).toMatchObject({ exitCode: 0, stderr: '' });
    expect(
      created.stdout.replaceAll(/CA [0-9a-f]{8}/g, 'CA ID'),
    ).toBe(`CA                   created: CN=webhook-cli CA ID, ecdsa-p256, until 2035-12-31
serving certificate  created: CN=webhook.team.svc, ecdsa-p256, until 2027-01-02
names                webhook.team.svc, webhook.team.svc.cluster.local, webhook.team, webhook, localhost, 127.0.0.1, ::1
files                certs/tls.crt, tls.key, ca.crt, ca.key
`);
    const again = await run(CertsCreate, []);
    expect(again.stdout).toContain('serving certificate  kept: CN=webhook.team.svc');
    const renewed = await run(CertsCreate, ['--service', 'team/webhook', '--dns', 'new.example']);
    expect(renewed.stdout).toContain('serving certificate  renewed (names: +new.example)');
  });

  it('prints no private key but that of the server, and that only in a Secret', async () => {
    const outputs = await Promise.all(
      ['text', 'json', 'kustomize', 'cert-manager', 'secret'].map(output =>
        run(CertsCreate, ['-o', output, '--out-dir', `certs-${output}`]),
      ),
    );
    expect(outputs.map(o => [o.exitCode, o.stderr])).toEqual(Array(5).fill([0, '']));
    const key = (folder: string, name: string) => Buffer.from(text(`${folder}/${name}`)).toString('base64');
    for (const { stdout, stderr } of outputs) expect(stdout + stderr).not.toContain('PRIVATE KEY');
    expect(outputs[4]?.stdout).toContain(`tls.key: ${key('certs-secret', 'tls.key')}`);
    expect(outputs[4]?.stdout).not.toContain(key('certs-secret', 'ca.key'));
  });

  it('prints resources for a cluster', async () => {
    const flags = ['--service', 'team/webhook', '--key-type', 'ecdsa-p384'];
    const json = JSON.parse((await run(CertsCreate, [...flags, '-o', 'json'])).stdout);
    expect(json).toMatchObject({
      kind: 'Certificates',
      authority: { action: 'created', keyType: 'ecdsa-p384' },
      serving: { action: 'created', notAfter: '2027-01-02T03:04:05Z' },
      caBundle: Buffer.from(text('certs/ca.crt')).toString('base64'),
    });
    const kustomization = await run(CertsCreate, [...flags, '-o', 'kustomize']);
    expect(kustomization.stdout).toContain('  - certs/tls.crt\n');
    const certManager = await run(CertsCreate, [...flags, '-o', 'cert-manager']);
    expect(certManager.stdout).toContain(
      '# Annotate the webhook configurations: cert-manager.io/inject-ca-from: team/webhook-serving-cert\n',
    );
    expect(certManager.stdout).toContain('  - webhook.team.svc\n');
  });

  it.each([
    [['--days', '0'], 2, 'invalid --days "0": expected an integer from 1 to 3650'],
    [['--service', 'webhook'], 2, 'invalid --service "webhook": expected NAMESPACE/NAME'],
    [['--dns', 'a b'], 2, 'invalid --dns "a b": expected a host name or an IP address'],
    [['--ip', 'localhost'], 2, 'invalid --ip "localhost": expected an IP address'],
    [['--key-type', 'dsa'], 2, 'invalid --key-type "dsa": expected one of'],
    [['--preset', 'aks'], 2, 'invalid --preset "aks": expected one of kind, k3d, minikube, docker-desktop'],
    [['--renew-before', 'soon'], 2, 'invalid --renew-before "soon": expected a duration such as 30d or 720h'],
    [['--out-dir', 'a-file'], 6, 'exists and is not a folder'],
  ])('refuses %j', async (argv, exitCode, message) => {
    writeFileSync(file('a-file'), '');
    const result = await run(CertsCreate, argv);
    expect(result.exitCode).toBe(exitCode);
    expect(result.stderr).toContain(message);
  });

  it('does not overwrite foreign files: exit code 6', async () => {
    mkdirSync(file('certs'));
    writeFileSync(file('certs/ca.key'), 'mine');
    expect(await run(CertsCreate, [])).toEqual({
      exitCode: 6,
      stdout: '',
      stderr:
        'error: ca.key exists and was not written by webhook-cli; pass another --out-dir, or pass --force to replace the files after making a copy\n',
    });
  });
});

describe('certs inject', () => {
  beforeEach(async () => {
    await run(CertsCreate, ['--service', 'team/webhook']);
    writeFileSync(file('webhooks.yaml'), configuration, { mode: 0o640 });
  });

  it('prints the result, and changes the file only when asked', async () => {
    const bundle = Buffer.from(text('certs/ca.crt')).toString('base64');
    const printed = await run(CertsInject, ['-f', 'webhooks.yaml']);
    expect(printed.stdout.split('\n').filter(line => line.includes('caBundle'))).toEqual(Array(2).fill(`    caBundle: ${bundle}`));
    expect(text('webhooks.yaml')).toBe(configuration);
    const changed = await run(CertsInject, ['-f', 'webhooks.yaml', '--in-place']);
    expect(changed).toMatchObject({ exitCode: 0, stdout: '' });
    expect(text('webhooks.yaml')).toBe(printed.stdout);
    expect(statSync(file('webhooks.yaml')).mode & 0o777).toBe(0o640);
    const { mtimeMs } = statSync(file('webhooks.yaml'));
    await run(CertsInject, ['-f', 'webhooks.yaml', '--in-place']);
    expect(statSync(file('webhooks.yaml')).mtimeMs).toBe(mtimeMs);
  });

  it('follows a link to the file', async () => {
    symlinkSync('webhooks.yaml', file('link.yaml'));
    await run(CertsInject, ['-f', 'link.yaml', '--in-place']);
    expect(text('webhooks.yaml')).toContain('caBundle: ');
    expect(readdirSync(cwd).sort()).toEqual(['certs', 'link.yaml', 'webhooks.yaml']);
  });

  it('reads stdin', async () => {
    const { stdout } = await run(CertsInject, ['-f', '-'], { stdin: configuration });
    expect(stdout).toBe((await run(CertsInject, ['-f', 'webhooks.yaml'])).stdout);
  });

  it.each([
    ['kind: A\n---\nkind: [\n', 3, 'invalid-syntax', { file: 'webhooks.yaml', line: 4, column: 1 }],
    ['kind: Service\n', 3, 'no-objects', null],
  ])('does not change a file that it cannot process: %j', async (contents, exitCode, code, location) => {
    writeFileSync(file('webhooks.yaml'), contents);
    const result = await run(CertsInject, ['-f', 'webhooks.yaml', '--in-place'], { env: { WEBHOOK_CLI_OUTPUT: 'json' } });
    expect(result.exitCode).toBe(exitCode);
    expect(JSON.parse(result.stdout)).toMatchObject({ kind: 'Error', code, location });
    expect(text('webhooks.yaml')).toBe(contents);
  });

  it.each([
    ['certs/ca.key', 'contains a private key, which must not be in a caBundle'],
    ['webhooks.yaml', 'the API server cannot use it: unable to parse bytes as PEM block'],
  ])('does not accept %s as a CA', async (ca, message) => {
    const result = await run(CertsInject, ['-f', 'webhooks.yaml', '--ca-file', ca]);
    expect(result).toMatchObject({ exitCode: 3, stdout: '' });
    expect(result.stderr).toContain(message);
  });
});

describe('certs verify', () => {
  beforeEach(async () => {
    await run(CertsCreate, ['--service', 'team/webhook']);
    writeFileSync(file('webhooks.yaml'), configuration);
    await run(CertsInject, ['-f', 'webhooks.yaml', '--in-place']);
  });

  it('accepts certificates from create and inject', async () => {
    expect(await run(CertsVerify, ['-f', 'webhooks.yaml'])).toEqual({
      exitCode: 0,
      stderr: '',
      stdout: `ok         MutatingWebhookConfiguration team, webhook a.example.com: webhook.team.svc (certs/tls.crt)
ok         MutatingWebhookConfiguration team, webhook b.example.com: localhost (certs/tls.crt)
no findings
`,
    });
    expect(await run(CertsVerify, [])).toMatchObject({ exitCode: 0 });
  });

  it("prints the API server's message", async () => {
    await run(CertsCreate, ['--out-dir', 'other']);
    const { stdout, exitCode } = await run(CertsVerify, ['-f', 'webhooks.yaml', '--cert-dir', 'other', '-o', 'json']);
    expect(exitCode).toBe(1);
    const { findings, webhooks } = JSON.parse(stdout);
    expect(findings).toBe(2);
    expect(webhooks.map(({ message }: { message: string }) => message)).toEqual([
      'failed calling webhook "a.example.com": failed to call webhook: Post "https://webhook.team.svc:443/mutate?timeout=10s": tls: failed to verify certificate: x509: certificate is valid for localhost, not webhook.team.svc',
      'failed calling webhook "b.example.com": failed to call webhook: Post "https://localhost:9443/b?timeout=3s": tls: failed to verify certificate: x509: certificate signed by unknown authority',
    ]);
  });

  it('checks for another time, and for upcoming expiry', async () => {
    const late = await run(CertsVerify, ['-f', 'webhooks.yaml', '--at', '2028-01-01']);
    expect(late.exitCode).toBe(1);
    expect(late.stdout).toContain('current time 2028-01-01T00:00:00Z is after 2027-01-02T03:04:05Z');
    const soon = await run(CertsVerify, ['--min-days', '366']);
    expect(soon.exitCode).toBe(1);
    expect(soon.stdout).toContain('ends soon  certs: webhook.team.svc, ');
  });

  it('finds a key that is another’s', async () => {
    await run(CertsCreate, ['--out-dir', 'other']);
    mkdirSync(file('mixed'));
    for (const [name, from] of [
      ['tls.crt', 'certs'],
      ['tls.key', 'other'],
    ] as const)
      writeFileSync(file(`mixed/${name}`), text(`${from}/${name}`));
    const { exitCode, stdout } = await run(CertsVerify, ['-f', 'webhooks.yaml', '--cert-dir', 'mixed']);
    expect(exitCode).toBe(1);
    expect(stdout).toContain('tls: private key does not match public key');
  });

  it('leaves an empty caBundle to cert-manager where that is annotated', async () => {
    writeFileSync(
      file('webhooks.yaml'),
      configuration.replace('name: team', 'name: team\n  annotations: {cert-manager.io/inject-ca-from: team/c}'),
    );
    const { exitCode, stdout } = await run(CertsVerify, ['-f', 'webhooks.yaml']);
    expect(exitCode).toBe(0);
    expect(stdout.match(/^unfilled/gm)).toHaveLength(2);
  });

  it('asks a server by a handshake and sends nothing', async () => {
    const received: Buffer[] = [];
    const server = createServer({ cert: text('certs/tls.crt'), key: text('certs/tls.key') }, (socket: TLSSocket) => {
      socket.on('data', bytes => received.push(bytes));
      socket.on('error', () => {});
    });
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const places = ['--service', `*=https://127.0.0.1:${port}`];
    writeFileSync(file('webhooks.yaml'), text('webhooks.yaml').replace('localhost:9443', `localhost:${port}`));
    expect(await run(CertsVerify, ['-f', 'webhooks.yaml', ...places])).toMatchObject({ exitCode: 0 });
    const inspected = await run(CertsInspect, [`127.0.0.1:${port}`, '--server-name', 'other', '-o', 'json']);
    expect(JSON.parse(inspected.stdout).names[0]).toEqual({
      serverName: 'other',
      error: expect.stringContaining('x509: certificate is valid for webhook.team.svc, '),
    });
    await run(CertsCreate, ['--out-dir', 'other']);
    await run(CertsInject, ['-f', 'webhooks.yaml', '--ca-file', 'other/ca.crt', '--in-place']);
    const refused = await run(CertsVerify, ['-f', 'webhooks.yaml', ...places]);
    expect(refused.exitCode).toBe(1);
    expect(refused.stdout).toContain(
      'failed calling webhook "a.example.com": failed to call webhook: Post "https://webhook.team.svc:443/mutate?timeout=10s": tls: failed to verify certificate: x509: certificate signed by unknown authority\n',
    );
    await new Promise(resolve => server.close(resolve));
    const gone = await run(CertsVerify, ['-f', 'webhooks.yaml', ...places]);
    expect(gone.exitCode).toBe(4);
    expect(gone.stdout).toContain(`dial tcp 127.0.0.1:${port}: connect: connection refused`);
    expect(received).toEqual([]);
  });

  it.each([
    [['-f', 'webhooks.yaml', '--service', 'x/y=https://localhost:1'], 3, 'unknown address of the service team/webhook'],
    [['--service', 'x/y=https://localhost:1'], 2, '--service and --resolve need webhook configurations'],
    [['-f', 'webhooks.yaml', '--resolve', 'x'], 2, 'invalid --resolve "x": expected HOST:PORT:ADDRESS'],
    [['-f', 'webhooks.yaml', '--cert-dir', 'nowhere'], 3, 'no such file or directory'],
  ])('refuses %j', async (argv, exitCode, detail) => {
    const result = await run(CertsVerify, argv);
    expect(result.exitCode).toBe(exitCode);
    expect(result.stderr).toContain(detail);
  });
});

describe('certs inspect', () => {
  it('shows a chain, Go’s result for each name, and whether the key matches', async () => {
    await run(CertsCreate, ['--dns', 'a.example']);
    const { stdout, exitCode } = await run(CertsInspect, ['certs/tls.crt', '--server-name', 'b.example']);
    expect(exitCode).toBe(0);
    expect(stdout.replaceAll(/(CA |serial +|sha256 +)[0-9a-f]+/g, '$1ID')).toBe(`certs/tls.crt

certificate 1 of 1
  subject    CN=a.example
  issuer     CN=webhook-cli CA ID
  names      a.example, localhost, 127.0.0.1, ::1
  valid      2026-01-02T02:59:05Z to 2027-01-02T03:04:05Z
  key        ecdsa-p256
  signature  ECDSA-SHA256
  usages     digitalSignature, serverAuth
  serial     ID
  sha256     ID

the API server's result for each name, with certs/ca.crt as caBundle
  b.example: tls: failed to verify certificate: x509: certificate is valid for a.example, localhost, not b.example
  a.example: accepted
  localhost: accepted
  127.0.0.1: accepted
  ::1: accepted

key and certificate match
`);
  });

  it('reads DER, folders, and says when there is nothing', async () => {
    await run(CertsCreate, []);
    writeFileSync(file('leaf.der'), Buffer.from(text('certs/tls.crt').replaceAll(/-----.*-----|\n/g, ''), 'base64'));
    const der = JSON.parse((await run(CertsInspect, ['leaf.der', '-o', 'json'])).stdout);
    const folder = JSON.parse((await run(CertsInspect, ['certs', '-o', 'json'])).stdout);
    expect(der.certificates).toEqual(folder.certificates);
    expect([der.trusted, folder.trusted, folder.keyBelongs]).toEqual(['the roots that come with Node', 'certs/ca.crt', true]);
    expect(await run(CertsInspect, ['certs/ca.key'])).toMatchObject({ exitCode: 3 });
    expect(await run(CertsInspect, ['nowhere'])).toMatchObject({ exitCode: 3 });
  });
});
