import { decodeFolded } from '../../apiserver/objects/decode-typed.js';
import { encodeTyped } from '../../apiserver/objects/encode-typed.js';
import { strategicMerge } from '../../apiserver/patches/strategic-merge.js';
import { readUnstructured } from '../../encoding/unstructured.js';
import { yamlToJson } from '../../encoding/yaml.js';
import { JsonSyntaxError } from '../../go/json/syntax-error.js';
import { writeValue } from '../../go/json/write.js';
import { isMap, listAt, mapAt, stringAt, type Value, type ValueMap } from '../../go/value.js';
import { lazy, memoizeStrings } from '../../kubernetes/memoize.js';
import { structNamed } from '../../kubernetes/type-table.js';
import { goTypes } from '../go-types.js';

/** Go type of pods. */
const podSchema = lazy(() => structNamed(goTypes, 'core/v1.Pod'));

/** Reads a pod as Go's own JSON decoder does. Throws DecodeError. */
export function decodePod(text: string): ValueMap {
  const pod = decodeFolded(goTypes, text, podSchema());
  return isMap(pod) ? pod : new Map();
}

/** Returns the JSON that Go writes for a pod. */
export function encodePod(pod: ValueMap): string {
  return encodeTyped(pod, podSchema());
}

/**
 * Returns a pod with a partial pod in YAML merged over it. Throws an Error with Istio's message. Source: istio inject.go applyOverlayYAML.
 */
export function withOverlay(pod: ValueMap, overlay: string): ValueMap {
  const patch = patchOf(overlay);
  const original = readUnstructured(encodePod(pod));
  const merged = strategicMerge(isMap(original) ? original : new Map(), patch, podSchema());
  try {
    return decodePod(writeValue(merged, 'sorted'));
  } catch (error) {
    throw new Error(`unmarshal patched pod: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  }
}

function patchOf(overlay: string): ValueMap {
  let patch: Value;
  try {
    patch = readUnstructured(jsonOf(overlay));
    if (patch !== null && !isMap(patch)) throw new JsonSyntaxError('', 0);
  } catch {
    throw new Error('strategic merge: invalid JSON document');
  }
  return patch ?? new Map();
}

/** Every overlay is merged twice, and the pods of a workload get the same one. A merge changes the patch: only its text can be kept. */
const jsonOf = memoizeStrings(64, yamlToJson);

/** Returns the containers of a pod, or its init containers. */
export function containersOfInjected(pod: ValueMap, list: 'containers' | 'initContainers'): ValueMap[] {
  return listAt(pod, 'spec', list).filter(isMap);
}

/** Returns the container of a name. */
export function containerNamed(containers: readonly ValueMap[], name: string): ValueMap | undefined {
  return containers.find(container => stringAt(container, 'name') === name);
}

/** Returns labels or annotations as strings. */
export function textsAt(pod: ValueMap, member: 'labels' | 'annotations'): ReadonlyMap<string, string> {
  const map = mapAt(pod, 'metadata', member);
  return new Map([...(map ?? [])].map(([key, value]) => [key, typeof value === 'string' ? value : '']));
}
