import { expect, it } from 'vitest';
import { builtInCodec } from '../../../src/apiserver/objects/built-in-codec.js';
import { decodeStored, messageOfStored } from '../../../src/apiserver/objects/decode-stored.js';
import { writeMessage } from '../../../src/apiserver/objects/protobuf/write-message.js';
import { schemaOfKind } from '../../../src/kubernetes/type-table.js';
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

const withSpec = (spec: string): string => `{"kind":"Pod","apiVersion":"v1",${metadata}},"spec":${spec}}`;

it.each([
  ['Pod', '', container('"resources":{"limits":{"memory":"1Gi","cpu":"100m"}},"stdin":true,"args":["é",""],"env":[]')],
  [
    'Pod',
    '',
    container(
      '"livenessProbe":{"tcpSocket":{"port":8080}},"readinessProbe":{"httpGet":{"port":"http"}},"securityContext":{"runAsUser":-1}',
    ),
  ],
  ['Pod', '', withSpec('{"containers":null,"nodeSelector":{"b":"1","a":"2"},"hostAliases":[{"ip":"1.2.3.4"}],"priority":0}')],
  [
    'Pod',
    '',
    `{${metadata},"managedFields":[{"manager":"m","time":"2026-11-29T10:00:00Z","fieldsType":"FieldsV1","fieldsV1":{"rawJson":{},"f:a":{".":{}}}}]}}`,
  ],
  ['Secret', '', `{${metadata}},"data":{"b":"AAECaGk=","a":""},"type":"Opaque"}`],
  ['ConfigMap', '', `{${metadata}},"data":{"__proto__":"x","constructor":"y"},"immutable":false}`],
  [
    'Lease',
    'coordination.k8s.io',
    `{${metadata}},"spec":{"holderIdentity":"h","renewTime":"2026-11-29T10:00:00.123456Z","leaseDurationSeconds":15}}`,
  ],
  ['ControllerRevision', 'apps', `{${metadata}},"data":{"b":[1.5,null],"a":{}},"revision":2}`],
])('the message of a stored %s %s is that of its tree: %s', (kind, group, text) => {
  const codecOfKind = builtInCodec(server, { group, version: 'v1', kind });
  const schema = schemaOfKind(server, { group, version: 'v1', kind });
  if (codecOfKind === undefined || schema === undefined) throw new Error(`no ${kind}`);
  const stored = codecOfKind.encode(codecOfKind.decode(text).value);
  const message = Buffer.from(writeMessage(codecOfKind.decode(stored).value, schema)).toString('hex');
  const direct = messageOfStored(codecOfKind, stored);
  // Null, and raw JSON that is not the server's own, need the tree.
  if (kind === 'ControllerRevision' || stored.includes(':null')) expect(direct).toBe(undefined);
  else expect(Buffer.from(direct ?? []).toString('hex')).toBe(message);
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
