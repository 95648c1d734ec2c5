import { listAt, stringAt, type Value, valueAt } from '../../kubernetes/value.js';
import type { AdmissionPlugin } from '../admission/chain.js';
import { presumePermission } from './presumed-permission.js';

/** Who makes an object depend on others must be allowed to, which is presumed. Source: kubernetes plugin/pkg/admission/gc. */
export const ownerReferencesPermissionEnforcement: AdmissionPlugin = {
  name: 'OwnerReferencesPermissionEnforcement',
  operations: ['CREATE', 'UPDATE'],
  validate: (attributes, { record }) => {
    const owners = listAt(attributes.object?.value, 'metadata', 'ownerReferences');
    const before = listAt(attributes.oldObject?.value, 'metadata', 'ownerReferences');
    if (owners.length === before.length && owners.every((owner, i) => sameOwner(owner, before[i]))) return;
    if (attributes.operation === 'UPDATE') presumePermission(attributes, record, 'delete the object whose ownerReferences change');
    const blocking = new Set(before.filter(isBlocking).map(owner => stringAt(owner, 'uid')));
    for (const owner of owners.filter(o => isBlocking(o) && !blocking.has(stringAt(o, 'uid'))))
      presumePermission(attributes, record, `set finalizers on ${stringAt(owner, 'kind')} ${stringAt(owner, 'name')}`);
  },
};

function isBlocking(owner: Value): boolean {
  return valueAt(owner, 'blockOwnerDeletion') === true;
}

function sameOwner(a: Value, b: Value | undefined): boolean {
  return ['apiVersion', 'kind', 'name', 'uid', 'controller', 'blockOwnerDeletion'].every(key => valueAt(a, key) === valueAt(b, key));
}
