import { expect, it } from 'vitest';
import { builtInCodec } from '../../../../src/apiserver/objects/built-in-codec.js';
import { WireWriter } from '../../../../src/apiserver/objects/protobuf/wire-writer.js';
import { writeMessage } from '../../../../src/apiserver/objects/protobuf/write-message.js';
import { writeStoredMessage } from '../../../../src/apiserver/objects/protobuf/write-stored.js';
import { schemaOfKind } from '../../../../src/kubernetes/type-table.js';
import { server } from '../../../support/server.js';

const metadata = '"metadata":{"name":"a","creationTimestamp":"2026-11-29T10:00:00Z","labels":{"x":"é","y":""},"generation":0';
const container = (rest: string): string => `{"kind":"Pod","apiVersion":"v1",${metadata}},"spec":{"containers":[{"name":"c",${rest}}]}}`;
const withSpec = (spec: string): string => `{"kind":"Pod","apiVersion":"v1",${metadata}},"spec":${spec}}`;

interface Case {
  readonly kind: string;
  readonly group: string;
  readonly version: string;
}

/** Returns the message of a stored object from its text, and from its values. */
function messagesOf({ kind, group, version }: Case, text: string): { readonly direct: string | undefined; readonly ofValues: string } {
  const codec = builtInCodec(server, { group, version, kind });
  const schema = schemaOfKind(server, { group, version, kind });
  if (codec === undefined || schema === undefined) throw new Error(`no ${kind}`);
  const stored = codec.encode(codec.decode(text).value);
  const writer = new WireWriter();
  writer.text(1, 'before');
  const before = writer.length;
  const isWritten = writeStoredMessage(writer, codec, stored);
  const direct = Buffer.from(writer.finish().subarray(before)).toString('hex');
  if (!isWritten) expect(direct).toBe('');
  return {
    direct: isWritten ? direct : undefined,
    ofValues: Buffer.from(writeMessage(codec.decode(stored).value, schema)).toString('hex'),
  };
}

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
  ['ConfigMap', '', `{${metadata}},"data":{"a":"\\u003c\\"\\\\\\n\\u2028 é 中","b":"<&>"},"binaryData":{"c":"AAE="}}`],
  ['ConfigMap', '', `{"metadata":{"name":"a","creationTimestamp":"1969-12-31T23:59:59Z","deletionTimestamp":"0001-01-01T00:00:00Z"}}`],
  ['ConfigMap', '', `{"metadata":{"name":"a","creationTimestamp":"2000-02-29T23:59:59Z","deletionTimestamp":"2100-03-01T00:00:00Z"}}`],
  [
    'HorizontalPodAutoscaler',
    'autoscaling',
    '{"spec":{"metrics":[{"type":"Resource","resource":{"name":"cpu","target":{"type":"Utilization","averageUtilization":50}}}],"maxReplicas":2},"status":{"currentReplicas":3}}',
    'v2',
  ],
  [
    'Deployment',
    'apps',
    '{"spec":{"strategy":{"rollingUpdate":{"maxSurge":"25%","maxUnavailable":1}},"template":{"spec":{"volumes":[{"name":"v","emptyDir":{"sizeLimit":"1Gi"}},{"name":"w"}]}}},"status":{"observedGeneration":9007199254740991}}',
  ],
])('the message of a stored %s %s is that of its values: %s', (kind, group, text, version = 'v1') => {
  const { direct, ofValues } = messagesOf({ kind, group, version }, text);
  expect(direct).toBe(ofValues);
});

it('writes long texts', () => {
  const [note, data] = ['x'.repeat(20_000), Buffer.alloc(20_000, 'x').toString('base64')];
  const text = `{"metadata":{"name":"a","annotations":{"note":"${note}","umlauts":"${'ü'.repeat(9000)}"}},"data":{"a":"${data}"}}`;
  const { direct, ofValues } = messagesOf({ kind: 'Secret', group: '', version: 'v1' }, text);
  expect(direct).toBe(ofValues);
});

it.each([
  ['ControllerRevision', 'apps', `{${metadata}},"data":{"b":[1.5,null],"a":{}},"revision":2}`],
  ['ConfigMap', '', `{${metadata}},"data":{"a":"\\u003c\\"\\\\\\n\\u2028 é","b":"😀"}}`],
  ['ConfigMap', '', `{${metadata}},"data":{"a":"<&>\\"\\\\\\n","fieldsV1":"x","b":"中"}}`],
  ['ConfigMap', '', `{${metadata}},"data":{"a":"\\ufffd"}}`],
  ['Deployment', 'apps', '{"status":{"observedGeneration":9007199254740993}}'],
])('writes nothing for a stored %s %s that needs values: %s', (kind, group, text) => {
  expect(messagesOf({ kind, group, version: 'v1' }, text).direct).toBe(undefined);
});
