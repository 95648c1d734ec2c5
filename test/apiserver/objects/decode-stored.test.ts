import { expect, it } from 'vitest';
import { builtInCodec } from '../../../src/apiserver/objects/built-in-codec.js';
import { decodeStored } from '../../../src/apiserver/objects/decode-stored.js';
import { valueAt } from '../../../src/go/value.js';
import { server } from '../../support/server.js';

const codec = builtInCodec(server, { group: '', version: 'v1', kind: 'Pod' });
if (codec === undefined) throw new Error('no codec of pods');

const metadata = '"metadata":{"name":"a","creationTimestamp":"2026-11-29T10:00:00Z","labels":{"x":"é","y":""},"generation":0';
const container = (rest: string): string => `{"kind":"Pod","apiVersion":"v1",${metadata}},"spec":{"containers":[{"name":"c",${rest}}]}}`;

it.each([
  `{"kind":"Pod","apiVersion":"v1",${metadata},"managedFields":[{"manager":"m","fieldsType":"FieldsV1","fieldsV1":{"f:spec":{"k:{\\"name\\":\\"c\\"}":{".":{}}}}}]},"unknown":{"a":[1]}}`,
  container('"resources":{"limits":{"cpu":"100m","memory":"100000000000000000000"}},"stdin":true,"tty":false,"env":[]'),
  container('"ports":[{"containerPort":80,"hostPort":0}],"readinessProbe":{"httpGet":{"port":"http","path":""},"periodSeconds":10}'),
  container('"livenessProbe":{"tcpSocket":{"port":8080}},"securityContext":{"runAsUser":9007199254740991,"runAsNonRoot":false}'),
  container('"securityContext":{"runAsUser":9007199254740993}'),
  container('"image":null,"args":["\\u003c","\\n","😀"]'),
  `{"kind":"Pod","apiVersion":"v1",${metadata},"annotations":{"b":"1","10":"2","9":"3"}}}`,
  '{}',
])('the text of a stored object is decoded as any other: %s', text => {
  const decoded = codec.decode(text).value;
  const stored = decodeStored(codec, text);
  expect(stored).toEqual(decoded);
  expect([...stored.keys()]).toEqual([...decoded.keys()]);
  expect(codec.encode(stored)).toBe(codec.encode(decoded));
});

it.each([
  '[]',
  '{"spec":1}',
  container('"ports":[{"containerPort":1.5}]'),
  container('"resources":{"limits":{"cpu":"x"}}'),
  '{"metadata":{',
])('a text that does not fit has the error of any other: %s', text => {
  const message = messageOf(() => codec.decode(text));
  expect(message).not.toBe('');
  expect(messageOf(() => decodeStored(codec, text))).toBe(message);
});

function messageOf(decode: () => unknown): string {
  try {
    decode();
    return '';
  } catch (error) {
    return String(error);
  }
}

/** The first text makes its sets of fields known. */
it('sets of fields that were read before are those of the text, wherever they are', () => {
  const fields = (text: string): string => `{"manager":"m","fieldsType":"FieldsV1","fieldsV1":${text}}`;
  const [known, other] = ['{"f:spec":{"k:{\\"name\\":\\"c\\"}":{".":{}}}}', '{"f:metadata":{"f:labels":{}}}'];
  const texts = [
    `{${metadata},"managedFields":[${fields(known)},${fields('{}')}]}}`,
    `{${metadata},"managedFields":[${fields(known)},${fields(other)},${fields(known)}]}}`,
    `{${metadata},"managedFields":[${fields(`{"f:x":${known}}`)},${fields('{}')}],"annotations":{"a":"\\"fieldsV1\\":{}"}}}`,
    `{${metadata},"managedFields":[${fields('0')},${fields(known)}]}}`,
    `{${metadata},"managedFields":[${fields(known)},${fields('"0"')}]}}`,
    `{${metadata},"annotations":{"fieldsV1":"0"},"managedFields":[${fields(known)}]}}`,
  ];
  for (const text of [...texts, ...texts]) {
    const decoded = codec.decode(text).value;
    expect(decodeStored(codec, text)).toEqual(decoded);
    expect(codec.encode(decodeStored(codec, text))).toBe(codec.encode(decoded));
  }
});

it('a set of fields that one object has is not shared with another one', () => {
  const text = `{${metadata},"managedFields":[{"manager":"m","fieldsV1":{"f:spec":{}}}]}}`;
  const [a, b] = [decodeStored(codec, text), decodeStored(codec, text)].map(value =>
    valueAt(value, 'metadata', 'managedFields', 0, 'fieldsV1'),
  );
  expect(a).toEqual({ rawJson: '{"f:spec":{}}' });
  expect(a).not.toBe(b);
});
