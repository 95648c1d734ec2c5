import { authorizerOf } from '../../apiserver/authorization/authorizer-of.js';
import type { CallContext, VerbAnswer } from '../../apiserver/call/call-context.js';
import type { Connecter } from '../../apiserver/handlers/rest-storage.js';
import { listAt, type ValueMap } from '../../go/value.js';
import { addNote } from '../../kubernetes/call-notes.js';
import { forbidden, notFound, unknownError } from '../../kubernetes/status-errors.js';

/** Stream to an object. */
interface Stream {
  readonly options: Connecter['options'];
  /** Returns the name of the object in the path's segment: `PORT` and `SCHEME:` may surround it. */
  readonly nameIn: (segment: string) => string;
  /** Throws the error of an object that cannot be reached. */
  readonly check: (target: ValueMap, name: string, context: CallContext) => void;
  readonly code: 101 | 200;
}

/** Returns the storage of a stream: its target is looked up only after admission. Source: kubernetes pkg/registry/core/pod/rest, service/proxy, node/rest. */
export function streamTo({ options, nameIn, check, code }: Stream): Connecter {
  return {
    options,
    connect: (context): VerbAnswer => {
      const { resource } = context.endpoint;
      if (code === 101) checkMayCreate(context);
      const name = nameIn(context.info.name);
      const target = context.storage.find(resource.kind, resource.namespaced ? context.info.namespace : '', name);
      if (target === undefined) throw notFound(resource, name);
      check(target, name, context);
      addNote(context.record, 'the stream itself is not reproduced: the request passed admission');
      return { code, body: '' };
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

/** Returns the options of a proxy: only the path after it. */
export function proxyOptions({ info }: CallContext): ValueMap {
  return new Map(info.rest === '' ? [] : [['path', info.rest]]);
}

/** Returns the name in `SCHEME:NAME:PORT` or `NAME:PORT`. Source: apimachinery util/net SplitSchemeNamePort. */
export function schemeNamePort(segment: string): string {
  const parts = segment.split(':');
  return (parts.length === 3 ? parts[1] : parts[0]) ?? segment;
}

/** Throws the error of a node without addresses. Source: kubernetes pkg/util/node GetPreferredNodeAddress. */
export function checkAddresses(node: ValueMap): void {
  if (listAt(node, 'status', 'addresses').length === 0) throw unknownError('no preferred addresses found; known addresses: []');
}
