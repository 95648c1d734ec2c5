import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { addressFlags, isFree, isFreeOnThisMachine } from '../../src/cli/options/trust/free-keys.js';
import { flagName } from '../../src/client/options/option-names.js';
import { root } from '../support/run-command.js';

const text = (file: string): string => readFileSync(path.join(root, file), 'utf8');
const sources = (folder: string): string[] =>
  readdirSync(path.join(root, folder), { recursive: true })
    .map(name => path.join(folder, String(name)))
    .filter(name => name.endsWith('.ts'));

/** The sentences of docs/security.md that other files of this folder do not hold. */
describe('docs/security.md', () => {
  const rows = [...text('docs/security.md').matchAll(/^\| `([a-z ]+)` \| (.*?) \| (.*?) \| (.*?) \|$/gm)];

  it('has a row for each command, or for its topic', () => {
    const files = readdirSync(path.join(root, 'commands'), { recursive: true }).map(String);
    const commands = files.filter(name => name.endsWith('.ts')).map(name => name.slice(0, -3).split(path.sep));
    const listed = rows.map(([, name]) => name);
    const missing = commands.filter(words => !listed.includes(words.join(' ')) && !listed.includes(words[0]));
    // They read reports, and answer from the program's own data.
    const harmless = ['report merge'];
    expect(missing.map(words => words.join(' ')).filter(name => !harmless.includes(name))).toEqual([]);
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
      ['kubeconfig', 'context', 'exec', 'url', 'compare', 'service', 'resolve', 'handlers', 'to', 'against-cluster', 'allow-remote'],
      ['insecure-skip-tls-verify', 'server-name', 'allow-http', 'ca-file', 'token-file', 'client-key', 'client-certificate', 'header'],
      ['out-dir', 'record', 'reporter', 'webhook-log', 'in-place', 'update', 'open', 'host', 'cert-dir', 'kustomize', 'token', 'force'],
    ].flat(),
  )('lets a found file not set %s', name => expect(isFree(flagName(name), ['x'])).toBe(false));

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
    expect([addressFlags.includes(name), isFreeOnThisMachine(name, value)]).toEqual([true, expected]);
  });
});
