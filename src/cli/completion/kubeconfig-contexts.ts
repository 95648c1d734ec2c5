import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { readUnstructured } from '../../encoding/unstructured.js';
import { readManifests } from '../../encoding/yaml-stream.js';
import { listAt, stringAt } from '../../go/value.js';
import type { Surroundings } from '../surroundings.js';

/** Returns the names of the contexts in the kubeconfig files, each once; none for files that cannot be read, since a shell cannot show errors. */
export function kubeconfigContexts({ env, cwd }: Pick<Surroundings, 'env' | 'cwd'>): string[] {
  const listed = (env['KUBECONFIG'] ?? '').split(path.delimiter).filter(file => file !== '');
  const files = listed.length > 0 ? listed : [path.join(env['HOME'] ?? homedir(), '.kube', 'config')];
  return [...new Set(files.flatMap(file => contextsIn(path.resolve(cwd, file))))];
}

function contextsIn(file: string): string[] {
  try {
    const { documents } = readManifests(readFileSync(file));
    return documents.flatMap(({ json }) => listAt(readUnstructured(json), 'contexts').map(context => stringAt(context, 'name')));
  } catch {
    return [];
  }
}
