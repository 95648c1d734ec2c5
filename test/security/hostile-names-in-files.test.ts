import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import CertsCreate from '../../commands/certs/create.js';
import CertsInject from '../../commands/certs/inject.js';
import CertsInspect from '../../commands/certs/inspect.js';
import ProxyCommand from '../../commands/proxy.js';
import State from '../../commands/state.js';
import Test from '../../commands/test.js';
import { issueServingPair } from '../../src/certificates/issue.js';
import { suiteOf } from '../../src/fuzz/suite-of.js';
import { toValue } from '../../src/go/value.js';
import { startScriptedEndpoint } from '../../src/webhook-server/script/scripted-endpoint.js';
import { printable, unprintable, visible } from '../../src/writers/printable.js';
import { pathWord } from '../../src/writers/shell.js';
import { searched } from '../fuzz/searched.js';
import { post, review } from '../proxy/proxied-webhook.js';
import { makeCertificate } from '../support/certificate-maker.js';
import { runCommand } from '../support/run-command.js';
import { type Closing, startCommand } from '../support/started-command.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { hostileNames, nameCount } from './names/hostile-names.js';
import { type Parsed, parsedJson, parsedYaml } from './names/structure.js';
import { parsedCommands, parsedTap } from './names/tap.js';

const names = hostileNames(nameCount);

let folder: string;
let remove: () => void;
beforeAll(() => {
  ({ folder, remove } = temporaryFolder());
});
afterAll(() => {
  expect(existsSync(path.join(folder, 'PWNED'))).toBe(false);
  remove();
});

const squeezed = (text: string): string => text.replace(/\s+/g, ' ').trim();
const suite = (name: string, expected: object): string =>
  JSON.stringify({
    ...{ apiVersion: 'webhook-cli.dev/v1alpha1', kind: 'Suite', demo: true },
    cases: [{ name, filename: 'pod.json', ...expected }],
  });
const pod = (name: string): string =>
  JSON.stringify({
    ...{ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'a', annotations: { text: `x${name}x` } } },
    spec: { containers: [{ name: 'a', image: 'a:1', args: [name] }] },
  });

/** The members of the first and of each other text are the same, and each other one has the name. */
function expectSameStructure(parse: (text: string) => Parsed, text: (name: string) => string, value: (name: string) => string): void {
  const { structure } = parse(text('plain'));
  for (const name of names) {
    const found = parse(text(name));
    expect({ name, structure: found.structure }).toEqual({ name, structure });
    const isThere = found.texts.some(one => [one, squeezed(one)].some(form => form.includes(value(name))));
    expect({ name, isThere }).toEqual({ name, isThere: true });
  }
}

