import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { CliError } from '../../client/cli-error.js';
import { inputPathIn } from '../../client/manifests/input-path.js';
import { nearest } from '../../client/nearest.js';
import { pathOptions } from '../../client/options/all-options.js';
import { flagName } from '../../client/options/option-names.js';
import type { Surroundings } from '../surroundings.js';
import { type FlagDefinitions, givenFlags } from './given-flags.js';

const fileName = 'webhook-cli.yaml';

/** Mutually exclusive flags: a given flag disables the defaults of the others. */
const alternatives = [
  ['url', 'demo'],
  ['filename', 'call', 'case'],
  ['patch', 'patch-file'],
  ['handler', 'script'],
];

/**
 * Returns arguments for flags that are not given: from the variables `WEBHOOK_CLI_*`, otherwise from the nearest `webhook-cli.yaml`.
 * `known` returns the flags of all commands; unknown keys in the file are errors. It is called only when there is a file.
 */
export async function configuredArguments(
  argv: readonly string[],
  { definitions, known }: { readonly definitions: FlagDefinitions; readonly known: () => Promise<readonly string[]> },
  surroundings: Pick<Surroundings, 'env' | 'cwd'>,
): Promise<string[]> {
  const given = givenFlags(argv, definitions);
  if (given.has('case')) return [];
  const file = await configurationFile(surroundings.cwd, async () => [...(await known()), ...Object.keys(definitions)]);
  const excluded = new Set(alternatives.filter(group => group.some(name => given.has(name))).flat());
  return Object.entries(definitions).flatMap(([name, definition]) => {
    if (given.has(name) || excluded.has(name)) return [];
    const variable = surroundings.env[variableOf(name)];
    const values = variable !== undefined ? variable.split('\n').filter(line => line !== '') : (file.get(name) ?? []);
    return values.map(value => argumentOf(name, value, { isSwitch: definition.type === 'boolean' }));
  });
}

/** Returns the variable of a flag: `WEBHOOK_CLI_CA_FILE` for `ca-file`. */
function variableOf(name: string): string {
  return `WEBHOOK_CLI_${name.toUpperCase().replaceAll('-', '_')}`;
}

function argumentOf(name: string, value: string, { isSwitch }: { readonly isSwitch: boolean }): string {
  if (!isSwitch) return `--${name}=${value}`;
  if (/^(true|1|yes)$/i.test(value)) return `--${name}`;
  if (/^(false|0|no)$/i.test(value)) return '';
  throw new CliError('usage', `invalid default of --${name} ${JSON.stringify(value)}: expected true or false`);
}

/** Reads the values by flag name; paths become relative to the working directory. */
async function configurationFile(cwd: string, known: () => Promise<readonly string[]>): Promise<ReadonlyMap<string, readonly string[]>> {
  const file = findUpward(cwd);
  if (file === undefined) return new Map();
  const shown = path.relative(cwd, file);
  const { readManifests } = await import('../../encoding/yaml-stream.js');
  const { documents, error } = readManifests(readFileSync(file));
  if (error !== undefined) throw new CliError('invalid-syntax', firstLine(error.message), { location: { file: shown, ...error.position } });
  if (documents.length > 1)
    throw new CliError('usage', 'unexpected second document: expected one configuration document', { location: { file: shown } });
  const data: unknown = JSON.parse(documents[0]?.json ?? '{}');
  if (typeof data !== 'object' || data === null || Array.isArray(data)) {
    throw new CliError('usage', 'invalid configuration: expected a map of flags', { location: { file: shown } });
  }
  const place = { cwd, file, shown, known: await known() };
  return new Map(Object.entries(data).flatMap(([name, value]) => entryOf(name, value, place)));
}

interface Place {
  readonly cwd: string;
  readonly file: string;
  readonly shown: string;
  readonly known: readonly string[];
}

function entryOf(name: string, value: unknown, { cwd, file, shown, known }: Place): [string, string[]][] {
  if (name === 'apiVersion' || name === 'kind') return [];
  if (!known.includes(name)) {
    const meant = nearest(name, known);
    throw new CliError('usage', `unknown flag ${JSON.stringify(name)}`, {
      location: { file: shown },
      suggestions: meant === undefined ? [] : [`did you mean ${meant}?`],
    });
  }
  const values = (Array.isArray(value) ? value : [value]).map(item => {
    if (typeof item === 'string' || typeof item === 'number' || typeof item === 'boolean') return String(item);
    throw new CliError('usage', `the value of ${name} must be a string, number or boolean, or a list of them`, {
      location: { file: shown },
    });
  });
  return [[name, pathFlags.has(name) ? values.map(item => fromFolderOf(file, item, cwd)) : values]];
}

/** Paths in the file are relative to the file. */
const pathFlags: ReadonlySet<string> = new Set([...pathOptions.map(flagName), 'cert-dir', 'compare', 'out-dir', 'record', 'script']);

function fromFolderOf(file: string, value: string, cwd: string): string {
  // --compare takes an address as well.
  return /^https?:/i.test(value) ? value : inputPathIn(path.relative(cwd, path.dirname(file)), value);
}

/** Finds the file in the working directory or above, within the same repository. */
function findUpward(folder: string): string | undefined {
  const file = path.join(folder, fileName);
  if (existsSync(file)) return file;
  const parent = path.dirname(folder);
  return parent === folder || existsSync(path.join(folder, '.git')) ? undefined : findUpward(parent);
}

function firstLine(text: string): string {
  return text.split('\n')[0] ?? text;
}
