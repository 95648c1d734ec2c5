import { readUnstructured } from '../../encoding/unstructured.js';
import { readManifests } from '../../encoding/yaml-stream.js';
import { isMap, listAt, mapAt, stringAt, type Value, type ValueMap } from '../../go/value.js';
import type { ApiCall, RequestedUser } from '../../kubernetes/api-call.js';
import { CliError, type Location } from '../cli-error.js';
import type { InputFile } from '../manifests/manifests.js';

/** Parses the exact HTTP calls of a `--call` file, one per document: `{method, path, headers, contentType, body | bodyBase64, userAgent, user}`. */
export function rawCalls({ source: file, bytes }: InputFile): ApiCall[] {
  const { documents, error } = readManifests(bytes);
  if (error !== undefined)
    throw new CliError('invalid-syntax', error.message.replaceAll('\n', ' '), {
      location: { file, ...error.position },
    });
  if (documents.length === 0) throw new CliError('no-objects', `no calls found in ${file}`);
  return documents.map(({ json, line }) => rawCall(readUnstructured(json), { file, line }));
}

const members = new Set(['method', 'path', 'headers', 'contentType', 'body', 'bodyBase64', 'userAgent', 'user']);

function rawCall(document: Value, location: Location): ApiCall {
  if (!isMap(document)) throw new CliError('invalid-manifest', 'invalid call: expected an object with method and path', { location });
  const unknown = [...document.keys()].find(key => !members.has(key));
  if (unknown !== undefined)
    throw new CliError('invalid-manifest', `unknown member of a call: ${JSON.stringify(unknown)}`, {
      location,
      suggestions: [`use ${[...members].join(', ')}`],
    });
  const method = stringAt(document, 'method');
  const path = stringAt(document, 'path');
  if (method === '' || !path.startsWith('/'))
    throw new CliError('invalid-manifest', 'invalid call: expected a method and a path that begins with a slash', { location });
  return {
    method,
    path,
    contentType: textAt(document, 'contentType'),
    userAgent: textAt(document, 'userAgent'),
    headers: Object.fromEntries([...(mapAt(document, 'headers') ?? [])].map(([name, value]) => [name, String(value)])),
    body: bodyOf(document),
    user: requestedUser(mapAt(document, 'user')),
  };
}

function textAt(document: ValueMap, key: string): string | undefined {
  const value = document.get(key);
  return typeof value === 'string' ? value : undefined;
}

function bodyOf(document: ValueMap): Uint8Array | undefined {
  const body = textAt(document, 'body');
  if (body !== undefined) return Buffer.from(body);
  const base64 = textAt(document, 'bodyBase64');
  return base64 === undefined ? undefined : Buffer.from(base64, 'base64');
}

/** Returns the user of a call's document, or of an event of the audit log. */
export function requestedUser(user: ValueMap | undefined): RequestedUser | undefined {
  if (user === undefined) return undefined;
  const extra = mapAt(user, 'extra');
  return {
    username: stringAt(user, 'username'),
    uid: textAt(user, 'uid'),
    groups: user.has('groups') ? listAt(user, 'groups').map(String) : undefined,
    extra: extra === undefined ? undefined : Object.fromEntries([...extra.keys()].map(key => [key, listAt(extra, key).map(String)])),
  };
}
