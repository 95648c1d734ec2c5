import { stringAt, type ValueMap, valueAt } from '../go/value.js';

const annotation = 'volume.beta.kubernetes.io/storage-class';

/** Does a claim say anything about its class, even that it wants none? Source: kubernetes pkg/apis/core/helper PersistentVolumeClaimHasClass. */
export function hasStorageClass(claim: ValueMap): boolean {
  return valueAt(claim, 'metadata', 'annotations', annotation) !== undefined || valueAt(claim, 'spec', 'storageClassName') !== undefined;
}

/** The class a claim names, by the old annotation or by its field; empty for none. */
export function storageClassOf(claim: ValueMap): string {
  const annotated = valueAt(claim, 'metadata', 'annotations', annotation);
  return typeof annotated === 'string' ? annotated : stringAt(claim, 'spec', 'storageClassName');
}
