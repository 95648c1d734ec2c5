import type { Random } from './random.js';
import { protobufBody } from './random-protobuf.js';

/** The body of an answer to a review: a valid response, one with one error, one with many errors, or something else. */
export function answerBody(r: Random, expected: { readonly reviewVersion: string; readonly uid: string }): Buffer {
  if (r.chance(6)) return Buffer.from(r.pick(oddBodies));
  if (r.chance(5)) return protobufBody(r, expected);
  const text = r.chance(22) ? statusBody(r) : reviewBody(r, expected);
  const written = r.chance(12) ? asYaml(r, text) : text;
  return r.chance(12) ? spoiledBytes(r, Buffer.from(written)) : Buffer.from(written);
}

const oddBodies = [
  '',
  ' ',
  'null',
  '{}',
  '[]',
  '""',
  'ok',
  'true',
  '1',
  '<html><body>no</body></html>',
  '{"error":"x"}',
  '\u00a0{}',
  '\ufeff{}',
  '\v{}',
  '{"kind":"AdmissionReview"}x',
  'k8s\0',
  'a: b: c',
  '- a\n- b',
  '---\n',
  'x'.repeat(2050),
  'é'.repeat(1030),
  '\n two\nlines \n',
  '%YAML 1.1\n---\n{}',
  '"kind": Status',
];

/** A JSON object's members as text, in this order. */
type Members = [string, string][];

function write(r: Random, members: Members): string {
  const separator = r.chance(90) ? ',' : ' ,\n\t';
  return `{${members.map(([key, value]) => `${JSON.stringify(key)}${r.chance(97) ? ':' : ' : '}${value}`).join(separator)}}`;
}

function reviewBody(r: Random, { reviewVersion, uid }: { readonly reviewVersion: string; readonly uid: string }): string {
  const members: Members = [
    ['apiVersion', JSON.stringify(r.chance(85) ? `admission.k8s.io/${reviewVersion}` : r.pick(apiVersions))],
    ['kind', JSON.stringify(r.chance(93) ? 'AdmissionReview' : r.pick(kinds))],
  ];
  if (r.chance(5))
    members.push(['request', r.pick(['null', '{}', '1', '{"uid":"x","kind":{"group":1}}', '{"object":{"a":1},"dryRun":"x"}', '[]'])]);
  if (r.chance(97)) members.push(['response', r.chance(96) ? responseBody(r, uid) : anything(r)]);
  if (r.chance(4)) members.push(['response', responseBody(r, uid)]);
  return write(r, jumbled(r, members));
}

const apiVersions = [
  'admission.k8s.io/v1',
  'admission.k8s.io/v1beta1',
  'v1',
  '',
  '/',
  'a/b/c',
  'admission.k8s.io/',
  'admission.k8s.io/__internal',
  'x/v1',
  '/v1',
];
const kinds = [
  'Status',
  'admissionreview',
  '',
  'CreateOptions',
  'DeleteOptions',
  'WatchEvent',
  'APIGroup',
  'APIResourceList',
  'Pod',
  'É"',
  'ListOptions',
];

function responseBody(r: Random, uid: string): string {
  const members: Members = [];
  if (r.chance(95)) members.push(['uid', r.chance(93) ? JSON.stringify(uid) : anything(r)]);
  if (r.chance(95)) members.push(['allowed', r.chance(94) ? r.pick(['true', 'false']) : anything(r)]);
  if (r.chance(45)) members.push(['status', r.chance(93) ? write(r, statusMembers(r)) : anything(r)]);
  if (r.chance(30)) members.push(['patch', r.chance(85) ? r.pick(patches) : r.chance(60) ? byteList(r) : anything(r)]);
  if (r.chance(30)) members.push(['patchType', r.chance(85) ? '"JSONPatch"' : r.pick(['""', 'null', '"Foo"', '1', '[]', '"jsonpatch"'])]);
  if (r.chance(20)) members.push(['warnings', r.chance(85) ? textList(r) : anything(r)]);
  if (r.chance(20)) members.push(['auditAnnotations', r.chance(85) ? textMap(r) : anything(r)]);
  return write(r, jumbled(r, members));
}

const patches = [
  '"W3sib3AiOiJhZGQiLCJwYXRoIjoiL2EiLCJ2YWx1ZSI6MX1d"',
  '""',
  '"W10="',
  '"W10"',
  '"W10=W10="',
  '"W1\\n0=\\r"',
  '"/+8="',
  '"_-8="',
  '"é==="',
  '"W1 0="',
  '"bnVsbA=="',
  '"bnVsbB=="',
  '"="',
];

function byteList(r: Random): string {
  return `[${Array.from({ length: r.below(5) }, () => r.pick(['91', '93', '0', '255', '256', '-1', '1.5', 'null', '"a"', '{}', '1e1']))}]`;
}

function textList(r: Random): string {
  return `[${Array.from({ length: r.below(4) }, () => (r.chance(90) ? text(r) : anything(r)))}]`;
}

function textMap(r: Random): string {
  return write(
    r,
    Array.from({ length: r.below(4) }, (): [string, string] => [
      r.pick(['a', 'b', 'a', 'É', '', '__proto__']),
      r.chance(92) ? text(r) : anything(r),
    ]),
  );
}

function statusBody(r: Random): string {
  const members = statusMembers(r);
  if (r.chance(90)) members.unshift(['kind', r.chance(92) ? '"Status"' : r.pick(['"status"', '1', '"AdmissionReview"', '""'])]);
  if (r.chance(85)) members.unshift(['apiVersion', r.chance(90) ? '"v1"' : r.pick(['"v2"', '""', '"a/b/c"', 'null', '"x/"'])]);
  if (!members.some(([key]) => key === 'status') && r.chance(85)) members.push(['status', '"Failure"']);
  return write(r, jumbled(r, members));
}

