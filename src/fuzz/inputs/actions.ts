import { ownMember } from '../../go/own-members.js';
import type { Resource } from '../../kubernetes/resource-table.js';
import type { Action } from './input.js';

/** Operations on objects by the verbs of the API server. */
const operations = [
  { verb: 'create', operation: 'create' },
  { verb: 'update', operation: 'update' },
  { verb: 'patch', operation: 'patch' },
  { verb: 'patch', operation: 'apply' },
  { verb: 'delete', operation: 'delete' },
  { verb: 'deletecollection', operation: 'deletecollection' },
] as const;

/** Requests for subresources that clients make, and that reach webhooks. */
const subresources: Readonly<Record<string, readonly Action['operation'][]>> = {
  status: ['update', 'patch'],
  scale: ['patch', 'update'],
  ephemeralcontainers: ['patch'],
  resize: ['update'],
  eviction: ['create'],
  binding: ['create'],
  token: ['create'],
  approval: ['update'],
  finalize: ['update'],
  exec: ['connect'],
  attach: ['connect'],
  portforward: ['connect'],
};

/** Returns the requests that change or connect to objects of a resource. */
export function actionsOf({ verbs, subresources: served }: Resource): Action[] {
  const own = operations.filter(({ verb }) => verbs.includes(verb)).map(({ operation }) => ({ operation, subresource: undefined }));
  return [
    ...own,
    ...served.flatMap(({ name }) => (ownMember(subresources, name) ?? []).map(operation => ({ operation, subresource: name }))),
  ];
}
