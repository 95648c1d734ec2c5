import { readUnstructured } from '../../../encoding/unstructured.js';
import { readManifests } from '../../../encoding/yaml-stream.js';
import { isMap, listAt, stringAt, type Value, type ValueMap } from '../../../go/value.js';

/** Returns true for the path of a kustomization. */
export function isKustomization(file: string): boolean {
  return /(^|[\\/])kustomization\.ya?ml$/i.test(file);
}

/** Returns the documents of a text; those before a syntax error. */
export function documentsIn(text: string): Value[] {
  return readManifests(Buffer.from(text)).documents.map(({ json }) => readUnstructured(json));
}

/** Returns the objects of a kustomization's text, or of a file that it names. */
export function objectsOfKustomization(text: string): ValueMap[] {
  return documentsIn(text).filter(isMap);
}

/** Fields of a kustomization that name patches. */
const patchFields = ['patches', 'patchesJson6902', 'patchesStrategicMerge'];

/** Returns the files of the patches that kustomizations name, relative to their folder. */
export function patchFilesOf(kustomizations: readonly ValueMap[]): string[] {
  return kustomizations
    .flatMap(object =>
      patchFields.flatMap(field => listAt(object, field).map(patch => (isMap(patch) ? stringAt(patch, 'path') : String(patch)))),
    )
    .filter(file => file !== '');
}

/**
 * Returns the files of patches that a kustomization names in comments, relative to its folder: kubebuilder writes them so until they are
 * wanted.
 */
export function disabledPatchFilesOf(text: string): string[] {
  let field = '';
  return text.split('\n').flatMap(line => {
    field = /^#? ?(\w+):\s*$/.exec(line)?.[1] ?? field;
    const [, file] = /^\s*#\s*-\s*(?:path:\s*)?["']?([^\s"']+\.ya?ml)["']?\s*$/.exec(line) ?? [];
    return file !== undefined && patchFields.includes(field) ? [file] : [];
  });
}

/** Returns the files that tell kustomizations which fields to change, relative to their folder. */
export function configurationFilesOf(kustomizations: readonly ValueMap[]): string[] {
  return kustomizations.flatMap(object => listAt(object, 'configurations').map(String));
}
