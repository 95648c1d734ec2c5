import { kindName } from '../store/store.js';

/** Kinds that clients write at any time, independently of reviews: leases and events. */
const housekeepingKinds = new Set([kindName({ group: 'coordination.k8s.io', kind: 'Lease' }), kindName({ group: '', kind: 'Event' })]);

/** Reports whether changes of this kind, `group/Kind`, are housekeeping of clients. */
export function isHousekeeping(kind: string): boolean {
  return housekeepingKinds.has(kind);
}
