import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { isFree } from '../../src/cli/options/trust/is-free.js';
import { suiteOptions } from '../../src/suites/reading/suite-fields.js';
import { allCommands } from '../support/all-commands.js';
import { root } from '../support/run-command.js';

const text = (file: string): string => readFileSync(path.join(root, file), 'utf8');
const sources = (folder: string): string[] =>
  readdirSync(path.join(root, folder), { recursive: true })
    .map(name => path.join(folder, String(name)))
    .filter(name => name.endsWith('.ts'));

/** The sentences of docs/security.md that other files of this folder do not hold. */
describe('docs/security.md', () => {
  const rows = [...text('docs/security.md').matchAll(/^\| (`[a-z ]+`(?:, `[a-z ]+`)*) \| (.*?) \| (.*?) \| (.*?) \|$/gm)];

  it('has a row for each command, or for its topic', () => {
    const files = readdirSync(path.join(root, 'commands'), { recursive: true }).map(String);
    const commands = files.filter(name => name.endsWith('.ts')).map(name => name.slice(0, -3).split(path.sep));
    const listed = rows.flatMap(([, names = '']) => names.replaceAll('`', '').split(', '));
    const missing = commands.filter(words => !listed.includes(words.join(' ')) && !listed.includes(words[0] ?? ''));
    // They read reports, and answer from the program's own data.
    const harmless = ['report merge'];
    expect(missing.map(words => words.join(' ')).filter(name => !harmless.includes(name))).toEqual([]);
  });

  it('names a test of each limit, which exists', () => {
    const [, table = ''] = text('docs/security.md').split('| what | limit | beyond it | test |\n');
    const limits =
      table
        .split('\n\n')[0]
        ?.split('\n')
        .slice(1)
        .map(row => row.slice(2, -2).split(' | ')) ?? [];
    expect(limits.length).toBeGreaterThan(20);
    const isTest = (name: string): boolean => existsSync(path.join(root, 'test', `${name}.test.ts`));
    expect(limits.filter(([, , , tests = '', ...more]) => more.length > 0 || !tests.split(', ').every(isTest))).toEqual([]);
  });

  it('has one place that starts programs, in groups that end with this process, and names all that use it', () => {
    const starting = sources('src').filter(file =>
      /^import (?!type ).*'node:child_process'|\(['"](?:node:)?child_process['"]\)/m.test(text(file)),
    );
    expect(starting).toEqual(['src/processes/start-child.ts']);
    const using = sources('src').filter(file => /processes\/(?:start-child|run-program)\.js/.test(text(file)));
    expect(using.sort()).toEqual(
      [
        'src/cli/commands/apiserver/run-apiserver.ts',
        'src/cli/commands/dev/run-dev.ts',
        'src/cli/work/input/build-manifests.ts',
        'src/cli/shell/open-report.ts',
        'src/cluster/credentials/exec-plugin.ts',
        'src/suites/process/launch.ts',
      ].sort(),
    );
  });

  it('says that listeners are on loopback: none has another default', () => {
    const listening = sources('src/cli').filter(file => /(?:flags|given)\.host\b/.test(text(file)));
    expect(listening.length).toBeGreaterThan(3);
    expect(listening.filter(file => !text(file).includes(".host ?? '127.0.0.1'"))).toEqual([]);
  });

  it.each(
    [
      ['kubeconfig', 'context', 'exec', 'url', 'compare', 'service', 'resolve', 'handlers', 'against-cluster', 'allow-remote'],
      ['insecure-skip-tls-verify', 'server-name', 'allow-http', 'ca-file', 'token-file', 'client-key', 'client-certificate', 'header'],
      ['out-dir', 'record', 'reporter', 'webhook-log', 'in-place', 'update', 'open', 'host', 'cert-dir', 'kustomize', 'token'],
    ].flat(),
  )('lets a found file not set %s of any command', async name => {
    const flags = (await allCommands()).flatMap(([, { flags: own = {} }]) => own[name] ?? []);
    expect(flags.length).toBeGreaterThan(0);
    expect(flags.filter(({ option }) => isFree(option, ['x']))).toEqual([]);
  });

  it.each([
    ['certs create', 'force'],
    ['proxy', 'to'],
    ['certs inject', 'ca-file'],
  ])('lets a found file not set, of %s, --%s', async (command, flag) => {
    const [, found] = (await allCommands()).find(([name]) => name === command) ?? [];
    expect(['address', undefined]).toContain(found?.flags?.[flag]?.option.risk);
  });

  it.each([
    ['url', 'https://127.0.0.1:8443/a', true],
    ['url', `https://localhost:\${PORT}/`, true],
    ['url', 'https://[::1]/', true],
    ['url', 'https://127.0.0.1:8443@a.example/', false],
    ['url', 'https://127.0.0.1.a.example/', false],
    ['url', 'https://a.example/?127.0.0.1', false],
    ['service', '*=https://127.0.0.1:1', true],
    ['service', 'a/b=https://a.example', false],
    ['resolve', 'a.example:443:127.0.0.1', true],
    ['resolve', '127.0.0.1:443:10.0.0.1', false],
    ['compare', 'policies/', true],
    ['compare', 'https://a.example/', false],
  ])('knows whether --%s %s is on this machine', (name, value, expected) => {
    const option = [...suiteOptions.values()].find(one => one.name === name)?.option;
    if (option === undefined || option.shape === 'switch') throw new Error(`${name} is not an option`);
    expect([option.risk, option.value.isLocal?.(value)]).toEqual(['address', expected]);
  });
});
