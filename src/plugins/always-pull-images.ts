import type { Attributes } from '../apiserver/admission/attributes.js';
import type { AdmissionPlugin } from '../apiserver/admission/chain.js';
import { admissionRefusal, aggregate } from '../apiserver/admission/name-in-refusal.js';
import { isMap, listAt, mapAt, stringAt, type ValueMap } from '../go/value.js';
import { notSupported, printFieldError } from '../kubernetes/field-error.js';
import { PlainError } from '../kubernetes/status.js';
import { mainObject } from './objects/main-object.js';

const containerLists = ['initContainers', 'containers', 'ephemeralContainers'];

/**
 * AlwaysPullImages: sets the pull policy of all images to Always, so that the pod's credentials are checked. Source: kubernetes
 * plugin/pkg/admission/alwayspullimages.
 */
export const alwaysPullImages: AdmissionPlugin = {
  name: 'AlwaysPullImages',
  operations: ['CREATE', 'UPDATE'],
  admit: attributes => {
    const pod = podWithNewImages(attributes);
    if (pod === undefined) return;
    for (const { container } of containersOf(pod)) container.set('imagePullPolicy', 'Always');
    for (const volume of listAt(pod, 'spec', 'volumes')) mapAt(volume, 'image')?.set('pullPolicy', 'Always');
  },
  validate: attributes => {
    const pod = podWithNewImages(attributes);
    if (pod === undefined) return;
    const wrong = containersOf(pod).map(({ container, path }) => ({
      path: `${path}.imagePullPolicy`,
      policy: stringAt(container, 'imagePullPolicy'),
    }));
    for (const [i, volume] of listAt(pod, 'spec', 'volumes').entries()) {
      const image = mapAt(volume, 'image');
      if (image !== undefined) wrong.push({ path: `spec.volumes[${i}].image.pullPolicy`, policy: stringAt(image, 'pullPolicy') });
    }
    const errors = wrong
      .filter(({ policy }) => policy !== 'Always')
      .map(({ path, policy }) => admissionRefusal(attributes, printFieldError(notSupported(path, policy, ['Always']))).message);
    // Several errors are not a refusal: the client gets a plain error.
    if (errors.length > 0) throw new PlainError(aggregate(errors));
  },
};

/** Returns the pod, unless an update has no new image. */
function podWithNewImages(attributes: Attributes): ValueMap | undefined {
  const pod = mainObject(attributes, 'pods.');
  if (pod === undefined || attributes.operation !== 'UPDATE') return pod;
  const before = new Set(imagesOf(attributes.oldObject?.value ?? new Map()));
  return imagesOf(pod).every(image => before.has(image)) ? undefined : pod;
}

function imagesOf(pod: ValueMap): string[] {
  return containersOf(pod).map(({ container }) => stringAt(container, 'image'));
}

function containersOf(pod: ValueMap): { container: ValueMap; path: string }[] {
  return containerLists.flatMap(list =>
    listAt(pod, 'spec', list).flatMap((container, i) => (isMap(container) ? [{ container, path: `spec.${list}[${i}]` }] : [])),
  );
}
