import { existsSync, lstatSync } from 'node:fs';
import path from 'node:path';
import { CliError, type Location } from '../../client/cli-error.js';
import { inputPathIn } from '../../client/manifests/input-path.js';
import { nearest } from '../../client/nearest.js';
import { isAddress } from '../../client/options/address-values.js';
import { pointerToken } from '../../encoding/json-pointer.js';
import type { Surroundings } from '../shell/surroundings.js';
import type { KnownFlags } from './known-flags.js';
import { type ConsentSubject, trustsAll } from './trust/consent.js';
import { contentsInRepository, readFoundFile } from './trust/found-file.js';

const fileName = 'webhook-cli.yaml';

/** A `webhook-cli.yaml` that was found. */
export interface ConfigurationFile {
  /** Relative to the working directory, for messages. */
  readonly shown: string;
  /** Values by flag name; paths are relative to the working directory. */
  readonly values: ReadonlyMap<string, readonly string[]>;
  /** Returns the place of a flag of the file. */
  readonly locate: (name: string) => Location;
  /** The flags that it may set. */
  readonly known: KnownFlags;
  /** What a consent is about: the file, and the kubeconfig in its repository that it names. */
  readonly subject: () => ConsentSubject;
}

/**
 * Finds and reads the file, with an error for keys that are not known flags; undefined without one, and with a warning for one that is not read because another user owns it or can write it. Throws
 * CliError for invalid ones.
 */
export async function readConfigurationFile(
  { cwd, env, stderr }: Pick<Surroundings, 'cwd' | 'env' | 'stderr'>,
  loadKnown: () => Promise<KnownFlags>,
): Promise<ConfigurationFile | undefined> {
  const file = findUpward(cwd);
  if (file === undefined) return undefined;
  const shown = path.relative(cwd, file);
  const found = readFoundFile(file, trustsAll(env));
  if ('refused' in found) {
    stderr.write(`warning: ${shown} is not read: ${found.refused}\n`);
    return undefined;
  }
  const known = await loadKnown();
  const { values, locate } = await readValues(found.bytes, { cwd, file, shown, known });
  const subject = (): ConsentSubject => {
    const named = (values.get('kubeconfig') ?? []).map(one => path.resolve(cwd, one));
    return {
      file: found.realPath,
      contents: [found.bytes.toString('latin1'), ...named.flatMap(one => contentsInRepository(file, one))],
    };
  };
  return { shown, values, locate, known, subject };
}

/** Returns the values of a configuration by flag name. Throws CliError for an invalid one. */
export async function readValues(
  bytes: Uint8Array,
  place: Omit<EntryContext, 'locate'>,
): Promise<Pick<ConfigurationFile, 'values' | 'locate'>> {
  const { shown } = place;
  const { readManifests } = await import('../../encoding/yaml-stream.js');
  const { documents, error } = readManifests(bytes);
  if (error !== undefined) throw new CliError('invalid-syntax', firstLine(error.message), { location: { file: shown, ...error.position } });
  if (documents.length > 1)
    throw new CliError('usage', 'unexpected second document: expected one configuration document', { location: { file: shown } });
  const [document] = documents;
  const locate = (name: string): Location => ({ file: shown, ...document?.positionOf(`/${pointerToken(name)}`) });
  const data: unknown = JSON.parse(document?.json ?? '{}');
  if (typeof data !== 'object' || data === null || Array.isArray(data)) {
    throw new CliError('usage', 'invalid configuration: expected a map of flags', { location: { file: shown } });
  }
  return { values: new Map(Object.entries(data).flatMap(([name, value]) => entryOf(name, value, { ...place, locate }))), locate };
}

interface EntryContext {
  readonly cwd: string;
  readonly file: string;
  readonly shown: string;
  readonly known: KnownFlags;
  readonly locate: (name: string) => Location;
}

function entryOf(name: string, value: unknown, { cwd, file, known, locate }: EntryContext): [string, string[]][] {
  if (name === 'apiVersion' || name === 'kind') return [];
  const flag = known.get(name);
  if (flag === undefined) {
    const meant = nearest(name, [...known.keys()]);
    throw new CliError('usage', `unknown flag ${JSON.stringify(name)}`, {
      location: locate(name),
      suggestions: meant === undefined ? [] : [`did you mean ${meant}?`],
    });
  }
  const values = (Array.isArray(value) ? value : [value]).map(item => {
    if (typeof item === 'string' || typeof item === 'number' || typeof item === 'boolean') return String(item);
    throw new CliError('usage', `the value of ${name} must be a string, number or boolean, or a list of them`, { location: locate(name) });
  });
  return [[name, flag.isPath ? values.map(item => fromFolderOf(file, item, cwd)) : values]];
}

/** Paths in the file are relative to the file. */
function fromFolderOf(file: string, value: string, cwd: string): string {
  // --compare takes an address as well.
  return isAddress(value) ? value : inputPathIn(path.relative(cwd, path.dirname(file)), value);
}

/** Finds the file in the working directory or above, within the same repository. */
function findUpward(folder: string): string | undefined {
  const file = path.join(folder, fileName);
  // A link that leads nowhere is found, too.
  if (lstatSync(file, { throwIfNoEntry: false }) !== undefined) return file;
  const parent = path.dirname(folder);
  return parent === folder || existsSync(path.join(folder, '.git')) ? undefined : findUpward(parent);
}

function firstLine(text: string): string {
  return text.split('\n')[0] ?? text;
}
