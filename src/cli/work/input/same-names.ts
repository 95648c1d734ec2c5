import { printLocation } from '../../../client/cli-error.js';
import type { LocatedManifest } from '../../../client/manifests/manifests.js';
import { sameValue, stringAt } from '../../../go/value.js';

const comparedKinds = ['CustomResourceDefinition', 'MutatingWebhookConfiguration', 'ValidatingWebhookConfiguration'];

/**
 * Returns a sentence for each webhook configuration and definition that has the name of another one before it: a cluster has one, and its
 * webhooks alone are called. controller-gen gives all configurations the same names, and kustomizations change them.
 */
export function sameNameNotes(manifests: readonly LocatedManifest[]): string[] {
  const first = new Map<string, LocatedManifest>();
  return manifests.flatMap(manifest => {
    const { object, location } = manifest;
    const kind = stringAt(object, 'kind');
    if (!comparedKinds.includes(kind)) return [];
    const name = `${kind} ${stringAt(object, 'metadata', 'name')}`;
    const used = first.get(name);
    if (used === undefined) first.set(name, manifest);
    if (used === undefined || sameValue(used.object, object)) return [];
    return [`${printLocation(location)}: the ${name} is not used: another one of that name is at ${printLocation(used.location)}`];
  });
}
