import { decodeFolded } from '../../apiserver/objects/decode-typed.js';
import { encodeAs } from '../../apiserver/objects/encode-typed.js';
import { readUnstructured } from '../../encoding/unstructured.js';
import { copyOf, ensureMap, isMap, listAt, stringAt, type Value, type ValueMap } from '../../go/value.js';
import { structNamed } from '../../kubernetes/type-table.js';
import { goTypes } from '../go-types.js';
import { containerNamed, containersOfInjected, encodePod, textsAt, withOverlay } from './pods.js';

const overridesAnnotation = 'proxy.istio.io/overrides';

export interface Reapplied {
  /** Pod before injection. */
  readonly original: ValueMap;
  /** Pod part from the templates. */
  readonly template: ValueMap;
  /** Prefix of labels and annotations. */
  readonly prefix: string;
}

/**
 * Merges the pod's own containers over those of the templates with the same names, so that the user's fields take precedence; overridden
 * ones are recorded in an annotation. Source: istio pkg/kube/inject webhook.go reapplyOverwrittenContainers.
 */
export function reapplyOwnContainers(merged: ValueMap, { original, template, prefix }: Reapplied): ValueMap {
  const annotations = textsAt(original, 'annotations');
  const kept = annotations.get(overridesAnnotation);
  const earlier = kept === undefined ? undefined : decodeFolded(goTypes, kept, structNamed(goTypes, 'core/v1.PodSpec'));
  const status = annotations.get(`${prefix}/status`);
  const injected = status === undefined ? undefined : parsedStatus(status);
  let pod = merged;
  const overridden = new Map<string, ValueMap[]>();
  for (const list of ['containers', 'initContainers'] as const) {
    for (const container of containersOfInjected(template, list)) {
      const name = stringAt(container, 'name');
      const own = containerNamed(listAt(earlier, list).filter(isMap), name) ?? ownContainer(original, list, name);
      if (own === undefined || listAt(injected, list).includes(name)) continue;
      const overlay = copyOf(own);
      if (overlay.get('image') === 'auto') overlay.delete('image');
      overridden.set(list, [...(overridden.get(list) ?? []), overlay]);
      pod = applied(pod, list, overlay);
    }
  }
  if (status === undefined && overridden.size > 0) {
    ensureMap(ensureMap(pod, 'metadata'), 'annotations').set(overridesAnnotation, overridesText(overridden));
  }
  return pod;
}

function parsedStatus(text: string): Value | undefined {
  try {
    return readUnstructured(text);
  } catch {
    return undefined;
  }
}

/** Returns the pod's own container. An injected init container may be an ordinary one in the pod: a native sidecar. */
function ownContainer(pod: ValueMap, list: 'containers' | 'initContainers', name: string): ValueMap | undefined {
  const own = containerNamed(containersOfInjected(pod, 'containers'), name);
  return own ?? (list === 'initContainers' ? containerNamed(containersOfInjected(pod, 'initContainers'), name) : undefined);
}

function applied(pod: ValueMap, list: 'containers' | 'initContainers', container: ValueMap): ValueMap {
  const spec = new Map<string, Value>([
    // Without it Go would write null, which deletes all containers.
    ['containers', []],
    [list, [container]],
  ]);
  try {
    return withOverlay(pod, encodePod(new Map<string, Value>([['spec', spec]])));
  } catch (error) {
    const kind = list === 'containers' ? 'container' : 'init container';
    throw new Error(`failed to apply sidecar ${kind}: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  }
}

function overridesText(overridden: ReadonlyMap<string, readonly ValueMap[]>): string {
  const schema = structNamed(goTypes, 'core/v1.Container');
  return `{${[...overridden].map(([list, containers]) => `"${list}":[${containers.map(container => encodeAs(schema, container)).join(',')}]`).join(',')}}`;
}
