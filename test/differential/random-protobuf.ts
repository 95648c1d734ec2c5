import type { Random } from './random.js';

/** An answer as Kubernetes' protobuf, a review or a Status, valid or with a few corrupted bytes. */
export function protobufBody(r: Random, { reviewVersion, uid }: { readonly reviewVersion: string; readonly uid: string }): Buffer {
  const isReview = r.chance(75);
  const inner = isReview ? response(r, uid) : status(r);
  // The request of a review is not decoded: no field may end up in it.
  const sound = isReview ? delimited(2, inner) : inner;
  const raw = r.chance(70) ? sound : isReview ? delimited(2, spoiled(r, inner)) : spoiled(r, inner);
  const apiVersion = r.chance(80)
    ? isReview
      ? `admission.k8s.io/${reviewVersion}`
      : 'v1'
    : r.pick(['', 'x/', 'a/b/c', 'admission.k8s.io/v1']);
  const kind = isReview ? r.pick(['AdmissionReview', 'AdmissionReview', 'AdmissionReview', '', 'Pod']) : 'Status';
  const typeMeta = Buffer.concat([delimited(1, Buffer.from(apiVersion)), delimited(2, Buffer.from(kind))]);
  const body = Buffer.concat([isReview && r.chance(7) ? Buffer.alloc(0) : delimited(1, typeMeta), delimited(2, raw), extras(r)]);
  const whole = Buffer.concat([Buffer.from('k8s\0'), body]);
  return r.chance(90) ? whole : whole.subarray(0, r.below(whole.length));
}

function response(r: Random, uid: string): Buffer {
  return some(r, [
    delimited(1, Buffer.from(uid)),
    Buffer.from([0x10, r.pick([0, 1, 2])]),
    delimited(3, status(r)),
    delimited(4, Buffer.from(r.pick(['', '[]', '[{"op":"remove","path":"/a"}]']))),
    delimited(5, Buffer.from(r.pick(['JSONPatch', 'JSONPatch', '']))),
    delimited(6, some(r, [delimited(1, text(r)), delimited(2, text(r))])),
    delimited(6, some(r, [delimited(1, text(r)), delimited(2, text(r)), extras(r)])),
    delimited(7, text(r)),
    delimited(7, text(r)),
    extras(r),
  ]);
}

function status(r: Random): Buffer {
  const metadata = some(r, [delimited(1, text(r)), delimited(2, text(r)), delimited(3, text(r)), varintField(4, r.pick([0n, 5n]))]);
  const cause = some(r, [delimited(1, text(r)), delimited(2, text(r)), delimited(3, text(r))]);
  const details = some(r, [
    delimited(1, text(r)),
    delimited(3, text(r)),
    delimited(4, cause),
    delimited(4, cause),
    varintField(5, 7n),
    delimited(6, text(r)),
  ]);
  return some(r, [
    delimited(1, metadata),
    delimited(2, Buffer.from(r.pick(['Failure', 'Success', 'x']))),
    delimited(3, text(r)),
    delimited(4, text(r)),
    delimited(5, details),
    varintField(6, r.pick([403n, 0n, 200n, 2n ** 64n - 5n, 2n ** 40n + 500n])),
  ]);
}

/** Unknown fields of every wire type. */
function extras(r: Random): Buffer {
  if (r.chance(85)) return Buffer.alloc(0);
  return r.pick([
    Buffer.from([0x98, 0x06, 0x01]),
    Buffer.from([0x99, 0x06, 1, 2, 3, 4, 5, 6, 7, 8]),
    Buffer.from([0x9a, 0x06, 0x01, 0x41]),
    Buffer.from([0x9b, 0x06, 0x08, 0x01, 0x9c, 0x06]),
    Buffer.from([0x9d, 0x06, 1, 2, 3, 4]),
    Buffer.from([0x9e, 0x06]),
    Buffer.from([0x0c]),
    Buffer.from([0x05, 1, 2, 3, 4]),
  ]);
}

function text(r: Random): Buffer {
  return r.pick([Buffer.from('a'), Buffer.alloc(0), Buffer.from('é'), Buffer.from([0xff]), Buffer.from('two words')]);
}

function some(r: Random, fields: readonly Buffer[]): Buffer {
  return Buffer.concat(fields.filter(() => r.chance(70)));
}

function delimited(field: number, bytes: Buffer): Buffer {
  return Buffer.concat([varint(BigInt(field * 8 + 2)), varint(BigInt(bytes.length)), bytes]);
}

function varintField(field: number, value: bigint): Buffer {
  return Buffer.concat([varint(BigInt(field * 8)), varint(value)]);
}

function varint(value: bigint): Buffer {
  const bytes: number[] = [];
  let rest = value;
  for (; rest >= 0x80n; rest >>= 7n) bytes.push(Number(rest & 0x7fn) | 0x80);
  return Buffer.from([...bytes, Number(rest)]);
}

function spoiled(r: Random, bytes: Buffer): Buffer {
  const at = r.below(bytes.length + 1);
  const changed = Buffer.from(bytes);
  const kind = r.below(3);
  if (kind === 0) return bytes.subarray(0, at);
  if (kind === 1) return Buffer.concat([bytes.subarray(0, at), Buffer.from([r.below(256)]), bytes.subarray(at)]);
  if (at < changed.length) changed[at] = r.pick([0, 0xff, 0x80, 0x0c, r.below(256)]);
  return changed;
}
