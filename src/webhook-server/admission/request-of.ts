import { parsePlain } from '../../encoding/plain-json.js';
import { wellFormed } from '../../go/utf8.js';
import { isList, isMap, isRawJson, listAt, mapAt, stringAt, type Value, type ValueMap, valueAt } from '../../go/value.js';
import type { AdmissionRequest, UserInfo } from '../api/types.js';

/** Returns the request of a review for handlers. Objects are parsed lazily. */
export function requestOf(request: ValueMap): AdmissionRequest {
  const raw = { object: rawAt(request, 'object'), oldObject: rawAt(request, 'oldObject'), options: rawAt(request, 'options') };
  const dryRun = request.get('dryRun');
  const requestKind = mapAt(request, 'requestKind');
  const requestResource = mapAt(request, 'requestResource');
  const given = {
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
  const parts: Parts = {
    object: new ParsedWhenRead(raw.object),
    oldObject: new ParsedWhenRead(raw.oldObject),
    options: new ParsedWhenRead(raw.options),
  };
  Object.defineProperty(given, parsedReview, { value: parts });
  return Object.defineProperties(given, parsedMembers) as typeof given & Pick<AdmissionRequest, keyof Parts>;
}

type Parts = Readonly<Record<'object' | 'oldObject' | 'options', ParsedWhenRead>>;

const parsedReview = Symbol('parsed');

/** The same in all requests: V8 would keep each request with accessors of its own until the next full collection. */
const parsedMembers = { object: parsedMember('object'), oldObject: parsedMember('oldObject'), options: parsedMember('options') };

function parsedMember(name: keyof Parts): PropertyDescriptor & ThisType<{ readonly [parsedReview]: Parts }> {
  return {
    enumerable: true,
    configurable: true,
    get() {
      return this[parsedReview][name].value;
    },
    set(value: unknown) {
      this[parsedReview][name].value = value;
    },
  };
}

/** Value that is parsed when it is first read, unless it was set before. */
class ParsedWhenRead {
  private parsed: unknown;

  constructor(private text: string) {}

  get value(): unknown {
    if (this.text !== '') this.value = parsePlain(this.text) ?? undefined;
    return this.parsed;
  }

  set value(value: unknown) {
    this.text = '';
    this.parsed = value;
  }
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
