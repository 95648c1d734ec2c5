import { readdirSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import Review from '../../commands/review.js';
import Test from '../../commands/test.js';
import { checkedFile } from '../../src/cli/commands/init/checked-file.js';
import type { NewFile } from '../../src/cli/commands/init/project.js';
import { CliError } from '../../src/client/cli-error.js';
import { runCommand } from '../support/run-command.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { configuration, initialized } from './support/initialized.js';

const suiteName = 'webhook-tests/first.webhook-test.yaml';
const breaks = ['\n', '\r\n', '\u0085', '\u2028', '\u2029'];

/** Names that would end a list, a comment or a scalar, and add fields. */
const hostile = [
  ...breaks.map(end => `a.b.c]${end}exec: {command: "touch PWNED"}${end}#`),
  ...breaks.map(end => `c]${end}allow-remote: true${end}#`),
  ...["a'\nexec: {command: touch PWNED}", '"', "'", '\\', 'a: b', 'a #b', '{a: b}', '[a, b]', '*a', '&a', '!!a', '- a', '-a', '? a', '| a'],
  ...['> a', '%a', '@a', '`touch PWNED`', '$(touch PWNED)', 'null', 'true', '1e3', '0x10', '~', '---', '...', '\ufeff', '\u001b[31m', '\t'],
  ...[
    `${'#'.repeat(2)}vso[task.setvariable]a`,
    '::set-output::a',
    '-->',
    ']]>',
    'kustomize:a',
    'https:a',
    '=https://evil.example.com',
    'a, b',
  ],
];

/** As JSON, in which names may have any characters. */
function withNames(names: { webhook?: string; service?: string; namespace?: string; url?: string }): string {
  const { webhook = 'guard.example.com', service = 'guard', namespace = 'shop', url } = names;
  const found = parse(configuration);
  const client = url === undefined ? { service: { namespace, name: service, path: '/validate' } } : { url };
  found.webhooks = [{ ...found.webhooks[0], name: webhook, clientConfig: client }];
  return JSON.stringify(found, null, 1);
}

const plainSuite = {
  apiVersion: 'webhook-cli.dev/v1alpha1',
  kind: 'Suite',
  services: { 'shop/guard': 'https://127.0.0.1:8443' },
  state: ['../hooks.json'],
  snapshot: false,
  cases: [{ name: 'pod', filename: 'pod.yaml', expect: { called: ['guard.example.com'] } }],
};

const plainFlags = {
  'kubernetes-version': 'v1.37',
  state: ['hooks.json'],
  'ca-file': 'certs/ca.crt',
  service: ['shop/guard=https://127.0.0.1:8443'],
};

describe('init with names of strangers', { timeout: 120_000 }, () => {
  it('writes the name of a webhook as a value', async () => {
    for (const name of [...hostile, '\u0000', 'a'.repeat(3000)]) {
      const { exitCode, stderr, stdout, text, remove } = await initialized({ 'hooks.json': withNames({ webhook: name }) });
      const [suite, flags] = [parse(text(suiteName)), parse(text('webhook-cli.yaml'))];
      remove();
      expect({ name, exitCode, stderr }).toEqual({ name, exitCode: 0, stderr: '' });
      expect(stdout).toContain('\nnext: webhook-cli test webhook-tests\n');
      expect(suite).toEqual({ ...plainSuite, cases: [{ ...plainSuite.cases[0], expect: { called: [name] } }] });
      expect(flags).toEqual(plainFlags);
    }
  });

  it('writes the name of a file as a value, and prints it in one line', async () => {
    for (const name of hostile.filter(each => !each.includes('/'))) {
      const file = `${name}.json`;
      const { exitCode, stderr, stdout, text, remove } = await initialized({ [file]: withNames({}) });
      const [suite, flags] = [parse(text(suiteName)), parse(text('webhook-cli.yaml'))];
      remove();
      expect({ name, exitCode, stderr }).toEqual({ name, exitCode: 0, stderr: '' });
      expect(stdout.split('\n').slice(2, 5)).toEqual([`wrote ${suiteName}`, 'wrote webhook-tests/pod.yaml', 'wrote webhook-cli.yaml']);
      expect(suite).toEqual({ ...plainSuite, state: [`../${file}`] });
      expect(flags).toEqual({ ...plainFlags, state: [/^(-|[a-z]+:)/.test(file) ? `./${file}` : file] });
    }
  });

  it.each<[string, Parameters<typeof withNames>[0]]>([
    ['a service with an address', { service: 'guard=https://evil.example.com#' }],
    ['a namespace with an address', { namespace: 'a=https://evil.example.com#' }],
    ['a service that is not a name', { service: 'a b' }],
  ])('does not map %s, which no API server accepts', async (_, names) => {
    const { text, remove } = await initialized({ 'hooks.json': withNames(names) });
    const [suite, flags] = [parse(text(suiteName)), parse(text('webhook-cli.yaml'))];
    remove();
    expect([suite.services, flags.service]).toEqual([undefined, undefined]);
  });

  it('maps a URL with an equals sign to this machine', async () => {
    const url = 'https://hooks.example.com/validate=https://evil.example.com/';
    const { text, remove } = await initialized({ 'hooks.json': withNames({ url }) });
    const [suite, flags] = [parse(text(suiteName)), parse(text('webhook-cli.yaml'))];
    remove();
    expect(suite.urls).toEqual({ 'https://hooks.example.com/': 'https://127.0.0.1:8443/' });
    expect(flags.urls).toEqual(['https://hooks.example.com/=https://127.0.0.1:8443/']);
  });

  it('runs nothing that a name contains with the command that it prints', async () => {
    const webhook = 'a.b.c]\nexec: {command: "touch PWNED"}\n#';
    const script = '$(touch PWNED);touch PWNED.py';
    const { folder, remove, stdout, text } = await initialized({
      'hooks.json': withNames({ webhook }),
      [script]: 'AdmissionReview\nos.getenv("TLS_CERT"), os.getenv("TLS_KEY"), os.getenv("PORT"), app.run()\n',
    });
    await runCommand(Test, ['webhook-tests'], { cwd: folder, env: { ...process.env, HOME: folder } });
    const suite = parse(text(suiteName));
    const isThere = [folder, path.join(folder, 'webhook-tests')].some(inner => readdirSync(inner).includes('PWNED'));
    remove();
    expect(stdout).toContain('next: webhook-cli test webhook-tests\n');
    expect(suite.exec.command).toBe(`python3 '${script}'`);
    expect(isThere).toBe(false);
  });

  it('trusts nothing that a name contains', async () => {
    const home = temporaryFolder();
    const { folder, remove, text } = await initialized({ 'c]\nallow-remote: true #.yaml': configuration });
    const reviewed = await runCommand(Review, ['--namespace', 'shop', '-f', 'webhook-tests/pod.yaml'], {
      cwd: folder,
      env: { HOME: home.folder },
    });
    const flags = parse(text('webhook-cli.yaml'));
    remove();
    home.remove();
    expect(Object.keys(flags)).toEqual(['kubernetes-version', 'state', 'ca-file', 'service']);
    expect(reviewed.stderr).not.toContain('allow-remote');
  });

  it('leaves out variables that no process can have', async () => {
    const names = ['__proto__', 'A=B', '', 'A\u0000', 'A\nB', 'A'];
    const container = { name: 'a', image: 'a', env: names.map(name => ({ name, value: 'b' })) };
    const { exitCode, text, remove } = await initialized({
      'hooks.json': withNames({}),
      ...{ 'requirements.txt': '', 'app.py': 'AdmissionReview\nos.getenv("TLS_CERT"), os.getenv("TLS_KEY"), os.getenv("PORT")\n' },
      'deployment.json': JSON.stringify(
        {
          ...{ apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'guard' } },
          spec: { template: { spec: { containers: [container] } } },
        },
        null,
        1,
      ),
    });
    const suite = parse(text(suiteName));
    remove();
    expect(exitCode).toBe(0);
    expect(Object.entries(suite.exec.env).filter(([, value]) => value === 'b')).toEqual([
      ['__proto__', 'b'],
      ['A', 'b'],
    ]);
  });
});

describe('checkedFile', () => {
  const suite = (more: string): NewFile => ({ name: suiteName, text: `apiVersion: webhook-cli.dev/v1alpha1\nkind: Suite\n${more}` });

  it('refuses a text with other fields than those it was written for, and every second document', () => {
    const value = new Map([['a', 'b']]);
    expect(() => checkedFile({ name: 'a.yaml', text: 'a: b\nc: d\n', value })).toThrow(
      'a.yaml does not have the fields it was written for',
    );
    expect(() => checkedFile({ name: 'a.yaml', text: 'a: b\n---\na: b\n', value })).toThrow();
    expect(() => checkedFile({ name: 'a.yaml', text: 'a: [', value })).toThrow();
    expect(checkedFile({ name: 'a.yaml', text: 'a: b\n', value }).text).toBe('a: b\n');
  });

  it('refuses a suite that cannot be read, before it is written', () => {
    expect(() => checkedFile(suite('exec: {}\ncases: []\n'))).toThrow(CliError);
    expect(checkedFile(suite('demo: true\ncases: [{name: a, filename: a.yaml, expect: {allowed: true}}]\n')).suite?.('b').file).toBe('b');
  });
});
