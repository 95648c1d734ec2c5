import { kindName } from '../store/collection-names.js';

/** Kinds that clients write at any time, independently of reviews: leases and events. */
const housekeepingKinds = new Set([kindName({ group: 'coordination.k8s.io', kind: 'Lease' }), kindName({ group: '', kind: 'Event' })]);

/** Reports whether changes of this collection are housekeeping of clients. */
export function isHousekeeping(collection: string): boolean {
  return housekeepingKinds.has(collection);
}
