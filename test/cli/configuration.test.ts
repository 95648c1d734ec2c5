import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import Review from '../../commands/review.js';
import { readConfiguredArguments } from '../../src/cli/options/configuration.js';
import { givenFlags } from '../../src/cli/options/given-flags.js';
import { knownFlagsIn } from '../../src/cli/options/known-flags.js';
import { flagsOfOptions } from '../../src/cli/options/option-flags.js';
import { CliError, printLocation } from '../../src/client/cli-error.js';
import { nearest } from '../../src/client/nearest.js';
import { callOptions, inputOptions } from '../../src/client/options/call-options.js';
import { textOption } from '../../src/client/options/option.js';
import { webhookOptions } from '../../src/client/options/webhook-options.js';
import { runCommand } from '../support/run-command.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const { filename, recursive, state } = inputOptions;
const { url, demo } = webhookOptions;
const definitions = flagsOfOptions({ filename, recursive, namespace: callOptions.namespace, state, url, demo });

async function configured(
  file: string | undefined,
  argv: readonly string[] = [],
  env: Readonly<Record<string, string>> = {},
): Promise<string[] | string> {
  const { folder, remove } = temporaryFolder(file === undefined ? {} : { 'webhook-cli.yaml': file });
  const cwd = path.join(folder, 'deep');
  mkdirSync(cwd);
  const stderr = { write: () => {}, isTerminal: false, flush: async () => {} };
  const stdin = { isTerminal: false, read: async () => Buffer.from('') };
  try {
    const { argv: words } = await readConfiguredArguments(
      argv,
      { definitions, known: async () => knownFlagsIn(flagsOfOptions({ handler: { ...textOption, description: '' } })) },
      { cwd, env, stderr, stdin },
    );
    return words.filter(word => word !== '');
  } catch (error) {
    if (!(error instanceof CliError)) throw error;
    return [error.location === undefined ? '' : printLocation(error.location), error.message, ...error.suggestions].join(' | ');
  } finally {
    remove();
  }
}

describe('defaults of flags', () => {
  it.each<[string, string | undefined, readonly string[], Readonly<Record<string, string>>, string[]]>([
    ['none', undefined, [], {}, []],
    ['an empty file', '# nothing\n', [], {}, []],
    ['a file', 'namespace: team\nrecursive: true\n', [], {}, ['--recursive', '--namespace=team']],
    [
      'lists and paths, which are relative to the file',
      'state: [a.yaml, /b, "-"]\n',
      [],
      {},
      ['--state=../a.yaml', '--state=/b', '--state=-'],
    ],
    ['a switch that is off', 'recursive: false\n', [], {}, []],
    ['a flag wins over a variable and the file', 'namespace: team\n', ['-n', 'x'], { WEBHOOK_CLI_NAMESPACE: 'y' }, []],
    ['a variable wins over the file', 'namespace: team\n', [], { WEBHOOK_CLI_NAMESPACE: 'y' }, ['--namespace=y']],
    ['a variable with several values', undefined, [], { WEBHOOK_CLI_STATE: 'a\nb\n' }, ['--state=a', '--state=b']],
    ['a switch by variable', undefined, [], { WEBHOOK_CLI_RECURSIVE: '1' }, ['--recursive']],
    ['a flag of another command', 'handler: deny\n', [], {}, []],
    ['a flag wins over its alternative', 'url: https://x/\n', ['--demo'], {}, []],
  ])('%s', async (_, file, argv, env, expected) => {
    expect(await configured(file, argv, env)).toEqual(expected);
  });

  it.each<[string, string, string]>([
    ['an unknown key', 'namspace: x\n', '../webhook-cli.yaml:1:1 | unknown flag "namspace" | did you mean namespace?'],
    [
      'a value that is a map',
      'namespace: {a: b}\n',
      '../webhook-cli.yaml:1:1 | the value of namespace must be a string, number or boolean, or a list of them',
    ],
    [
      'a switch that is neither on nor off',
      'recursive: maybe\n',
      '../webhook-cli.yaml:1:1 | invalid default of --recursive "maybe": expected true or false',
    ],
    ['no map', '- a\n', '../webhook-cli.yaml | invalid configuration: expected a map of flags'],
    [
      'two documents',
      'namespace: a\n---\nnamespace: b\n',
      '../webhook-cli.yaml | unexpected second document: expected one configuration document',
    ],
    ['no YAML', 'a: [\n', '../webhook-cli.yaml:2:1 | error converting YAML to JSON: yaml: line 1: did not find expected node content'],
  ])('refuse %s', async (_, file, expected) => {
    expect(await configured(file)).toBe(expected);
  });
});

describe('an error about a value that was not typed', () => {
  const review = async (file: string, env: Readonly<Record<string, string>>, ...argv: readonly string[]): Promise<string> => {
    const { folder, remove } = temporaryFolder({ 'webhook-cli.yaml': file });
    const { stderr } = await runCommand(Review, ['--demo', ...argv], { cwd: folder, env });
    remove();
    return stderr.split('\n', 1)[0] ?? '';
  };

  it('names its place in the file', async () => {
    expect(await review('namespace: shop\nnow: tomorrow\n', {})).toMatch(/^error: webhook-cli\.yaml:2:1: .*--now/);
  });

  it('names its variable', async () => {
    expect(await review('{}\n', { WEBHOOK_CLI_NOW: 'tomorrow' })).toMatch(/^error: WEBHOOK_CLI_NOW: .*--now/);
  });

  it('names neither for a flag that was typed', async () => {
    expect(await review('now: tomorrow\n', { WEBHOOK_CLI_NOW: 'tomorrow' }, '--now', 'yesterday')).toMatch(
      /^error: (?!.*(?:yaml|NOW)).*--now/,
    );
  });
});

describe('the flags that are given', () => {
  it.each<[string[], string[]]>([
    [
      ['-f', 'x', '--state=y'],
      ['filename', 'state'],
    ],
    [
      ['-Rf', 'x'],
      ['recursive', 'filename'],
    ],
    [['-nRx'], ['namespace']],
    [['x', '--', '--url'], []],
  ])('%j', (argv, expected) => {
    expect([...givenFlags(argv, definitions)]).toEqual(expected);
  });
});

describe('the nearest known word', () => {
  it.each([
    ['reveiw', 'review'],
    ['snapshots', 'snapshot'],
    ['rev', 'review'],
    ['x', undefined],
    ['completely-different', undefined],
  ])('%s', (word, expected) => {
    expect(nearest(word, ['review', 'request', 'snapshot', 'serve'])).toBe(expected);
  });
});
