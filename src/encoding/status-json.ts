import { goString } from '../go/json/write.js';
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

/** Go's omitempty: nothing for an empty string and for zero. */
function member(name: string, value: string | number | undefined): string {
  if (value === undefined || value === '' || value === 0) return '';
  return `"${name}":${typeof value === 'string' ? goString(value) : String(value)}`;
}
