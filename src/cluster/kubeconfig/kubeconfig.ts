import path from 'node:path';
import { CliError } from '../../client/cli-error.js';
import { readUnstructured } from '../../encoding/unstructured.js';
import { readManifests } from '../../encoding/yaml-stream.js';
import { isMap, listAt, mapAt, stringAt, type Value, type ValueMap } from '../../go/value.js';

/** Merged contents of kubeconfig files. Entries keep the directory of their file: their paths are relative to it. */
export interface Kubeconfig {
  readonly currentContext: string;
  readonly contexts: ReadonlyMap<string, KubeconfigEntry>;
  readonly clusters: ReadonlyMap<string, KubeconfigEntry>;
  readonly users: ReadonlyMap<string, KubeconfigEntry>;
  /** Files that were read, for messages. */
  readonly files: readonly string[];
}

/** A named cluster, user or context. */
export interface KubeconfigEntry {
  readonly name: string;
  readonly settings: ValueMap;
  /** File of the entry. */
  readonly file: string;
}

/** A kubeconfig file; its contents are undefined if it does not exist. */
export interface KubeconfigFile {
  readonly file: string;
  readonly bytes: Uint8Array;
}

/**
 * Merges kubeconfig files as kubectl does: the first file with a value or an entry takes precedence. Source: client-go clientcmd/loader.go.
 */
export function mergeKubeconfigs(files: readonly KubeconfigFile[]): Kubeconfig {
  const parsed = files.map(parseKubeconfig);
  return {
    currentContext: parsed.find(({ currentContext }) => currentContext !== '')?.currentContext ?? '',
    contexts: firstOfEach(parsed.map(({ contexts }) => contexts)),
    clusters: firstOfEach(parsed.map(({ clusters }) => clusters)),
    users: firstOfEach(parsed.map(({ users }) => users)),
    files: files.map(({ file }) => file),
  };
}

/** Resolves a path of an entry. */
export function pathIn({ file }: KubeconfigEntry, given: string): string {
  return path.resolve(path.dirname(file), given);
}

function parseKubeconfig({ file, bytes }: KubeconfigFile): Kubeconfig {
  const { documents, error } = readManifests(bytes);
  if (error !== undefined) {
    throw new CliError('invalid-kubeconfig', error.message.split('\n')[0] ?? '', { location: { file, ...error.position } });
  }
  const config = readUnstructured(documents[0]?.json ?? '{}');
  const kind = stringAt(config, 'kind');
  if (!isMap(config) || documents.length > 1 || (kind !== '' && kind !== 'Config')) {
    throw new CliError('invalid-kubeconfig', 'not a kubeconfig: expected one document of kind Config', { location: { file } });
  }
  return {
    currentContext: stringAt(config, 'current-context'),
    contexts: entriesOf(config, { list: 'contexts', member: 'context', file }),
    clusters: entriesOf(config, { list: 'clusters', member: 'cluster', file }),
    users: entriesOf(config, { list: 'users', member: 'user', file }),
    files: [file],
  };
}

function entriesOf(
  config: Value,
  { list, member, file }: { readonly list: string; readonly member: string; readonly file: string },
): ReadonlyMap<string, KubeconfigEntry> {
  const entries = new Map<string, KubeconfigEntry>();
  for (const item of listAt(config, list)) {
    const name = stringAt(item, 'name');
    if (entries.has(name)) {
      throw new CliError('invalid-kubeconfig', `duplicate name ${JSON.stringify(name)} in ${list}`, { location: { file } });
    }
    entries.set(name, { name, settings: mapAt(item, member) ?? new Map(), file });
  }
  return entries;
}

function firstOfEach(maps: readonly ReadonlyMap<string, KubeconfigEntry>[]): ReadonlyMap<string, KubeconfigEntry> {
  return new Map([...maps].reverse().flatMap(entries => [...entries]));
}
