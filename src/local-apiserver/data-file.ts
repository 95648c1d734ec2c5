import { readFileSync } from 'node:fs';
import path from 'node:path';

/** Returns the contents of a file in `data/`, with recorded data of a kube-apiserver. */
export function readData(file: string): Buffer {
  return readFileSync(path.join(import.meta.dirname, 'data', file));
}
