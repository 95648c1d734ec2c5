import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** Returns the minors, the newest last, of which a folder has a file `NAME-MINOR.json`. */
export function recordedMinors(folder, name) {
  return sortedMinors(readdirSync(folder).flatMap(file => new RegExp(`^${name}-(v1\\.\\d+)\\.json$`).exec(file)?.[1] ?? []));
}

/** Returns minors in their order. */
export function sortedMinors(minors) {
  const numberOf = minor => Number(minor.slice('v1.'.length));
  return minors.sort((a, b) => numberOf(a) - numberOf(b));
}

/** Returns the minor whose tables and data are complete, the default one: those of the others are differences from it. */
export function baseMinor() {
  const source = readFileSync(path.join(import.meta.dirname, '../src/kubernetes/kubernetes-version.ts'), 'utf8');
  return /defaultMinor: KubernetesMinor = '(v1\.\d+)'/.exec(source)[1];
}
