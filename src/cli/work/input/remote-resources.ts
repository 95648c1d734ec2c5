import { existsSync, statSync } from 'node:fs';
import path from 'node:path';
import { readUnstructured } from '../../../encoding/unstructured.js';
import { readManifests } from '../../../encoding/yaml-stream.js';
import { readRegularFile } from '../../../files/read-file.js';
import { isList, isMap, type Value } from '../../../go/value.js';

/** Names of the file, in the order in which kustomize looks for them. */
const fileNames = ['kustomization.yaml', 'kustomization.yml', 'Kustomization'];

/** Fields that name files, folders and repositories. */
const fields = ['resources', 'bases', 'components', 'crds', 'configurations', 'generators', 'transformers', 'validators'];

/** More folders than any project has. */
const maxFolders = 1000;

/**
 * Returns what a kustomization and the local ones that it names fetch from elsewhere, without duplicates. Unreadable files name nothing: the program that
 * builds them reports them. Source: kustomize api/internal/target accumulateResources, api/internal/git NewRepoSpecFromURL.
 */
export function remoteResources(folder: string): string[] {
  const remote = new Set<string>();
  const folders = new Set([path.resolve(folder)]);
  for (const current of folders) {
    if (folders.size > maxFolders) break;
    for (const name of namedIn(current)) {
      const local = path.resolve(current, name);
      if (!existsSync(local)) {
        if (isRemote(name)) remote.add(name);
      } else if (statSync(local).isDirectory()) folders.add(local);
    }
  }
  return [...remote];
}

function namedIn(folder: string): string[] {
  const file = fileNames.map(name => path.join(folder, name)).find(name => existsSync(name));
  if (file === undefined) return [];
  try {
    return readManifests(readRegularFile(file)).documents.flatMap(({ json }) => {
      const document = readUnstructured(json);
      return isMap(document) ? fields.flatMap(field => textsIn(document.get(field))) : [];
    });
  } catch {
    return [];
  }
}

function textsIn(value: Value | undefined): string[] {
  return isList(value) ? value.filter(item => typeof item === 'string') : [];
}

/** `https://a/b`, `git::a`, `git@host:path`, `github.com/a/b`, `host.example/a//b?ref=v1` */
function isRemote(name: string): boolean {
  return /^[a-z][a-z0-9+.-]*:\/\/|^git::|^[\w.-]+@[\w.-]+:|^[\w-]+(?:\.[\w-]+)+[/:]|\?(?:ref|version|timeout|submodules)=/i.test(name);
}
