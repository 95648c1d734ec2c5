import { readUnstructured } from '../../encoding/unstructured.js';
import { writeValue } from '../../go/json/write.js';
import { isList, isMap, type Value, type ValueMap } from '../../go/value.js';
import { apiVersionOf } from '../../kubernetes/group-version.js';
import { failure, notAcceptable } from '../../kubernetes/status-errors.js';
import { NotReproduced } from '../admission/not-reproduced.js';
import { matchesRoute } from '../endpoints/accept-header.js';
import { acceptOf, type Encoding, mediaTypes, type Negotiated, negotiate } from '../endpoints/negotiation.js';
import type { CallContext } from './call-context.js';

const offered = Object.values(mediaTypes);

/**
 * Negotiates the form of the answer to a call. Throws a 406 when nothing that is supported here is acceptable. Source: emicklei/go-restful,
 * which routes built-in resources; apiserver handlers/negotiation.
 */
export function acceptedForm({ call, endpoint }: CallContext): Negotiated {
  const { custom } = endpoint.resource;
  const produced = endpoint.verb === 'list' ? [...offered, ...streams] : offered;
  if (!custom && endpoint.verb !== 'connect' && !matchesRoute(acceptOf(call), produced)) {
    const message = `406: Not Acceptable\n\nAvailable representations: ${produced.join(', ')}`;
    throw failure({ code: 406, reason: 'NotAcceptable', message, details: {} });
  }
  const encodings: readonly Encoding[] = custom ? ['json', 'yaml'] : ['json', 'yaml', 'protobuf'];
  const form = negotiate(call, { encodings, transforms: endpoint.verb !== 'connect' });
  if (form === undefined) throw notAcceptable(offered);
  return form;
}

/** Additional types of lists, which can be watched. */
const streams = ['application/json;stream=watch', 'application/vnd.kubernetes.protobuf;stream=watch'];

/**
 * Returns the document converted to the kind that the client requested. Throws a 406 where that is not possible. Source: apiserver
 * handlers/response.go.
 */
export function transformed(body: string, { convert }: Negotiated, { endpoint }: CallContext): string {
  if (convert === undefined) return body;
  const object = readUnstructured(body);
  if (!isMap(object) || object.get('kind') === 'Status') return body;
  const items = object.get('items');
  const isAList = isList(items) && String(object.get('kind')).endsWith('List');
  const { kind } = endpoint.resource;
  const goType = endpoint.resource.custom ? '*unstructured.Unstructured' : `*${packageOf(kind.group)}.${kind.kind}`;
  if (convert.kind === 'Table') throw new NotReproduced('responses as a Table are not reproduced');
  const apiVersion = apiVersionOf(convert);
  if (convert.kind === 'PartialObjectMetadata') {
    const listType = `${goType}List`;
    if (isAList) throw refused(`you requested PartialObjectMetadata, but the requested object is a list (${listType})`);
    return writeValue(partial(object, apiVersion), 'kept');
  }
  if (!isAList) throw refused(`you requested PartialObjectMetadataList, but the requested object is not a list (${goType})`);
  const list = new Map<string, Value>([
    ['kind', 'PartialObjectMetadataList'],
    ['apiVersion', apiVersion],
    ['metadata', object.get('metadata') ?? new Map()],
    ['items', items.map(item => (isMap(item) ? partial(item, apiVersion) : item))],
  ]);
  return writeValue(list, 'kept');
}

function partial(object: ValueMap, apiVersion: string): ValueMap {
  return new Map<string, Value>([
    ['kind', 'PartialObjectMetadata'],
    ['apiVersion', apiVersion],
    ['metadata', object.get('metadata') ?? new Map()],
  ]);
}

function refused(message: string): Error {
  return failure({ code: 406, reason: 'NotAcceptable', message });
}

/** Returns the Go package of a group's internal types. */
function packageOf(group: string): string {
  return group === '' || group === 'events.k8s.io' ? 'core' : (group.split('.', 1)[0] ?? group);
}
