import { parsePlain } from '../../encoding/plain-json.js';
import { wellFormed } from '../../go/utf8.js';
import { isList, isMap, isRawJson, listAt, mapAt, stringAt, type Value, type ValueMap, valueAt } from '../../go/value.js';
import type { AdmissionRequest, UserInfo } from '../api/types.js';

/** The request of a review as handlers get it. Objects are parsed when a handler first looks at them. */
export function requestOf(request: ValueMap): AdmissionRequest {
  const raw = { object: rawAt(request, 'object'), oldObject: rawAt(request, 'oldObject'), options: rawAt(request, 'options') };
  const dryRun = request.get('dryRun');
  const requestKind = mapAt(request, 'requestKind');
  const requestResource = mapAt(request, 'requestResource');
  const made = {
    uid: stringAt(request, 'uid'),
    kind: kindAt(request.get('kind')),
    resource: resourceAt(request.get('resource')),
    subResource: stringAt(request, 'subResource'),
    ...(requestKind === undefined ? {} : { requestKind: kindAt(requestKind) }),
    ...(requestResource === undefined ? {} : { requestResource: resourceAt(requestResource) }),
    requestSubResource: stringAt(request, 'requestSubResource'),
    name: stringAt(request, 'name'),
    namespace: stringAt(request, 'namespace'),
    operation: stringAt(request, 'operation'),
    ...(typeof dryRun === 'boolean' ? { dryRun } : {}),
    userInfo: userInfoAt(request),
    raw,
  };
  for (const member of ['object', 'oldObject', 'options'] as const) parseWhenRead(made, member, raw[member]);
  return made as AdmissionRequest;
}

/** Defines a member that holds what a text parses to; an ordinary member once it was read or set. */
function parseWhenRead(request: object, member: string, text: string): void {
  const become = (value: unknown): unknown => {
    Object.defineProperty(request, member, { value, enumerable: true, configurable: true, writable: true });
    return value;
  };
  Object.defineProperty(request, member, {
    enumerable: true,
    configurable: true,
    get: () => become(text === '' ? undefined : (parsePlain(text) ?? undefined)),
    set: become,
  });
}

function rawAt(request: ValueMap, member: string): string {
  const value = request.get(member);
  return isRawJson(value) ? wellFormed(value.sent ?? value.rawJson) : '';
}

function kindAt(value: Value | undefined) {
  return { group: stringAt(value, 'group'), version: stringAt(value, 'version'), kind: stringAt(value, 'kind') };
}

function resourceAt(value: Value | undefined) {
  return { group: stringAt(value, 'group'), version: stringAt(value, 'version'), resource: stringAt(value, 'resource') };
}

function userInfoAt(request: ValueMap): UserInfo {
  const user = request.get('userInfo');
  const extra = valueAt(user, 'extra');
  return {
    username: stringAt(user, 'username'),
    uid: stringAt(user, 'uid'),
    groups: textsOf(listAt(user, 'groups')),
    extra: isMap(extra) ? Object.fromEntries([...extra].map(([key, values]) => [key, textsOf(isList(values) ? values : [])])) : {},
  };
}

function textsOf(values: readonly Value[]): string[] {
  return values.map(value => (typeof value === 'string' ? value : ''));
}
