import { spawnSync } from 'node:child_process';
import type { Command } from '@oclif/core';
import { describe, expect, it } from 'vitest';
import { runCompletion } from '../../src/cli/commands/completion/run-completion.js';
import { testSurroundings } from '../support/run-command.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const flag = (name: string, more: object = {}) => ({ name, type: 'option', description: `it's ${name}: more`, ...more });
const command = (id: string, flags: readonly { readonly name: string }[], args: object = {}): Command.Loadable =>
  ({ id, summary: `Do ${id}`, hidden: false, args, flags: Object.fromEntries(flags.map(each => [each.name, each])) }) as Command.Loadable;

const output = (helpValue: string) => flag('output', { char: 'o', helpValue });
const commands = [
  command('review', [
    output('text|json'),
    flag('subresource'),
    flag('enable-admission-plugins', { helpValue: 'NAMES', multiple: true }),
    flag('filename', { char: 'f', helpValue: 'PATH' }),
    flag('context'),
    flag('demo', { type: 'boolean' }),
    flag('secret', { hidden: true }),
  ]),
  command('lint', [flag('rule'), output('text|sarif')]),
  command('certs:create', [flag('out-dir', { helpValue: 'PATH' })]),
  command('certs:inject', []),
  command('test', [], { path: { name: 'path' } }),
  command('completion', [], { shell: { name: 'shell', options: ['bash', 'fish'] } }),
];

const topics = new Map([['certs', 'Serving certificates']]);

function printed(shell: string, values?: string, env: Readonly<Record<string, string>> = {}, cwd = '/'): string {
  const written = { stdout: '', stderr: '' };
  runCompletion({ shell, values, commands, topics }, testSurroundings({ env, cwd }, written));
  return written.stdout;
}

/** Completes a line at its end, as readline does, which also splits words at = and colons. */
function completedByBash(line: string, cwd = '/'): string[] {
  const words = line.split(/\s+/).flatMap(word => word.split(/(?<=[=:])|(?=[=:])/));
  const test = `${printed('bash')}
webhook-cli() { printf '%s\\n' arn:aws:a arn:aws:b; }
COMP_LINE=$1; COMP_POINT=\${#1}; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1))
_webhook_cli; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const { stdout, stderr } = spawnSync('bash', ['--norc', '-c', test, 'bash', line, ...words], { encoding: 'utf8', cwd });
  expect(stderr).toBe('');
  return stdout.split('\n').filter(word => word !== '');
}

describe('completion in bash', () => {
  it.each<[string, string[]]>([
    ['webhook-cli re', ['review']],
    ['webhook-cli ', ['certs', 'completion', 'lint', 'review', 'test']],
    ['webhook-cli certs ', ['create', 'inject']],
    ['webhook-cli review --sub', ['--subresource']],
    ['webhook-cli review --sec', []],
    ['webhook-cli review -o ', ['text', 'json']],
    ['webhook-cli review --output=j', ['json']],
    ['webhook-cli lint --output s', ['sarif']],
    ['webhook-cli review --demo --output t', ['text']],
    ['webhook-cli review -f certs --subresource eph', ['ephemeralcontainers']],
    ['webhook-cli review --enable-admission-plugins AlwaysD', ['AlwaysDeny']],
    ['webhook-cli review --enable-admission-plugins AlwaysAdmit,AlwaysP', ['AlwaysAdmit,AlwaysPullImages']],
    ['webhook-cli lint --rule matches-everything=w', ['warning']],
    ['webhook-cli review --context arn:aws:', ['a', 'b']],
    ['webhook-cli completion f', ['fish']],
  ])('%s', (line, expected) => {
    expect(completedByBash(line)).toEqual(expected);
  });

  it('completes files, and folders where only they fit', () => {
    const { folder, remove } = temporaryFolder({ 'pod.yaml': '', 'pods/a.yaml': '' });
    const found = ['webhook-cli review -f po', 'webhook-cli test po', 'webhook-cli certs create --out-dir=po'].map(line =>
      completedByBash(line, folder).sort(),
    );
    remove();
    expect(found).toEqual([['pod.yaml', 'pods'], ['pod.yaml', 'pods'], ['pods']]);
  });
});

const exists = (shell: string): boolean => spawnSync(shell, ['--version']).status === 0;