function statusMembers(r: Random): Members {
  const members: Members = [];
  if (r.chance(15)) members.push(['metadata', r.chance(85) ? write(r, metadataMembers(r)) : anything(r)]);
  if (r.chance(30)) members.push(['status', r.chance(93) ? r.pick(['"Failure"', '"Success"', '""', '"failure"', '"x"']) : anything(r)]);
  if (r.chance(60)) members.push(['message', r.chance(95) ? text(r) : anything(r)]);
  if (r.chance(40)) members.push(['reason', r.chance(95) ? r.pick(['"Forbidden"', '"Invalid"', '""', '"x y"']) : anything(r)]);
  if (r.chance(30)) members.push(['details', r.chance(90) ? write(r, detailsMembers(r)) : anything(r)]);
  if (r.chance(50)) members.push(['code', r.chance(80) ? r.pick(['403', '200', '0', '-5', '422', '1000', '2147483647']) : number(r)]);
  if (r.chance(4)) members.push(['kind', '"X"']);
  return members;
}

function metadataMembers(r: Random): Members {
  const all: Members = [
    ['selfLink', text(r)],
    ['resourceVersion', text(r)],
    ['continue', text(r)],
    ['remainingItemCount', r.pick(['0', '5', 'null', '9007199254740993', '1.5'])],
    ['shardInfo', r.pick(['{}', 'null', '{"selector":"a"}', '{"selector":1}'])],
    ['name', '"x"'],
  ];
  return all.filter(() => r.chance(40));
}

function detailsMembers(r: Random): Members {
  const cause = () =>
    r.chance(90)
      ? write(
          r,
          (
            [
              ['reason', text(r)],
              ['message', text(r)],
              ['field', text(r)],
              ['type', text(r)],
            ] as Members
          ).filter(() => r.chance(60)),
        )
      : anything(r);
  const all: Members = [
    ['name', text(r)],
    ['group', text(r)],
    ['kind', text(r)],
    ['uid', text(r)],
    ['causes', r.chance(90) ? `[${Array.from({ length: r.below(3) }, cause)}]` : anything(r)],
    ['retryAfterSeconds', number(r)],
  ];
  return all.filter(() => r.chance(40));
}

function text(r: Random): string {
  return r.pick(['"a"', '"no"', '""', '"é<&>"', '"\\u0041\\n"', '"\\ud800"', '"\\ud83d\\ude00"', '"a\\"b"', 'null', '"two words"']);
}

function number(r: Random): string {
  return r.pick(['0', '1', '7', '-1', '1.0', '1e2', '2147483648', '99999999999999999999', 'null', '"1"', '400', '399']);
}

function anything(r: Random): string {
  return r.pick(['null', 'true', 'false', '0', '1.5', '-3', '"x"', '""', '[]', '{}', '[1]', '["a"]', '{"a":1}', '[null]', '[{}]', '1e400']);
}

/** Sometimes reordered, duplicated, in another case, or unknown. */
function jumbled(r: Random, members: Members): Members {
  const out = [...members];
  if (r.chance(15)) out.sort(() => (r.chance(50) ? 1 : -1));
  const some = out.length === 0 ? undefined : out[r.below(out.length)];
  if (some !== undefined && r.chance(4)) out.push([some[0], r.chance(50) ? some[1] : anything(r)]);
  if (some !== undefined && r.chance(3))
    out.push([r.chance(50) ? some[0].toUpperCase() : some[0].replace('k', '\u212a').replace('s', '\u017f'), some[1]]);
  if (r.chance(5)) out.push([r.pick(['x', '', 'a.b']), anything(r)]);
  return out;
}

/** The same as YAML: outer levels in block style. */
function asYaml(r: Random, json: string): string {
  const block = json.replace(/^\{([\s\S]*)\}$/, '$1').replace(/,(?="(?:kind|response|apiVersion|status|message)":)/g, '\n');
  const lines = block.replace(/^"(\w+)":/gm, r.chance(50) ? '$1: ' : '"$1": ');
  return (r.chance(20) ? '---\n' : '') + lines + (r.chance(10) ? '\n---\nx: y\n' : '\n');
}

/** The bytes with a few of them changed, dropped, duplicated or truncated. */
function spoiledBytes(r: Random, bytes: Buffer): Buffer {
  if (bytes.length === 0) return bytes;
  const at = r.below(bytes.length);
  const kind = r.below(6);
  const noise = Buffer.from(r.pick(['"', '}', '{', ',', ':', '\\', '\n', ' ', '\0', 'x', '\x7f', 'é', '[', ']', '1']));
  if (kind === 0) return bytes.subarray(0, at);
  if (kind === 1) return Buffer.concat([bytes.subarray(0, at), noise, bytes.subarray(at)]);
  if (kind === 2) return Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + 1)]);
  if (kind === 3) return Buffer.concat([bytes.subarray(0, at), noise, bytes.subarray(at + 1)]);
  if (kind === 4) return Buffer.concat([bytes.subarray(0, at), Buffer.from([r.pick([0xff, 0x80, 0xc3, 0xed, 0xf0])]), bytes.subarray(at)]);
  return Buffer.concat([Buffer.from(r.pick([' ', '\n', '\ufeff', 'k8s\0', '#', '-', '\t'])), bytes]);
}
