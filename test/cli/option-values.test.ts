import { readdirSync } from 'node:fs';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import Test from '../../commands/test.js';
import { replayOptions } from '../../src/cli/commands/replay/replay-options.js';
import { argumentOptions, callOptions, inputOptions, podOptions, serverFlagOptions } from '../../src/client/options/call-options.js';
import { conversionOptions } from '../../src/client/options/conversion-options.js';
import type { Option } from '../../src/client/options/option.js';
import { flagName, optionMemberOf } from '../../src/client/options/option-names.js';
import { checkOptions, webhookOptions } from '../../src/client/options/webhook-options.js';
import {
  libraryCallOptions,
  libraryStateOptions,
  libraryWebhookOptions,
  readReviewOptions,
  readStateOptions,
} from '../../src/library/read-options.js';
import { callFields, conversionFields, webhookFields } from '../../src/suites/reading/suite-fields.js';
import { readSuite } from '../../src/suites/reading/suite-file.js';
import { type CommandClass, root, runCommand } from '../support/run-command.js';
import { temporaryFolder } from '../support/temporary-folder.js';

/** Invalid for every type of values that is not any text: no word, number, time, address or list of words, and without a `=`. */
const wrong = '%%';

const rows: Readonly<Record<string, Option>> = {
  ...replayOptions,
  ...conversionOptions,
  ...inputOptions,
  ...callOptions,
  ...podOptions,
  ...serverFlagOptions,
  ...argumentOptions,
  ...webhookOptions,
  ...checkOptions,
};

/** Options with invalid values, and what a value of each must be. */
const judged = Object.entries(rows).flatMap(([name, option]) =>
  option.shape === 'switch' || option.value.parse(wrong) !== undefined ? [] : [{ name, option, expected: option.value.expected }],
);

const { folder, remove } = temporaryFolder({
  'pod.yaml': 'apiVersion: v1\nkind: Pod\nmetadata: {name: a}\nspec: {containers: [{name: a, image: a}]}\n',
});
afterAll(remove);

type Command = CommandClass & { readonly flags: Readonly<Record<string, { readonly member?: string }>> };

async function allCommands(): Promise<readonly (readonly [name: string, command: Command])[]> {
  const files = readdirSync(path.join(root, 'commands'), { recursive: true }).map(name => String(name).replaceAll('\\', '/'));
  const sources = files.filter(name => name.endsWith('.ts')).sort();
  return Promise.all(
    sources.map(async file => [file.replace(/\.ts$/, '').replace('/', ' '), (await import(`../../commands/${file}`)).default] as const),
  );
}

/** The flags of all commands that are these options. */
const flags = (await allCommands()).flatMap(([command, { flags: own = {} }]) =>
  judged.flatMap(({ name, option, expected }) =>
    own[flagName(name)]?.member === optionMemberOf(name, option) ? [{ command, flag: flagName(name), expected }] : [],
  ),
);
const commands = new Map(await allCommands());

