import { stringAt, type ValueMap, valueAt } from '../../go/value.js';

const annotation = 'volume.beta.kubernetes.io/storage-class';

/**
 * Reports whether a claim specifies its class, even an empty one. Source: kubernetes pkg/apis/core/helper PersistentVolumeClaimHasClass.
 */
export function hasStorageClass(claim: ValueMap): boolean {
  return valueAt(claim, 'metadata', 'annotations', annotation) !== undefined || valueAt(claim, 'spec', 'storageClassName') !== undefined;
}

/** Returns the class of a claim, by the old annotation or by its field; empty for none. */
export function storageClassOf(claim: ValueMap): string {
  const annotated = valueAt(claim, 'metadata', 'annotations', annotation);
  return typeof annotated === 'string' ? annotated : stringAt(claim, 'spec', 'storageClassName');
}
