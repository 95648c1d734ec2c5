import type { Authorizer } from '../../cel/library/authorizer.js';
import { addNote } from '../../kubernetes/call-notes.js';
import type { AdmissionContext } from '../admission/chain.js';
import { rbacAuthorizer, rbacGroup } from './rbac.js';

const kinds = ['Role', 'RoleBinding', 'ClusterRole', 'ClusterRoleBinding'];

/**
 * Who answers the questions of expressions: the roles of the state, when there are any or a flag asks for them. Otherwise everything is
 * allowed, with a note.
 */
export function authorizerOf({ state, storage, record }: Pick<AdmissionContext, 'state' | 'storage' | 'record'>): Authorizer {
  const hasRoles = kinds.some(kind => storage.list({ group: rbacGroup, kind }).length > 0);
  if (hasRoles || asksForRoles(state.flags)) return rbacAuthorizer(storage);
  return {
    authorize: () => {
      addNote(record, 'authorizer: everything is allowed, the state holds no roles and bindings');
      return { allowed: true, reason: '', error: undefined };
    },
  };
}

function asksForRoles(flags: readonly string[]): boolean {
  const modes = flags.filter(flag => flag.startsWith('--authorization-mode='));
  return modes.some(flag =>
    flag
      .slice(flag.indexOf('=') + 1)
      .split(',')
      .includes('RBAC'),
  );
}
