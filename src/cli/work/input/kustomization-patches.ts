import { readUnstructured } from '../../../encoding/unstructured.js';
import { readManifests } from '../../../encoding/yaml-stream.js';
import { isMap, listAt, stringAt, type Value, type ValueMap } from '../../../go/value.js';
import { isDefinition } from '../../../kubernetes/definition-resources.js';

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

/** Reports whether an object is part of a definition: a patch of a kustomization has only what it changes. */
export function isPatchOfDefinition(object: ValueMap): boolean {
  return isDefinition(object) && stringAt(object, 'spec', 'group') === '';
}

/** The files that a kustomization names, relative to its folder. */
export interface NamedFiles {
  readonly resources: readonly string[];
  readonly patches: readonly string[];
  /** Patches that it names in comments: kubebuilder writes them so until they are wanted. */
  readonly disabledPatches: readonly string[];
  /** They tell kustomize which fields to change. */
  readonly configurations: readonly string[];
}

const patchFields = ['patches', 'patchesJson6902', 'patchesStrategicMerge'];

/** Returns the files that the text of a kustomization names. */
export function filesNamedIn(text: string): NamedFiles {
  const objects = objectsOfKustomization(text);
  const listed = (field: string): Value[] => objects.flatMap(object => listAt(object, field));
  const patches = patchFields.flatMap(listed).map(patch => (isMap(patch) ? stringAt(patch, 'path') : String(patch)));
  return {
    resources: listed('resources').map(String),
    patches: patches.filter(file => file !== ''),
    disabledPatches: disabledPatchesIn(text),
    configurations: listed('configurations').map(String),
  };
}

function disabledPatchesIn(text: string): string[] {
  let field = '';
  return text.split('\n').flatMap(line => {
    field = /^#? ?(\w+):\s*$/.exec(line)?.[1] ?? field;
    const [, file] = /^\s*#\s*-\s*(?:path:\s*)?["']?([^\s"']+\.ya?ml)["']?\s*$/.exec(line) ?? [];
    return file !== undefined && patchFields.includes(field) ? [file] : [];
  });
}
