import { readdirSync } from 'node:fs';

/** Returns the minors, the newest last, of which a folder has a file `NAME-MINOR.json`. */
export function recordedMinors(folder, name) {
  const numberOf = minor => Number(minor.slice('v1.'.length));
  return readdirSync(folder)
    .flatMap(file => new RegExp(`^${name}-(v1\\.\\d+)\\.json$`).exec(file)?.[1] ?? [])
    .sort((a, b) => numberOf(a) - numberOf(b));
}