/** Lines, and what the first tab makes of them where only one word fits. */
const completed: [string, string][] = [
  ['webhook-cli re', 'webhook-cli review '],
  ['webhook-cli certs cr', 'webhook-cli certs create '],
  ['webhook-cli review --sub', 'webhook-cli review --subresource '],
  ['webhook-cli review -o j', 'webhook-cli review -o json '],
  ['webhook-cli review --subresource eph', 'webhook-cli review --subresource ephemeralcontainers '],
  ['webhook-cli lint --rule matches-everything=w', 'webhook-cli lint --rule matches-everything=warning '],
  ['webhook-cli review --context arn', 'webhook-cli review --context arn:aws:a '],
  ['webhook-cli review -f pod', 'webhook-cli review -f pod\\ one.yaml '],
];

describe.skipIf(!exists('zsh'))('completion in zsh, in a pseudo-terminal', () => {
  it.each(completed)('%s', (line, expected) => {
    const { folder, remove } = temporaryFolder({ script: printed('zsh'), 'pod one.yaml': '' });
    // Control-X prints the line after the tab has changed it.
    const test = `zmodload zsh/zpty
zpty terminal zsh -f -i
zpty -w terminal "autoload -Uz compinit; compinit -u -D; source ./script; webhook-cli() { print arn:aws:a; }"
zpty -w terminal 'show() { print -r -- "<<$BUFFER>>"; }; zle -N show; bindkey "^X" show; stty -echo; print rea"dy"'
zpty -r terminal output '*ready*'
zpty -n -w terminal "$1"$'\\t\\x18'
zpty -r terminal output '*>>*'
print -r -- "$output"`;
    const { stdout, stderr } = spawnSync('zsh', ['-f', '-c', test, 'zsh', line], {
      encoding: 'utf8',
      cwd: folder,
      env: { ...process.env, TERM: 'dumb' },
    });
    remove();
    expect([/<<(.*)>>/s.exec(stdout)?.[1], stderr]).toEqual([expected, '']);
  });
});

describe.skipIf(!exists('fish'))('completion in fish', () => {
  it.each(completed)('%s', (line, expected) => {
    const { folder, remove } = temporaryFolder({ script: printed('fish'), 'pod one.yaml': '' });
    const test = 'source ./script; function webhook-cli; echo arn:aws:a; end; complete -C "$argv[1]"';
    const { stdout, stderr } = spawnSync('fish', ['--no-config', '-c', test, line], { encoding: 'utf8', cwd: folder });
    remove();
    const words = stdout
      .split('\n')
      .filter(word => word !== '')
      .map(word => word.split('\t')[0]);
    expect([words, stderr]).toEqual([
      [
        expected
          .trim()
          .split(/(?<!\\) /)
          .at(-1)
          ?.replace('\\', ''),
      ],
      '',
    ]);
  });
});

describe('completion', () => {
  it.each(['bash', 'zsh', 'fish', 'powershell'])('names every command and flag that is not hidden: %s', shell => {
    const script = printed(shell);
    for (const word of ['review', 'lint', 'create', 'inject', 'output', 'subresource', 'demo', 'out-dir', 'sarif', 'ephemeralcontainers'])
      expect(script).toContain(word);
    expect(script).not.toContain('secret');
  });

  it.each([
    ['zsh', "'--subresource:it'\\''s subresource'"],
    ['fish', "-l subresource -x -a 'approval "],
    ['fish', "-d 'it\\'s subresource'"],
  ])('quotes texts for %s', (shell, expected) => {
    expect(printed(shell)).toContain(expected);
  });

  it('prints the contexts of all kubeconfig files, and nothing for a broken one', () => {
    const { folder, remove } = temporaryFolder({
      a: 'contexts: [{name: one}, {name: two}]\n',
      b: '{"contexts": [{"name": "two"}, {"name": "three"}]}',
      c: 'contexts: [',
      '.kube/config': 'contexts: [{name: home}]\n',
    });
    const listed = printed('bash', 'contexts', { KUBECONFIG: 'a:missing:b' }, folder);
    const broken = printed('bash', 'contexts', { KUBECONFIG: 'c' }, folder);
    const byDefault = printed('bash', 'contexts', { HOME: folder }, folder);
    remove();
    expect([listed, broken, byDefault]).toEqual(['one\nthree\ntwo\n', '', 'home\n']);
  });
});
