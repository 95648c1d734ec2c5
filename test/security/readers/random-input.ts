import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import type { Random } from '../../differential/random.js';
import { root } from '../../support/run-command.js';

/** Files of this repository, which are changed at random; none that starts a program. */
const samples = ['manifests', 'replay', 'reports', 'recordings', 'suites', 'policies', 'injector', 'endpoints', 'lint']
  .flatMap(folder => readdirSync(path.join(root, 'fixtures', folder), { recursive: true, withFileTypes: true }))
  .filter(entry => entry.isFile() && /\.(?:ya?ml|json|jsonl|log|txt)$/.test(entry.name))
  .map(entry => readFileSync(path.join(entry.parentPath, entry.name)))
  .filter(bytes => !bytes.includes('exec'));

/** Parts of logs and documents that look like the start or the end of a capture, a document, a certificate or a number. */
const parts = [
  ...'{ } [ ] " \' : , - --- ... \\ \\u \\ud800 null true 1e400 -0 0x1 0o7 1_0 .inf & * | > % @ # \t \n \r\n \ufeff \u2028 \u0000'.split(
    ' ',
  ),
  ...'apiVersion: kind: {"kind":"AdmissionReview" {"kind":"Event","auditID": "request": "uid" I1123 level=info !!binary <<: ? ['.split(' '),
  ...'{"a":null} [null] - null __proto__: constructor: "toString": {{ }} {{.}} HTTP/1.1 Content-Length:'.split(' '),
  'msg="{\\"kind\\":\\"AdmissionReview\\"',
  '-----BEGIN CERTIFICATE-----',
  '-----END CERTIFICATE-----',
  '-----BEGIN RSA PRIVATE KEY-----',
];

/** Values that a field of any document can have in place of the one that is expected. */
const values = [null, true, 0, -1.5, '', 'x', '__proto__', [], [null], {}, { a: null }, [[]], ['x', 1]];

const maxSampleBytes = 20_000;

/** Random bytes, random log text, or one of the `own` samples, changed at random; of all files of this repository without any. */
export function randomInput(random: Random, own: readonly Buffer[] = []): Buffer {
  const kind = random.below(own.length === 0 ? 3 : 5);
  if (kind === 0) return Buffer.from(Array.from({ length: random.below(2000) }, () => random.below(256)));
  if (kind === 1)
    return Buffer.from(Array.from({ length: random.below(600) }, () => random.pick(parts)).join(random.below(2) === 0 ? '' : ' '));
  const sample = random.pick(own.length === 0 ? samples : own);
  const packed = sample[0] === 0x1f && sample[1] === 0x8b && random.below(2) === 0;
  if (packed) return gzipSync(changed(gunzipSync(sample), random), { level: 1 });
  return random.below(3) === 0 ? withOtherValue(sample, random) : changed(sample, random);
}

function changed(sample: Buffer, random: Random): Buffer {
  const bytes = Buffer.from(sample.subarray(0, maxSampleBytes));
  for (let changes = 1 + random.below(8); changes > 0 && bytes.length > 0; changes -= 1) {
    const at = random.below(bytes.length);
    if (random.below(2) === 0) bytes[at] = random.below(256);
    else bytes.write(random.pick(parts).slice(0, bytes.length - at), at);
  }
  return bytes;
}

/** A well-formed document with a value of another type: what is read is not what the types of the program say. */
function withOtherValue(sample: Buffer, random: Random): Buffer {
  const text = sample.subarray(0, maxSampleBytes).toString('utf8');
  const places = [...text.matchAll(/(?<=: )[^\s{[|>&][^\n,}\]]*|\{[^{}\n]*\}|\[[^[\]\n]*\]/g)];
  const place = places[random.below(Math.max(1, places.length))];
  if (place === undefined) return sample;
  const other = JSON.stringify(random.pick(values));
  return Buffer.from(text.slice(0, place.index) + other + text.slice(place.index + place[0].length));
}
