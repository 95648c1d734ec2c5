import { PlainError } from '../../kubernetes/status.js';

/** Max request size of etcd by default, which its client also enforces. */
const mostEtcdTakes = 1.5 * 1024 * 1024;
const mostClientSends = 2 * 1024 * 1024;

/** An object is larger than etcd or its client accepts. */
export class TooLargeError extends PlainError {}

/** Sizes of a key of etcd and its value, in bytes. */
export interface EntrySize {
  readonly key: number;
  readonly value: number;
}

/**
 * Throws TooLargeError for an entry that is larger than etcd accepts. Counts the whole transaction byte for byte. `revision` is that of the
 * replaced entry; undefined for a new one. Source: apiserver storage/etcd3/store.go Create, GuaranteedUpdate, etcd
 * server/etcdserver/v3_server.go, client/v3 options.go.
 */
export function checkTransactionSize({ key, value }: EntrySize, revision?: bigint): void {
  const transaction = revision === undefined ? creationSize(key, value) : replacementSize(key, value, revision);
  if (transaction > mostClientSends) {
    const desc = `trying to send message larger than max (${transaction} vs. ${mostClientSends})`;
    throw new TooLargeError(`rpc error: code = ResourceExhausted desc = ${desc}`);
  }
  if (field(transaction) + proposalHeader > mostEtcdTakes) throw new TooLargeError('etcdserver: request is too large');
}

/** Returns the size of a TxnRequest that puts the key if it does not exist (its revision is 0): one Compare and one PutRequest. */
function creationSize(key: number, value: number): number {
  const compare = 2 + field(key) + 1 + varint(0);
  return field(compare) + putSize(key, value);
}

/** Returns the size of a TxnRequest that puts the key if it is unchanged, else reads it: it also has a RangeRequest. */
function replacementSize(key: number, value: number, revision: bigint): number {
  const compare = 2 + field(key) + 1 + varint(Number(revision));
  return field(compare) + putSize(key, value) + field(field(field(key)));
}

function putSize(key: number, value: number): number {
  return field(field(field(key) + field(value)));
}

/** Header of a proposal among etcd's members, with an id that usually takes nine bytes. */
const proposalHeader = 13;

/** Returns the size of a protobuf field with contents of the given size: tag, length, contents. */
function field(size: number): number {
  return 1 + varint(size) + size;
}

/** Returns the size of a non-negative number in protobuf. */
function varint(number: number): number {
  let length = 1;
  for (let left = number; left >= 0x80; left = Math.floor(left / 0x80)) length += 1;
  return length;
}
