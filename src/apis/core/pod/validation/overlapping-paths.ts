import { at, hasSet, isSet, itemsAt, mapOf, type Place, textAt } from '../../../../apiserver/registry/validation/place.js';
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
export function overlapWarnings(volumes: readonly Place[]): string[] {
  return volumes.flatMap(volume => [
    ...ofItems(volume, 'configMap', () => `ConfigMap ${quote(textAt(volume, 'configMap', 'name'))}`),
    ...ofItems(volume, 'secret', () => `Secret ${quote(textAt(volume, 'secret', 'secretName'))}`),
    ...ofItems(volume, 'downwardAPI', () => 'DownwardAPI'),
    ...ofProjection(volume),
  ]);
}

function ofItems(volume: Place, kind: string, shown: () => string): string[] {
  return collisions(filesOf(at(volume, kind), '')).map(message => warning(volume, shown(), message));
}

function warning(volume: Place, shown: string, message: string): string {
  return `volume ${quote(textAt(volume, 'name'))} (${shown}): overlapping paths: ${message}`;
}

function filesOf(source: Place, name: string): File[] {
  return itemsAt(source, 'items').map(item => ({ path: textAt(item, 'path'), source: name }));
}

function ofProjection(volume: Place): string[] {
  const sources = itemsAt(volume, 'projected', 'sources');
  const isEmpty = (source: Place): boolean => [...mapOf(source).keys()].every(key => !hasSet(source, key));
  const before: File[] = [];
  return sources.flatMap(source => {
    if (isEmpty(source)) return [`volume ${quote(textAt(volume, 'name'))} (Projected) has no sources provided`];
    const files = filesOfSource(source);
    const met = collisions(files, before).map(message => warning(volume, 'Projected', message));
    before.push(...files);
    return met;
  });
}

/** Returns the files of the first member with files. */
function filesOfSource(source: Place): File[] {
  const [map, secret, downward] = [at(source, 'configMap'), at(source, 'secret'), at(source, 'downwardAPI')];
  const names = (place: Place): boolean => isSet(at(place, 'items'));
  if (names(map)) return filesOf(map, `ConfigMap ${quote(textAt(map, 'name'))}`);
  if (names(secret)) return filesOf(secret, `Secret ${quote(textAt(secret, 'name'))}`);
  if (names(downward)) return filesOf(downward, 'DownwardAPI');
  const token = at(source, 'serviceAccountToken');
  return isSet(token) ? [{ path: textAt(token, 'path'), source: 'ServiceAccountToken' }] : [];
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
