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

/** Returns the files of the patches that kustomizations name, relative to their folder. */
export function patchFilesOf(kustomizations: readonly ValueMap[]): string[] {
  return kustomizations
    .flatMap(object => [
      ...['patches', 'patchesJson6902'].flatMap(field => listAt(object, field).map(patch => stringAt(patch, 'path'))),
      ...listAt(object, 'patchesStrategicMerge').map(String),
    ])
    .filter(file => file !== '');
}
