import { goString } from '../go/json/write.js';
import { wellFormed } from '../go/utf8.js';
import type { Value, ValueMap } from '../go/value.js';
import type { Status, StatusCause, StatusDetails } from '../kubernetes/status.js';

/**
 * Writes a Status as the API server does, in Go's order and without empty members; without the newline that Go's encoder appends. Source:
 * apimachinery meta/v1 Status.
 */
export function writeStatus(status: Status): string {
  const { metadata } = status;
  return object([
    member('kind', 'Status'),
    member('apiVersion', 'v1'),
    `"metadata":${object([
      member('selfLink', metadata?.selfLink),
      member('resourceVersion', metadata?.resourceVersion),
      member('continue', metadata?.continue),
      // A pointer in Go: zero is written, too.
      metadata?.remainingItemCount === undefined ? '' : `"remainingItemCount":${metadata.remainingItemCount}`,
      metadata?.shardInfo === undefined ? '' : `"shardInfo":{"selector":${goString(metadata.shardInfo.selector)}}`,
    ])}`,
    member('status', status.status),
    member('message', status.message),
    member('reason', status.reason),
    status.details === undefined ? '' : `"details":${writeDetails(status.details)}`,
    member('code', status.code),
  ]);
}

/** Returns the value of a Status, as it is read from that text. */
export function statusValue({ metadata, status, message, reason, details, code }: Status): ValueMap {
  const lists = metadata ?? {};
  const inner = members([
    ['selfLink', lists.selfLink],
    ['resourceVersion', lists.resourceVersion],
    ['continue', lists.continue],
  ]);
  if (lists.remainingItemCount !== undefined) inner.set('remainingItemCount', lists.remainingItemCount);
  if (lists.shardInfo !== undefined) inner.set('shardInfo', new Map([['selector', wellFormed(lists.shardInfo.selector)]]));
  return members([
    ['kind', 'Status'],
    ['apiVersion', 'v1'],
    ['metadata', inner],
    ['status', status],
    ['message', message],
    ['reason', reason],
    ['details', details === undefined ? undefined : detailsValue(details)],
    ['code', code],
  ]);
}

function writeDetails(details: StatusDetails): string {
  const { causes = [] } = details;
  return object([
    member('name', details.name),
    member('group', details.group),
    member('kind', details.kind),
    member('uid', details.uid),
    causes.length === 0 ? '' : `"causes":[${causes.map(writeCause).join(',')}]`,
    member('retryAfterSeconds', details.retryAfterSeconds),
  ]);
}

function writeCause(cause: StatusCause): string {
  return object([member('reason', cause.reason), member('message', cause.message), member('field', cause.field)]);
}

function object(members: readonly string[]): string {
  return `{${members.filter(m => m !== '').join(',')}}`;
}

function detailsValue({ causes = [], ...details }: StatusDetails): ValueMap {
  return members([
    ['name', details.name],
    ['group', details.group],
    ['kind', details.kind],
    ['uid', details.uid],
    ['causes', causes.length === 0 ? undefined : causes.map(causeValue)],
    ['retryAfterSeconds', details.retryAfterSeconds],
  ]);
}

function causeValue({ reason, message, field }: StatusCause): ValueMap {
  return members([
    ['reason', reason],
    ['message', message],
    ['field', field],
  ]);
}

/** Returns a map of the members that are not empty. */
function members(all: readonly (readonly [string, Value | undefined])[]): ValueMap {
  const map: ValueMap = new Map();
  for (const [name, value] of all) {
    if (value === undefined || value === '' || value === 0) continue;
    map.set(name, typeof value === 'string' ? wellFormed(value) : typeof value === 'number' ? BigInt(value) : value);
  }
  return map;
}

/** Go's omitempty: nothing for an empty string and for zero. */
function member(name: string, value: string | number | undefined): string {
  if (value === undefined || value === '' || value === 0) return '';
  return `"${name}":${typeof value === 'string' ? goString(value) : String(value)}`;
}
