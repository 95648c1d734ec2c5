import { afterAll, describe, expect, it } from 'vitest';
import Test from '../../commands/test.js';
import { argumentOptions, callOptions, inputOptions, podOptions, serverFlagOptions } from '../../src/client/options/call-options.js';
import { conversionOptions } from '../../src/client/options/conversion-options.js';
import type { FlagOption, Option } from '../../src/client/options/option.js';
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

/** Invalid for some type of values: no word, number, time, address or list of words, and without a `=`; no pattern, path of a field or expression; no URL. */
const wrongTexts = ['%%', '(', 'https://%'];

const { folder, remove } = temporaryFolder({
  'pod.yaml': 'apiVersion: v1\nkind: Pod\nmetadata: {name: a}\nspec: {containers: [{name: a, image: a}]}\n',
});
afterAll(remove);

const commands = new Map(await allCommands());

/** Every flag of every command that has invalid values, with one of them and what a value must be. */
const flags = (
  await Promise.all(
    [...commands].flatMap(([command, { flags: own = {} }]) =>
      Object.entries(own).map(async ([flag, { option }]) => {
        const refused = refusalOf(await findType(option));
        return refused === undefined ? [] : [{ command, flag, ...refused, required: requiredOf(own).filter(name => name !== flag) }];
      }),
    ),
  )
).flat();

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
  const refused = refusalOf(option.shape === 'switch' ? undefined : option.value);
  return refused === undefined ? [] : [{ name, option, ...refused }];
});

async function findType(option: FlagOption): Promise<ValueType<unknown> | undefined> {
  if (option.shape === 'loaded') return option.load();
  return option.shape === 'switch' ? undefined : option.value;
}

interface Refusal {
  readonly type: ValueType<unknown>;
  readonly wrong: string;
  readonly expected: string;
}

/** Returns an invalid text, and what it must be; undefined if every text is valid. */
function refusalOf(type: ValueType<unknown> | undefined): Refusal | undefined {
  const wrong = wrongTexts.find(text => type?.parse(text) === undefined);
  return type === undefined || wrong === undefined ? undefined : { type, wrong, expected: type.expectedFor?.(wrong) ?? type.expected };
}

function requiredOf(flags: NonNullable<CommandWithFlags['flags']>): string[] {
  return Object.entries(flags).flatMap(([name, { option }]) => (option.isRequired ? [name] : []));
}

/** Those that a variable and `webhook-cli.yaml` may set: `lsp` reads the files of its workspaces itself. */
const defaulted = flags.filter(({ command }) => Reflect.get(commands.get(command)?.prototype ?? {}, 'takesDefaults') !== false);

type RefusedFlag = (typeof flags)[number];

/** Runs the command of a flag with the other flags that it needs. */
async function runWith(
  { command, required }: RefusedFlag,
  {
    argv = [],
    cwd = folder,
    env = {},
  }: { readonly argv?: readonly string[]; readonly cwd?: string; readonly env?: Record<string, string> },
) {
  const run = commands.get(command);
  if (run === undefined) throw new Error(`no command ${command}`);
  const result = await runCommand(run, [...required.map(name => `--${name}=https://127.0.0.1:1`), ...argv], { cwd, env });
  return { ...result, stderr: result.stderr.replace(/; did you mean .*\?$/m, '') };
}

function sentenceOf({ flag, type, wrong, expected }: RefusedFlag): string {
  return `invalid --${flag}${type.isSecret ? '' : ` ${JSON.stringify(wrong)}`}: expected ${expected}`;
}

describe('an invalid value', () => {
  it('is known for the options that are parsed', () => {
    const names = flags.map(({ flag }) => flag);
    const known = [
      'url',
      'run',
      'match',
      'kind',
      'compare',
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
    expect(new Set(flags.filter(flag => !defaulted.includes(flag)).map(({ command }) => command))).toEqual(new Set(['lsp']));
  });

  it.each(flags)('of $command --$flag ends with 2', async refused => {
    const { stdout, stderr, exitCode } = await runWith(refused, { argv: [`--${refused.flag}=${refused.wrong}`] });
    expect({ stdout, stderr, exitCode }).toEqual({ stdout: '', stderr: `error: ${sentenceOf(refused)}\n`, exitCode: 2 });
  });

  it.each(defaulted)('of the variable for $command --$flag names the variable', async refused => {
    const variable = `WEBHOOK_CLI_${refused.flag.toUpperCase().replaceAll('-', '_')}`;
    const { stderr, exitCode } = await runWith(refused, { env: { [variable]: refused.wrong } });
    expect([stderr, exitCode]).toEqual([`error: ${variable}: ${sentenceOf(refused)}\n`, 2]);
  });

  // `kind` is the kind of the file itself.
  it.each(defaulted.filter(({ flag }) => flag !== 'kind'))('in webhook-cli.yaml for $command --$flag names its line', async refused => {
    const written = temporaryFolder({ 'webhook-cli.yaml': `${refused.flag}: ${JSON.stringify(refused.wrong)}\n` });
    const { stderr, exitCode } = await runWith(refused, { cwd: written.folder, env: { WEBHOOK_CLI_TRUST: '1' } });
    written.remove();
    expect([stderr, exitCode]).toEqual([`error: webhook-cli.yaml:1:1: ${sentenceOf(refused)}\n`, 2]);
  });

  const inSuites = new Map([...webhookFields.byField, ...callFields.byField, ...conversionFields.byField]);
  const fields = judged.filter(({ name, option }) => inSuites.get(flagName(name))?.option === option);

  it.each(fields)('of a suite for $name ends with 3', async ({ name, type, wrong, expected }) => {
    const field = flagName(name);
    const isOfSuite = webhookFields.byField.has(field);
    const setting = `${field}: ${JSON.stringify(wrong)}`;
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

  it.each(library)('of the library for $name is an error', ({ name, option, type, wrong, expected }) => {
    const [given, shown] = option.shape === 'pairs' ? [wrongPair, '"a=\\n"'] : [wrong, `"${wrong}"`];
    expect(() => readReviewOptions({ manifest: '', [name]: given } as never)).toThrow(
      `invalid option ${name} ${shown}: expected ${type.inLibrary?.expected ?? expected}`,
    );
  });

  it('of the state of the library is an error', () => {
    expect(Object.keys(libraryStateOptions)).toContain('kubernetesVersion');
    expect(() => readStateOptions({ kubernetesVersion: '%%' })).toThrow(`invalid option kubernetesVersion "%%": expected `);
  });
});
