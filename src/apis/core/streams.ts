import { authorizerOf } from '../../apiserver/authorization/authorizer-of.js';
import type { CallContext, VerbAnswer } from '../../apiserver/call/call-context.js';
import type { Connecter } from '../../apiserver/handlers/rest-storage.js';
import type { ValueMap } from '../../go/value.js';
import { addNote } from '../../kubernetes/call-notes.js';
import { forbidden, notFound } from '../../kubernetes/status-errors.js';

/** Stream to an object. */
interface Stream {
  readonly options: Connecter['options'];
  /** Throws the error of an object that cannot be reached. */
  readonly check: (target: ValueMap, name: string, context: CallContext) => void;
}

/** Returns the storage of a stream: its target is looked up only after admission. Source: kubernetes pkg/registry/core/pod/rest. */
export function streamTo({ options, check }: Stream): Connecter {
  return {
    options,
    connect: (context): VerbAnswer => {
      const { resource } = context.endpoint;
      checkMayCreate(context);
      const { name } = context.info;
      const target = context.storage.find(resource.kind, resource.namespaced ? context.info.namespace : '', name);
      if (target === undefined) throw notFound(resource, name);
      check(target, name, context);
      addNote(context.record, 'the stream itself is not reproduced: the request passed admission');
      return { code: 101, body: '' };
    },
  };
}

/**
 * Throws the 403 for a user of a running server who may not create the subresource, whatever the method of the request: WebSockets start with a GET. Source: kubernetes
 * pkg/registry/core/pod/rest/authorize.go ensureAuthorizedForVerb.
 */
function checkMayCreate({ server, call, state, storage, record, user, info, endpoint }: CallContext): void {
  if (state.live === undefined || call.method === 'POST' || !server.isEnabled('AuthorizePodWebsocketUpgradeCreatePermission')) return;
  const { group, resource, subresource, namespace, name } = info;
  const question = { user, verb: 'create', group, resource, subresource, namespace, name, fieldSelector: '', labelSelector: '' };
  const { allowed, reason } = authorizerOf({ state, storage, record }).authorize(question);
  if (!allowed) throw forbidden(endpoint.resource, name, reason);
}
