import { readFileSync } from 'node:fs';
import path from 'node:path';

/** The bytes of a file of facts about a kube-apiserver, by its name in `data/`. */
export function readData(file: string): Buffer {
  return readFileSync(path.join(import.meta.dirname, 'data', file));
}
