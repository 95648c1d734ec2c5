import type { Authorizer } from '../../cel/library/authorizer.js';
import type { ClusterState } from '../../kubernetes/api-call.js';
import { addNote, type CallNotes } from '../../kubernetes/call-notes.js';
import { serverOptions } from '../../kubernetes/server-options.js';
import type { Storage } from '../../kubernetes/storage.js';
import { authorizerByModes } from './by-modes.js';
import { rbacAuthorizer, rbacGroup } from './rbac.js';

/** Sources of the authorization decisions, and the recorder of notes. */
export interface AuthorizerParts {
  readonly state: ClusterState;
  readonly storage: Storage;
  readonly record: Pick<CallNotes, 'notes'>;
}

const kinds = ['Role', 'RoleBinding', 'ClusterRole', 'ClusterRoleBinding'];

/**
 * Returns the authorizer for expressions: that of `--authorization-mode`, or the roles of the state when there are any or a cluster has them. Otherwise
 * everything is allowed, with a note.
 */
export function authorizerOf({ state, storage, record }: AuthorizerParts): Authorizer {
  const modes = serverOptions(state.flags).authorizationModes;
  if (modes.size > 0) return authorizerByModes(modes, storage);
  if (state.source !== undefined) return rbacAuthorizer(storage);
  const hasRoles = kinds.some(kind => storage.list({ group: rbacGroup, kind }).length > 0);
  if (hasRoles) return rbacAuthorizer(storage);
  return {
    authorize: () => {
      addNote(record, 'authorizer: all requests are allowed, because the state has no roles and bindings');
      return { allowed: true, reason: '', error: undefined };
    },
  };
}