describe(`${names.length} names of strangers in files`, { timeout: 20_000 + nameCount * 1000 }, () => {
  it.each<[string, readonly string[], (text: string) => Parsed, (name: string) => string]>([
    ['tap', ['--reporter', 'tap'], parsedTap, name => squeezed(printable(name))],
    ['github', ['--reporter', 'github'], parsedCommands, name => squeezed(visible(name))],
  ])('are values in test --reporter %s', async (_, argv, parse, value) => {
    const outputs = new Map<string, string>();
    for (const name of ['plain', ...names]) {
      const file = `${name}.webhook-test.yaml`;
      writeFileSync(path.join(folder, 'pod.json'), pod(name));
      writeFileSync(path.join(folder, file), suite(name, { snapshot: false, expect: { message: name } }));
      const { stdout, exitCode } = await runCommand(Test, [pathWord(file), ...argv], { cwd: folder, env: { HOME: folder } });
      expect({ name, exitCode }).toEqual({ name, exitCode: 1 });
      outputs.set(name, stdout);
    }
    expectSameStructure(parse, name => outputs.get(name) ?? '', value);
  });

  it('are values in snapshots', async () => {
    const made = temporaryFolder({ 'pod.json': '' });
    const snapshots = new Map<string, string>();
    for (const name of ['plain', ...names]) {
      writeFileSync(path.join(made.folder, 'pod.json'), pod(name));
      writeFileSync(path.join(made.folder, 'a.webhook-test.yaml'), suite(name, {}));
      const { exitCode, stdout } = await runCommand(Test, ['.', '--update'], { cwd: made.folder, env: { HOME: folder } });
      expect({ name, exitCode, stdout }).toEqual({ name, exitCode: 0, stdout });
      const files = readdirSync(path.join(made.folder, '__snapshots__'));
      // Names that Windows reserves, and links out of the folder.
      expect(files).toEqual([expect.stringMatching(/^[A-Za-z0-9%][A-Za-z0-9._%~-]*\.yaml$/)]);
      snapshots.set(name, readFileSync(path.join(made.folder, '__snapshots__', files[0] ?? ''), 'utf8'));
      expect((await runCommand(Test, ['.', '--check'], { cwd: made.folder, env: { HOME: folder } })).exitCode).toBe(0);
    }
    made.remove();
    expectSameStructure(
      parsedYaml,
      name => snapshots.get(name) ?? '',
      name => squeezed(name),
    );
  });

  it('are values in the files of state, each of which has its own', async () => {
    const role = (name: string): object => ({
      metadata: { name, labels: { a: name } },
      rules: [{ apiGroups: [name], resources: ['pods'], verbs: ['get'] }],
    });
    const server = createServer((request, response) => {
      response.setHeader('Content-Type', 'application/json');
      const isRoles = request.url?.includes('/clusterroles') === true;
      const body = request.url?.startsWith('/version')
        ? { major: '1', minor: '36', gitVersion: 'v1.36.0' }
        : { kind: 'List', apiVersion: 'v1', metadata: {}, items: isRoles ? ['plain', ...names].map(role) : [] };
      response.end(JSON.stringify(body));
    });
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
    const kubeconfig = {
      ...{ apiVersion: 'v1', kind: 'Config', 'current-context': 'c', contexts: [{ name: 'c', context: { cluster: 'c', user: 'u' } }] },
      clusters: [{ name: 'c', cluster: { server: `http://127.0.0.1:${(server.address() as AddressInfo).port}` } }],
      users: [{ name: 'u', user: {} }],
    };
    writeFileSync(path.join(folder, 'kubeconfig'), JSON.stringify(kubeconfig));
    const { stderr, exitCode } = await runCommand(State, ['-o', 'state', '--kubeconfig', 'kubeconfig'], {
      cwd: folder,
      env: { HOME: folder },
    });
    server.close();
    server.closeAllConnections();
    expect([stderr, exitCode]).toEqual([expect.stringContaining(''), 0]);
    const files = readdirSync(path.join(folder, 'state'));
    expect(files.filter(file => !/^clusterrole_[A-Za-z0-9.%-]*\.yaml$/.test(file))).toEqual([]);
    const parsed = files.map(file => parsedYaml(readFileSync(path.join(folder, 'state', file), 'utf8')));
    expect(new Set(parsed.map(({ structure }) => structure)).size).toBe(1);
    expect(new Set(parsed.flatMap(({ texts }) => texts.filter(text => names.includes(text))))).toEqual(new Set(names));
    expect(files).toHaveLength(names.length + 1);
  });

  it('are values in the findings of fuzz', async () => {
    const { findings } = await searched('validating', () => ({ statusCode: 500 }), { checks: ['crash'], runs: 3 });
    const [finding] = findings;
    if (finding === undefined) throw new Error('nothing was found');
    const of = (name: string) => {
      const object = toValue(JSON.parse(pod(name)));
      if (!(object instanceof Map)) throw new Error('not an object');
      const made = { ...finding.made, input: { ...finding.made.input, object } };
      return suiteOf({ findings: [{ ...finding, made, message: name, webhook: name, isValid: false }], bypasses: [] }, { exec: name });
    };
    const whole = (name: string): string =>
      of(name)
        .map(({ text }) => text)
        .join('\n---\n');
    expectSameStructure(parsedYaml, whole, name => name);
    for (const name of names) expect(of(name).map(file => file.name)).toEqual(of('plain').map(file => file.name));
  });

  it('are values in the recordings of proxy, and in its lines', async () => {
    const opened: Closing[] = [];
    const { cert, key, ca } = await issueServingPair({ dns: [], ips: [] }, new Date());
    const made = temporaryFolder({ 'ca.crt': ca, 'certs/tls.crt': cert, 'certs/tls.key': key, 'certs/ca.crt': ca });
    const allowed = { kind: 'http', headers: { 'X-A': 'a' }, body: '{"response": {"uid": "{{uid}}", "allowed": true}}' } as const;
    const endpoint = await startScriptedEndpoint({ endpoint: allowed }, { chain: cert, key });
    const recordings = path.join(made.folder, 'recordings');
    let output = '';
    const options = { cwd: made.folder, opened, onStdout: (text: string) => (output += text) };
    const argv = ['--to', `https://127.0.0.1:${endpoint.port}`, '--ca-file', 'ca.crt', '--record', 'recordings'];
    const [port] = await startCommand(ProxyCommand, argv, options, [/^https:\/\/127\.0\.0\.1:(\d+)/]);
    const all = ['plain', ...names];
    for (const name of all) {
      const object = JSON.parse(pod(name));
      const asked = { ...JSON.parse(review('a', name)).request, namespace: name, operation: name, object };
      await post(Number(port), ca, JSON.stringify({ kind: 'AdmissionReview', apiVersion: 'admission.k8s.io/v1', request: asked }));
    }
    await opened.pop()?.close();
    await endpoint.close();
    const files = readdirSync(recordings);
    expect(files).toHaveLength(all.length);
    expect(files.filter(file => !/^[a-z0-9][a-z0-9.-]*-[0-9a-f]{12}\.yaml$/.test(file))).toEqual([]);
    const parsed = files.map(file => parsedYaml(readFileSync(path.join(recordings, file), 'utf8')));
    made.remove();
    expect(new Set(parsed.map(({ structure }) => structure)).size).toBe(1);
    const recorded = parsed.flatMap(({ texts }) => texts.filter(text => text.includes('"AdmissionReview"')));
    expect(recorded.map(text => JSON.parse(text).request.operation).sort()).toEqual([...all].sort());
    expect([unprintable.test(output), printable(output), output.split('\n').length]).toEqual([false, output, all.length + 2]);
  });

  it('are values in what certs create prints', async () => {
    const outputs = new Map<string, string>();
    for (const output of ['json', 'kustomize'] as const) {
      for (const name of ['plain', ...names]) {
        const { stdout, exitCode } = await runCommand(CertsCreate, ['--out-dir', `./${name}`, '--dns', 'localhost', '-o', output], {
          cwd: folder,
        });
        expect({ name, exitCode }).toEqual({ name, exitCode: 0 });
        outputs.set(name, stdout);
      }
      expectSameStructure(
        output === 'json' ? parsedJson : parsedYaml,
        name => outputs.get(name) ?? '',
        name => squeezed(name),
      );
    }
    for (const name of names) {
      const { stdout, stderr } = await runCommand(CertsCreate, ['--out-dir', `./${name}`, '--dns', 'localhost'], { cwd: folder });
      const lines = (stdout + stderr).split('\n').length;
      expect({ name, lines, isPrintable: !unprintable.test(stdout + stderr) }).toEqual({ name, lines: 5, isPrintable: true });
    }
  });

  it('are values in what certs inject writes, and change nothing else of a file', async () => {
    const { ca } = await issueServingPair({ dns: ['localhost'], ips: [] }, new Date());
    writeFileSync(path.join(folder, 'ca.crt'), ca);
    const configuration = (name: string): object => ({
      ...{ apiVersion: 'admissionregistration.k8s.io/v1', kind: 'ValidatingWebhookConfiguration', metadata: { name } },
      webhooks: [{ name, clientConfig: { url: 'https://localhost/' } }],
    });
    for (const name of names) {
      const file = path.join(folder, `${name}.yaml`);
      writeFileSync(file, JSON.stringify(configuration(name)));
      const { exitCode, stderr } = await runCommand(CertsInject, ['-f', pathWord(`${name}.yaml`), '--ca-file', 'ca.crt', '--in-place'], {
        cwd: folder,
      });
      expect({ name, exitCode }).toEqual({ name, exitCode: 0 });
      expect([unprintable.test(stderr), stderr.split('\n').length]).toEqual([false, 2]);
      const [written] = JSON.parse(readFileSync(file, 'utf8')).webhooks;
      expect(written).toEqual({ name, clientConfig: { url: 'https://localhost/', caBundle: Buffer.from(ca).toString('base64') } });
    }
  });

  it('of certificates move no cursor and give no order', async () => {
    for (const name of names) {
      writeFileSync(path.join(folder, 'hostile.crt'), makeCertificate({ subject: name, dns: [name.replace(/[^\x00-\x7f]/g, '?')] }).pem);
      const { stdout, stderr } = await runCommand(CertsInspect, ['hostile.crt'], { cwd: folder });
      expect(unprintable.test(stdout + stderr)).toBe(false);
      expect(printable(stdout)).toBe(stdout);
      const inspected = await runCommand(CertsInspect, ['hostile.crt', '-o', 'json'], { cwd: folder });
      expect(() => JSON.parse(inspected.stdout)).not.toThrow();
    }
  });
});
