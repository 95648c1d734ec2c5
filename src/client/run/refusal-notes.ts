import { requestInfoOf } from '../../apiserver/call/request-info.js';
import type { Report } from '../../apiserver/report/report.js';
import { readUnstructured } from '../../encoding/unstructured.js';
import { isMap, listAt, stringAt, type ValueMap } from '../../go/value.js';
import type { ApiCall, ClusterState } from '../../kubernetes/api-call.js';
import { kindOf } from '../../kubernetes/storage.js';
import { shellCommand } from '../../writers/shell.js';
import { similarField } from './similar-field.js';

/** Returns what to do about a refusal of the API server whose message does not say it. */
export function refusalNotes({ decision }: Report, call: ApiCall, state: ClusterState): string[] {
  const { source, objects } = state;
  if (decision.code === 404 && source === undefined) return namespaceNotes(decision.status, call.path);
  if (decision.code === 409 && source === undefined) return existingNotes(decision.status, call, objects);
  if (decision.code === 400) return unknownFieldNotes(decision.status, call, state);
  return decision.code === 422 ? emptyValueNotes(decision.status, call) : [];
}

type Status = Report['decision']['status'];

/** Returns a suggestion how to add a missing namespace. */
function namespaceNotes(status: Status, path: string): string[] {
  const name = stringAt(status, 'details', 'name');
  const info = requestInfoOf(path);
  if ((info.type === 'resource' && info.resource === 'namespaces') || stringAt(status, 'details', 'kind') !== 'namespaces' || name === '')
    return [];
  const create = ['kubectl', 'create', 'namespace', name, '--dry-run=client', '-o', 'yaml'];
  return [`--state has no namespace ${name}: add a file with "${shellCommand(create)}", or create it before`];
}

/** Returns what to do about an object of `--state` that a call creates again: often the same file is both. */
function existingNotes(status: Status, { body, contentType }: ApiCall, objects: readonly ValueMap[]): string[] {
  if (stringAt(status, 'reason') !== 'AlreadyExists' || body === undefined || contentType !== 'application/json') return [];
  const created = readUnstructured(Buffer.from(body).toString('utf8'));
  const isSame = (object: ValueMap): boolean =>
    ['apiVersion', 'kind'].every(member => stringAt(object, member) === stringAt(created, member)) &&
    stringAt(object, 'metadata', 'name') === stringAt(created, 'metadata', 'name') &&
    (stringAt(object, 'metadata', 'namespace') || 'default') === (stringAt(created, 'metadata', 'namespace') || 'default');
  return objects.some(isSame) ? ['--state has this object already: leave it out there, or use --operation update'] : [];
}

/** Names the field that an unknown one may be. */
function unknownFieldNotes(status: Status, { body, contentType }: ApiCall, state: ClusterState): string[] {
  const unknown = [...stringAt(status, 'message').matchAll(/\bunknown field "([^"]+)"/g)].map(([, field = '']) => field);
  if (unknown.length === 0 || body === undefined || contentType !== 'application/json') return [];
  const object = readUnstructured(Buffer.from(body).toString('utf8'));
  if (!isMap(object)) return [];
  return unknown.flatMap(field => {
    const similar = similarField(field, kindOf(object), state);
    return similar === undefined ? [] : [`unknown field ${field}: did you mean "${similar}"?`];
  });
}

/** Names fields that are required and in the manifest, but without a value: generated samples have only comments below `spec:`. */
function emptyValueNotes(status: Status, { body, contentType }: ApiCall): string[] {
  if (body === undefined || contentType !== 'application/json') return [];
  const required = listAt(status, 'details', 'causes').filter(cause => stringAt(cause, 'reason') === 'FieldValueRequired');
  if (required.length === 0) return [];
  const object = readUnstructured(Buffer.from(body).toString('utf8'));
  return required
    .map(cause => stringAt(cause, 'field'))
    .filter(field => isMap(object) && object.get(field) === null)
    .map(field => `${field} has no value in the manifest, and the API server drops it: fill it in, or write "${field}: {}"`);
}
