import type { Value } from '../../go/value.js';
import { apiVersionOf } from '../../kubernetes/group-version.js';
import { badRequest } from '../../kubernetes/status-errors.js';
import type { Attributes } from '../admission/attributes.js';
import { NotReproduced } from '../admission/not-reproduced.js';
import type { CallContext, VerbAnswer } from '../call/call-context.js';
import type { ApiObject } from '../objects/api-object.js';
import { type Connecter, restStorageOf } from './rest-storage.js';

/** Handles a request for a stream (exec, attach, port-forward, proxy). Source: apiserver handlers/rest.go ConnectResource. */
export async function connect(context: CallContext): Promise<VerbAnswer> {
  const { server, endpoint, info, query } = context;
  const connecter = restStorageOf(server, endpoint.resource, info.subresource)?.connecter;
  if (connecter === undefined)
    throw new NotReproduced(`a connection to ${endpoint.resource.resource}/${info.subresource} is not reproduced`);
  if (query.has('dryRun')) throw badRequest('dryRun is not supported');
  const attributes = connectAttributes(optionsOf(connecter, context), context);
  await context.chain.admit(attributes);
  await context.chain.validate(attributes);
  return connecter.connect(context);
}

function optionsOf(connecter: Connecter, context: CallContext): ApiObject {
  const { codec } = context;
  const kind: [string, Value][] = [
    ['kind', codec.kind.kind],
    ['apiVersion', apiVersionOf(codec.kind)],
  ];
  return { codec, value: new Map([...kind, ...connecter.options(context)]) };
}

function connectAttributes(object: ApiObject, { endpoint, info, codec, user }: CallContext): Attributes {
  const { group, version, resource } = endpoint.resource;
  return {
    operation: 'CONNECT',
    kind: codec.kind,
    resource: { group, version, resource },
    subresource: info.subresource,
    name: info.name,
    namespace: info.namespace,
    object,
    oldObject: undefined,
    options: undefined,
    dryRun: false,
    user,
  };
}
