import { readUnstructured } from '../../encoding/unstructured.js';
import { writeValue } from '../../go/json/write.js';
import { isMap, type Value } from '../../go/value.js';
import type { ApiCall } from '../../kubernetes/api-call.js';
import { failure } from '../../kubernetes/status-errors.js';

/** In which form the client wants its answer. */
export type AcceptedForm = 'object' | 'partial';

const offered = ['application/json', 'application/yaml', 'application/vnd.kubernetes.protobuf'];

/** Reads the Accept header. Throws the 406 when nothing it names can be written. Source: apiserver handlers/negotiation. */
export function acceptedForm(call: ApiCall): AcceptedForm {
  const header = Object.entries(call.headers ?? {}).find(([name]) => name.toLowerCase() === 'accept')?.[1] ?? '';
  if (header.trim() === '') return 'object';
  for (const clause of header.split(',')) {
    const [type = '', ...parameters] = clause.split(';').map(part => part.trim());
    const known = type === '*/*' || type === 'application/*' || offered.includes(type);
    if (!known) continue;
    const as = parameters.find(p => p.startsWith('as='))?.slice(3);
    if (as === 'PartialObjectMetadata') return 'partial';
    if (as === undefined) return 'object';
  }
  const message = `406: Not Acceptable\n\nAvailable representations: ${offered.join(', ')}`;
  throw failure({ code: 406, reason: 'NotAcceptable', message, details: {} });
}

/** The answer's object with nothing but its metadata. */
export function partialMetadata(body: string): string {
  const object = readUnstructured(body);
  if (!isMap(object) || object.get('kind') === 'Status') return body;
  const partial = new Map<string, Value>([
    ['kind', 'PartialObjectMetadata'],
    ['apiVersion', 'meta.k8s.io/v1'],
  ]);
  const metadata = object.get('metadata');
  if (metadata !== undefined) partial.set('metadata', metadata);
  return writeValue(partial, 'kept');
}
