import type { FieldPath } from '../../../../apiserver/registry/validation/field-path.js';
import { quote } from '../../../../go/quote.js';

/** File of a volume, and its source where the volume has several. */
interface File {
  readonly path: string;
  readonly source: string;
}

/**
 * Returns warnings about overlapping files of one volume: the last one wins, or the pod does not start. Source: pkg/api/pod/warnings.go
 * warningsForOverlappingVirtualPaths.
 */
export function overlapWarnings(volumes: readonly FieldPath[]): string[] {
  return volumes.flatMap(volume => [
    ...ofItems(volume, 'configMap', () => `ConfigMap ${quote(volume.text('configMap', 'name'))}`),
    ...ofItems(volume, 'secret', () => `Secret ${quote(volume.text('secret', 'secretName'))}`),
    ...ofItems(volume, 'downwardAPI', () => 'DownwardAPI'),
    ...ofProjection(volume),
  ]);
}

function ofItems(volume: FieldPath, kind: string, shown: () => string): string[] {
  return collisions(filesOf(volume.child(kind), '')).map(message => warning(volume, shown(), message));
}

function warning(volume: FieldPath, shown: string, message: string): string {
  return `volume ${quote(volume.text('name'))} (${shown}): overlapping paths: ${message}`;
}

function filesOf(source: FieldPath, name: string): File[] {
  return source.items('items').map(item => ({ path: item.text('path'), source: name }));
}

function ofProjection(volume: FieldPath): string[] {
  const sources = volume.items('projected', 'sources');
  const isEmpty = (source: FieldPath): boolean => [...source.members().keys()].every(key => !source.has(key));
  const before: File[] = [];
  return sources.flatMap(source => {
    if (isEmpty(source)) return [`volume ${quote(volume.text('name'))} (Projected) has no sources provided`];
    const files = filesOfSource(source);
    const met = collisions(files, before).map(message => warning(volume, 'Projected', message));
    before.push(...files);
    return met;
  });
}

/** Returns the files of the first member with files. */
function filesOfSource(source: FieldPath): File[] {
  const [map, secret, downward] = [source.child('configMap'), source.child('secret'), source.child('downwardAPI')];
  const names = (field: FieldPath): boolean => field.child('items').isSet();
  if (names(map)) return filesOf(map, `ConfigMap ${quote(map.text('name'))}`);
  if (names(secret)) return filesOf(secret, `Secret ${quote(secret.text('name'))}`);
  if (names(downward)) return filesOf(downward, 'DownwardAPI');
  const token = source.child('serviceAccountToken');
  return token.isSet() ? [{ path: token.text('path'), source: 'ServiceAccountToken' }] : [];
}

/** Returns each file with each earlier one that it overlaps. */
function collisions(files: readonly File[], before: readonly File[] = []): string[] {
  if (files.length + before.length < 2) return [];
  const known = before.map(trimmed);
  return files.map(trimmed).flatMap(file => {
    const met = file.path === '' ? [] : known.filter(other => other.path !== '' && meet(file.path, other.path));
    known.push(file);
    return met.map(other => `${shownFile(file)} with ${shownFile(other)}`);
  });
}

function trimmed({ path, source }: File): File {
  return { path: path.replace(/\/+$/, ''), source };
}

function meet(one: string, other: string): boolean {
  return `${one}/`.startsWith(`${other}/`) || `${other}/`.startsWith(`${one}/`);
}

function shownFile({ path, source }: File): string {
  return source === '' ? quote(path) : `${quote(path)} (${source})`;
}