describe('an invalid value', () => {
  it('is known for the options that are parsed', () => {
    const names = judged.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(['service', 'urls', 'resolve', 'header', 'check', 'timeout', 'operation', 'now', 'seed']));
    expect(flags.length).toBeGreaterThan(100);
  });

  it.each(flags)('of $command --$flag ends with 2', async ({ command, flag, expected }) => {
    const run = commands.get(command);
    if (run === undefined) throw new Error(`no command ${command}`);
    const { stdout, stderr, exitCode } = await runCommand(run, [`--${flag}=${wrong}`], { cwd: folder });
    expect({ stdout, stderr: stderr.replace(/; did you mean .*\?$/m, ''), exitCode }).toEqual({
      stdout: '',
      stderr: `error: invalid --${flag} "${wrong}": expected ${expected}\n`,
      exitCode: 2,
    });
  });

  const inSuites = new Map([...webhookFields.byField, ...callFields.byField, ...conversionFields.byField]);
  const fields = judged.filter(({ name, option }) => inSuites.get(flagName(name))?.option === option);

  it.each(fields)('of a suite for $name ends with 3', async ({ name, option, expected }) => {
    const field = flagName(name);
    const isOfSuite = webhookFields.byField.has(field);
    const setting = `${field}: "${wrong}"`;
    const text = `apiVersion: webhook-cli.dev/v1alpha1\nkind: Suite\n${isOfSuite ? `${setting}\n` : ''}cases:\n- name: a\n  ${isOfSuite ? 'filename: pod.yaml' : setting}\n`;
    const written = temporaryFolder({ 'a.webhook-test.yaml': text });
    const { stderr, exitCode } = await runCommand(Test, ['a.webhook-test.yaml'], { cwd: written.folder });
    written.remove();
    const shown = isOfSuite ? field : `cases[0].${field}`;
    const isNumber = 'type' in option.value.schema && option.value.schema.type === 'integer';
    const place = isOfSuite ? 'a.webhook-test.yaml:3:1' : 'a.webhook-test.yaml:5:3';
    const sentence = isNumber
      ? `invalid ${shown}: expected ${expected}, found the text "${wrong}"`
      : `invalid ${shown} "${wrong}": expected ${expected}`;
    expect([stderr.replace(/; did you mean .*\?$/m, ''), exitCode]).toEqual([`error: ${place}: ${sentence}\n`, 3]);
    expect(() => readSuite(Buffer.from(text), { file: 'a', whole: true })).toThrow(sentence);
  });

  const inLibrary: Readonly<Record<string, Option>> = { ...libraryCallOptions, ...libraryWebhookOptions };
  /** In an object, any text is a value of a pair; these are not. */
  const wrongPair = { a: '\n' };
  const library = judged.filter(({ name, option }) => inLibrary[name] === option && name !== 'asUserExtra');

  it.each(library)('of the library for $name is an error', ({ name, option, expected }) => {
    const [given, shown] = option.shape === 'pairs' ? [wrongPair, '"a=\\n"'] : [wrong, `"${wrong}"`];
    expect(() => readReviewOptions({ manifest: '', [name]: given } as never)).toThrow(
      `invalid option ${name} ${shown}: expected ${option.value.inLibrary?.expected ?? expected}`,
    );
  });

  it('of the state of the library is an error', () => {
    expect(Object.keys(libraryStateOptions)).toContain('kubernetesVersion');
    expect(() => readStateOptions({ kubernetesVersion: wrong })).toThrow(`invalid option kubernetesVersion "${wrong}": expected `);
  });

  it.each(judged.filter(({ name }) => ['service', 'resolve', 'header', 'timeout', 'failurePolicy'].includes(name)))(
    'of the variable and in webhook-cli.yaml for $name names where it is',
    async ({ name, expected }) => {
      const review = commands.get('review');
      if (review === undefined) throw new Error('no command review');
      const flag = flagName(name);
      const variable = `WEBHOOK_CLI_${flag.toUpperCase().replaceAll('-', '_')}`;
      const sentence = `invalid --${flag} "${wrong}": expected ${expected}\n`;
      const byVariable = await runCommand(review, ['-f', 'pod.yaml'], { cwd: folder, env: { [variable]: wrong } });
      expect([byVariable.stderr, byVariable.exitCode]).toEqual([`error: ${variable}: ${sentence}`, 2]);
      const written = temporaryFolder({ 'webhook-cli.yaml': `${flag}: "${wrong}"\n` });
      const byFile = await runCommand(review, ['-f', 'pod.yaml'], { cwd: written.folder, env: { WEBHOOK_CLI_TRUST: '1' } });
      written.remove();
      expect([byFile.stderr, byFile.exitCode]).toEqual([`error: webhook-cli.yaml:1:1: ${sentence}`, 2]);
    },
  );
});
