import { readdirSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { CliError } from '../../../client/cli-error.js';
import { collectObjects, type ExportScope } from '../../../cluster/export/collect-objects.js';
import { exportedFileName, exportedObject } from '../../../cluster/export/exported-object.js';
import { readUnstructured } from '../../../encoding/unstructured.js';
import { readManifests } from '../../../encoding/yaml-stream.js';
import { writeYaml } from '../../../encoding/yaml-writer.js';
import { ensureFolder } from '../../../files/ensure-folder.js';
import { readRegularFile } from '../../../files/read-file.js';
import { removeLeftOvers, writeWhole } from '../../../files/replace-file.js';
import { systemReason } from '../../../files/system-reason.js';
import { counted } from '../../../kubernetes/counted.js';
import { differencesBetween, shownDifference } from '../../../suites/checks/differences.js';
import { oneLine, printable } from '../../../writers/printable.js';
import { type ExitCode, exitCodes } from '../../shell/exit-codes.js';
import type { Surroundings } from '../../shell/surroundings.js';
import { apiServers } from '../../work/api-servers/api-servers.js';
import type { ClusterFlags } from '../../work/cluster/cluster-flags.js';
import { openCluster } from '../../work/cluster/open-cluster.js';

export type StateFlags = ClusterFlags & {
  readonly outDir?: string | undefined;
  readonly check?: boolean | undefined;
  readonly namespace?: string | undefined;
  readonly allNamespaces?: boolean | undefined;
};

/** First line of the files: others in the folder are not touched. */
const mark = '# from a cluster, by webhook-cli state\n';

/** Writes what admission looks at in a cluster as files, or with `--check` prints what has changed since. */
export async function runState(flags: StateFlags, surroundings: Surroundings): Promise<ExitCode> {
  const folder = flags.outDir;
  if (folder === undefined) throw new CliError('usage', 'no folder specified', { suggestions: ['pass -o DIR'] });
  const cluster = openCluster(flags, surroundings);
  const server = apiServers({ minor: await cluster.minor() });
  const { objects, warnings } = await collectObjects(server, cluster.client, scopeOf(flags));
  for (const warning of warnings) surroundings.stderr.write(`warning: ${printable(warning)}\n`);
  const files = new Map(objects.map(object => [exportedFileName(server, object), mark + writeYaml(exportedObject(object))]));
  const absolute = path.resolve(surroundings.cwd, folder);
  const before = filesIn(absolute, folder, flags.check === true);
  const changes = changesBetween(before, files);
  if (flags.check === true) return printChanges(changes, { folder, total: files.size }, surroundings);
  await write(absolute, folder, files, changes);
  surroundings.stdout.write(
    `${counted(files.size, 'object')} in ${folder}${changes.length === 0 ? ', nothing changed' : `: ${summaryOf(changes)}`}\n`,
  );
  return exitCodes.allowed;
}

function scopeOf(flags: StateFlags): ExportScope {
  if (flags.namespace !== undefined && flags.allNamespaces === true) throw new CliError('usage', '-n and -A exclude each other');
  if (flags.namespace !== undefined) return { namespace: flags.namespace };
  return flags.allNamespaces === true ? 'all' : 'concerned';
}

interface Change {
  readonly type: 'new' | 'changed' | 'gone';
  readonly file: string;
  /** Fields of a changed object, a sentence each. */
  readonly fields: readonly string[];
}

function changesBetween(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): Change[] {
  const names = [...new Set([...before.keys(), ...after.keys()])].sort();
  return names.flatMap((file): Change[] => {
    const [old, now] = [before.get(file), after.get(file)];
    if (old === now) return [];
    if (old === undefined || now === undefined) return [{ type: old === undefined ? 'new' : 'gone', file, fields: [] }];
    return [{ type: 'changed', file, fields: changedFields(old, now) }];
  });
}

function changedFields(before: string, after: string): string[] {
  const [old, now] = [before, after].map(text => {
    const { documents } = readManifests(Buffer.from(text));
    return documents[0] === undefined ? undefined : readUnstructured(documents[0].json);
  });
  return differencesBetween(old, now).map(
    ({ path: field, a, b }) => `${field} was ${shownDifference(a)}, and is ${shownDifference(b)} now`,
  );
}

/** Returns the files of an earlier run. */
function filesIn(absolute: string, folder: string, isRequired: boolean): ReadonlyMap<string, string> {
  const isFolder = statSync(absolute, { throwIfNoEntry: false })?.isDirectory();
  if (isFolder === undefined && !isRequired) return new Map();
  if (isFolder !== true) {
    const reason = isFolder === undefined ? 'no such folder' : 'not a folder';
    throw new CliError('unreadable-file', reason, { location: { file: folder }, suggestions: ['write it with webhook-cli state -o DIR'] });
  }
  const names = readdirSync(absolute).filter(name => name.endsWith('.yaml'));
  const texts = names.map(name => [name, readRegularFile(path.join(absolute, name)).toString('utf8')] as const);
  return new Map(texts.filter(([, text]) => text.startsWith(mark)));
}

async function write(absolute: string, folder: string, files: ReadonlyMap<string, string>, changes: readonly Change[]): Promise<void> {
  try {
    await ensureFolder(absolute);
    await removeLeftOvers(absolute);
    for (const { type, file } of changes) {
      if (type === 'gone') rmSync(path.join(absolute, file));
      else await writeWhole(path.join(absolute, file), files.get(file) ?? '');
    }
  } catch (error) {
    throw new CliError('write-failed', `cannot write the files: ${systemReason(error)}`, { location: { file: folder }, cause: error });
  }
}

function printChanges(
  changes: readonly Change[],
  { folder, total }: { readonly folder: string; readonly total: number },
  { stdout }: Surroundings,
): ExitCode {
  for (const { type, file, fields } of changes) {
    stdout.write(`${type.padEnd(8)} ${oneLine(path.join(folder, file))}\n`);
    for (const field of fields) stdout.write(`         ${oneLine(field)}\n`);
  }
  stdout.write(
    changes.length === 0 ? `${counted(total, 'object')}, as in ${folder}\n` : `the cluster is not as in ${folder}: ${summaryOf(changes)}\n`,
  );
  return changes.length === 0 ? exitCodes.allowed : exitCodes.refused;
}

function summaryOf(changes: readonly Change[]): string {
  const types = ['new', 'changed', 'gone'] as const;
  const counts = types.map(type => [changes.filter(change => change.type === type).length, type] as const);
  return counts
    .filter(([count]) => count > 0)
    .map(([count, type]) => `${count} ${type}`)
    .join(', ');
}
