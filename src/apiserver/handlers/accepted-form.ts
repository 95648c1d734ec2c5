import { apiVersionOf, type GroupVersionKind } from '../../kubernetes/group-version.js';
import { failure, notAcceptable } from '../../kubernetes/status-errors.js';
import { NotReproduced } from '../admission/not-reproduced.js';
import type { CallContext, VerbAnswer } from '../call/call-context.js';
import { matchesRoute } from '../endpoints/accept-header.js';
import { acceptOf, type Encoding, mediaTypes, type Negotiated, negotiate, plainForm } from '../endpoints/negotiation.js';
import { textOfShownObject } from '../storage/shown-object.js';
import { hasTables } from './has-tables.js';
import { listFrame } from './list-body.js';
import { partialObject } from './partial-object.js';

/** CBOR is not written here: only the API server's listener answers in it. */
const offered = [mediaTypes.json, mediaTypes.yaml, mediaTypes.protobuf];

/**
 * Throws a 406 when no route of a built-in resource produces an acceptable type. Routes are chosen before a handler runs, so that its
 * warnings are missing. Source: emicklei/go-restful detectRoute.
 */
export function checkAcceptableForm({ call, endpoint }: CallContext): void {
  const produced = endpoint.verb === 'list' ? [...offered, ...streams] : offered;
  if (endpoint.resource.custom || endpoint.verb === 'connect' || matchesRoute(acceptOf(call), produced)) return;
  const message = `406: Not Acceptable\n\nAvailable representations: ${produced.join(', ')}`;
  throw failure({ code: 406, reason: 'NotAcceptable', message, details: {} });
}

/**
 * Negotiates the form of the answer to a call. Throws a 406 when nothing that is supported here is acceptable; a connection negotiates
 * nothing. Source: apiserver handlers/negotiation.
 */
export function acceptedForm(context: CallContext): Negotiated {
  const { call, endpoint } = context;
  const { custom } = endpoint.resource;
  const encodings: readonly Encoding[] = custom ? ['json', 'yaml'] : ['json', 'yaml', 'protobuf'];
  if (endpoint.verb === 'connect') return negotiate(call, { encodings, transforms: 'none' }) ?? plainForm;
  const form = negotiate(call, { encodings, transforms: hasTables(context.server, endpoint) ? 'all' : 'metadata' });
  if (form === undefined) throw notAcceptable(offered);
  return form;
}

/** Additional types of lists, which can be watched. */
const streams = ['application/json;stream=watch', 'application/vnd.kubernetes.protobuf;stream=watch'];

/**
 * Returns the answer's JSON converted to the kind that the client requested; a Status stays as it is. Throws the 406 where that is not
 * possible. Source: apiserver handlers/response.go.
 */
export async function transformResponseObject(given: VerbAnswer, convert: GroupVersionKind, context: CallContext): Promise<string> {
  if (given.shown === undefined) {
    if (given.body.startsWith('{"kind":"Status"')) return given.body;
    throw new NotReproduced(`this response as a ${convert.kind} is not reproduced`);
  }
  const shown = given.shown();
  const { resource } = context.endpoint;
  if (convert.kind === 'Table') {
    const { definition, effects, query } = context;
    const includeObject = query.get('includeObject')?.[0] ?? '';
    const { tableOf } = await context.server.otherForms();
    return tableOf(shown, {
      server: context.server,
      version: convert.version,
      includeObject,
      resource,
      definition,
      now: effects.now(),
      withColumns: true,
    });
  }
  const goType = resource.custom
    ? '*unstructured.Unstructured'
    : `*${context.server.scheme.internalPackage(resource.kind.group)}.${resource.kind.kind}`;
  if (convert.kind === 'PartialObjectMetadata') {
    if (shown.type === 'list') throw refused(`you requested PartialObjectMetadata, but the requested object is a list (${goType}List)`);
    return textOfShownObject(partialObject(shown.object, convert.version), 'full');
  }
  if (shown.type === 'object') throw refused(`you requested PartialObjectMetadataList, but the requested object is not a list (${goType})`);
  const items = shown.items.map(item => textOfShownObject(partialObject(item, convert.version), 'full')).join(',');
  const { head, tail } = listFrame({ ...shown, custom: false, kind: convert.kind, apiVersion: apiVersionOf(convert) });
  return `${head}${items}${tail}`;
}

function refused(message: string): Error {
  return failure({ code: 406, reason: 'NotAcceptable', message });
}
