import type { Attributes } from '../../apiserver/admission/attributes.js';
import type { ValueMap } from '../../go/value.js';

/** Reports whether the request is for this resource, given as its plural and group: `pods.`, `ingresses.networking.k8s.io`. */
export function concernsMainObject({ resource }: Attributes, wanted: string): boolean {
  return `${resource.resource}.${resource.group}` === wanted;
}

/** Returns the object of a request for a resource itself; undefined for other resources, for subresources and without an object. */
export function mainObject(attributes: Attributes, wanted: string): ValueMap | undefined {
  return attributes.subresource === '' && concernsMainObject(attributes, wanted) ? attributes.object?.value : undefined;
}
