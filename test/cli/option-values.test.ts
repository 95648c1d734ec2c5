import { afterAll, describe, expect, it } from 'vitest';
import Test from '../../commands/test.js';
import { argumentOptions, callOptions, inputOptions, podOptions, serverFlagOptions } from '../../src/client/options/call-options.js';
import { conversionOptions } from '../../src/client/options/conversion-options.js';
import type { Option } from '../../src/client/options/option.js';
import { flagName } from '../../src/client/options/option-names.js';
import type { ValueType } from '../../src/client/options/value-type.js';
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
import { allCommands, type CommandWithFlags } from '../support/all-commands.js';
import { runCommand } from '../support/run-command.js';
import { temporaryFolder } from '../support/temporary-folder.js';

/** Invalid for every type of values that is not any text: no word, number, time, address or list of words, and without a `=`. */
const wrong = '%%';

const { folder, remove } = temporaryFolder({
  'pod.yaml': 'apiVersion: v1\nkind: Pod\nmetadata: {name: a}\nspec: {containers: [{name: a, image: a}]}\n',
});
afterAll(remove);

const commands = new Map(await allCommands());

/** Every flag with an invalid value, of every command, and what a value of it must be. */
const flags = [...commands].flatMap(([command, { flags: own = {} }]) =>
  Object.entries(own).flatMap(([flag, { option }]) => {
    const type = refusingType(option);
    return type === undefined ? [] : [{ command, flag, type, required: requiredOf(own).filter(name => name !== flag) }];
  }),
);

/** Options of suites and the library with invalid values. */
const judged = Object.entries({
  ...conversionOptions,
  ...inputOptions,
  ...callOptions,
  ...podOptions,
  ...serverFlagOptions,
  ...argumentOptions,
  ...webhookOptions,
  ...checkOptions,
}).flatMap(([name, option]: [string, Option]) => {
  const type = refusingType(option);
  return type === undefined ? [] : [{ name, option, type, expected: expectedOf(type) }];
});

/** Returns the type of an option's values, if there are invalid ones. */
function refusingType(option: Option): ValueType<unknown> | undefined {
  return option.shape !== 'switch' && option.value.parse(wrong) === undefined ? option.value : undefined;
}

function expectedOf(type: ValueType<unknown>): string {
  return type.expectedFor?.(wrong) ?? type.expected;
}

function requiredOf(flags: NonNullable<CommandWithFlags['flags']>): string[] {
  return Object.entries(flags).flatMap(([name, { option }]) => (option.isRequired ? [name] : []));
}

describe('an invalid value', () => {
  it('is known for the options that are parsed', () => {
    const names = flags.map(({ flag }) => flag);
    const known = [
      'service',
      'urls',
      'resolve',
      'header',
      'check',
      'timeout',
      'operation',
      'now',
      'seed',
      'fault',
      'upgrade',
      'include',
      'output',
      'rule',
    ];
    expect(names).toEqual(expect.arrayContaining(known));
    expect(flags.length).toBeGreaterThan(200);
  });

  it.each(flags)('of $command --$flag ends with 2', async ({ command, flag, type, required }) => {
    const run = commands.get(command);
    if (run === undefined) throw new Error(`no command ${command}`);
    const { stdout, stderr, exitCode } = await runCommand(
      run,
      [...required.map(name => `--${name}=https://127.0.0.1:1`), `--${flag}=${wrong}`],
      {
        cwd: folder,
      },
    );
    const shown = type.isSecret ? '' : ` "${wrong}"`;
    expect({ stdout, stderr: stderr.replace(/; did you mean .*\?$/m, ''), exitCode }).toEqual({
      stdout: '',
      stderr: `error: invalid --${flag}${shown}: expected ${expectedOf(type)}\n`,
      exitCode: 2,
    });
  });

  const inSuites = new Map([...webhookFields.byField, ...callFields.byField, ...conversionFields.byField]);
  const fields = judged.filter(({ name, option }) => inSuites.get(flagName(name))?.option === option);

  it.each(fields)('of a suite for $name ends with 3', async ({ name, type, expected }) => {
    const field = flagName(name);
    const isOfSuite = webhookFields.byField.has(field);
    const setting = `${field}: "${wrong}"`;
    const text = `apiVersion: webhook-cli.dev/v1alpha1\nkind: Suite\n${isOfSuite ? `${setting}\n` : ''}cases:\n- name: a\n  ${isOfSuite ? 'filename: pod.yaml' : setting}\n`;
    const written = temporaryFolder({ 'a.webhook-test.yaml': text });
    const { stderr, exitCode } = await runCommand(Test, ['a.webhook-test.yaml'], { cwd: written.folder });
    written.remove();
    const shown = isOfSuite ? field : `cases[0].${field}`;
    const isNumber = 'type' in type.schema && type.schema.type === 'integer';
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

  it.each(library)('of the library for $name is an error', ({ name, option, type, expected }) => {
    const [given, shown] = option.shape === 'pairs' ? [wrongPair, '"a=\\n"'] : [wrong, `"${wrong}"`];
    expect(() => readReviewOptions({ manifest: '', [name]: given } as never)).toThrow(
      `invalid option ${name} ${shown}: expected ${type.inLibrary?.expected ?? expected}`,
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
