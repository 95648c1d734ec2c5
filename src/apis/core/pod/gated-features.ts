import type { GatedFeature } from '../../../apiserver/registry/kind-definition.js';
import { isMap, listAt, stringAt, type ValueMap } from '../../../go/value.js';

/** Restart rules of containers: for sidecars, only the policy is kept. Source: kubernetes pkg/api/pod/util.go dropContainerRestartRules. */
export const restartRules: GatedFeature = {
  isInUse: spec =>
    mapsIn(spec, 'containers').some(container => container.has('restartPolicy')) ||
    mapsIn(spec, 'initContainers').some(container => hasOtherPolicy(container) || listAt(container, 'restartPolicyRules').length > 0),
  drop: spec => {
    for (const list of ['containers', 'ephemeralContainers'])
      for (const container of mapsIn(spec, list)) for (const name of ['restartPolicy', 'restartPolicyRules']) container.delete(name);
    for (const container of mapsIn(spec, 'initContainers')) {
      if (hasOtherPolicy(container)) container.delete('restartPolicy');
      container.delete('restartPolicyRules');
    }
  },
};

function hasOtherPolicy(container: ValueMap): boolean {
  return container.has('restartPolicy') && stringAt(container, 'restartPolicy') !== 'Always';
}

/** Image volumes are removed from the pod together with their mounts. Source: kubernetes pkg/api/pod/util.go dropImageVolumes. */
export const imageVolumes: GatedFeature = {
  isInUse: spec => mapsIn(spec, 'volumes').some(volume => volume.has('image')),
  drop: spec => {
    const names = new Set(
      mapsIn(spec, 'volumes')
        .filter(volume => volume.has('image'))
        .map(volume => stringAt(volume, 'name')),
    );
    keepItems(spec, 'volumes', volume => !volume.has('image'));
    for (const list of ['containers', 'initContainers', 'ephemeralContainers'])
      for (const container of mapsIn(spec, list)) keepItems(container, 'volumeMounts', mount => !names.has(stringAt(mount, 'name')));
  },
};

/** A list without items is removed. */
function keepItems(holder: ValueMap, name: string, isKept: (item: ValueMap) => boolean): void {
  const kept = mapsIn(holder, name).filter(isKept);
  if (kept.length > 0) holder.set(name, kept);
  else holder.delete(name);
}

function mapsIn(holder: ValueMap, name: string): ValueMap[] {
  return listAt(holder, name).filter(isMap);
}
