import { describe, expect, test } from 'vitest';
import { decodeDocument } from '../../../src/apiserver/objects/decode-document.js';
import { server } from '../../support/server.js';

/** Reads a document and writes it again. */
function again(document: string): string {
  const { codec, value } = decodeDocument(server, document);
  return codec.encode(value);
}

function pod(members: string): string {
  return `{"apiVersion":"v1","kind":"Pod",${members}}`;
}

describe('decoding built-in kinds', () => {
  test.each([
    ['a list for a struct', pod('"metadata":[]'), 'json: cannot unmarshal array into Go struct field Pod.metadata of type v1.ObjectMeta'],
    [
      'a string for a number',
      pod('"spec":{"terminationGracePeriodSeconds":"x"}'),
      'json: cannot unmarshal string into Go struct field PodSpec.spec.terminationGracePeriodSeconds of type int64',
    ],
    [
      'a fraction for a whole number',
      pod('"spec":{"containers":[{"ports":[{"hostPort":1.0}]}]}'),
      'json: cannot unmarshal number 1.0 into Go struct field ContainerPort.spec.containers.ports.hostPort of type int32',
    ],
    [
      'a number for a named string',
      pod('"spec":{"restartPolicy":5}'),
      'json: cannot unmarshal number into Go struct field PodSpec.spec.restartPolicy of type v1.RestartPolicy',
    ],
    [
      'a number for an inlined struct field',
      pod('"spec":{"volumes":[{"hostPath":5}]}'),
      'json: cannot unmarshal number into Go struct field Volume.spec.volumes.VolumeSource.hostPath of type v1.HostPathVolumeSource',
    ],
    [
      'a number for a label',
      pod('"metadata":{"labels":{"a":1}}'),
      'json: cannot unmarshal number into Go struct field ObjectMeta.metadata.labels of type string',
    ],
    [
      'an object for a list',
      pod('"spec":{"containers":{}}'),
      'json: cannot unmarshal object into Go struct field PodSpec.spec.containers of type []v1.Container',
    ],
    [
      'the first of several',
      pod('"spec":{"hostNetwork":1,"containers":5}'),
      'json: cannot unmarshal number into Go struct field PodSpec.spec.hostNetwork of type bool',
    ],
    [
      'a quantity, which ends the reading, before what came earlier',
      pod('"spec":{"hostNetwork":1,"overhead":{"cpu":"1x"}}'),
      "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'",
    ],
    [
      'a time',
      pod('"metadata":{"creationTimestamp":"yesterday"}'),
      'parsing time "yesterday" as "2006-01-02T15:04:05Z07:00": cannot parse "yesterday" as "2006"',
    ],
    ['base64', '{"apiVersion":"v1","kind":"Secret","data":{"a":"%%%"}}', 'illegal base64 data at input byte 0'],
    [
      'a byte beyond 255',
      '{"apiVersion":"v1","kind":"Secret","data":{"a":[1,300]}}',
      'json: cannot unmarshal number 300 into Go struct field Secret.data of type uint8',
    ],
    [
      'a type within a schema that may be a list',
      '{"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition","spec":{"versions":[{"schema":{"openAPIV3Schema":{"items":[{"type":5}]}}}]}}',
      'json: cannot unmarshal number into Go struct field JSONSchemaProps.spec.versions.schema.openAPIV3Schema.items.type of type string',
    ],
    ['no kind', '{"apiVersion":"v1"}', `Object 'Kind' is missing in '{"apiVersion":"v1"}'`],
    [
      'another kind',
      '{"apiVersion":"v1","kind":"pod"}',
      'no kind "pod" is registered for version "v1" in scheme "pkg/runtime/scheme.go:111"',
    ],
    [
      'a list for the kind',
      '{"kind":[]}',
      "couldn't get version/kind; json parse error: json: cannot unmarshal array into Go struct field .kind of type string",
    ],
  ])("rejects %s with the API server's message", (_what, document, message) => {
    expect(() => decodeDocument(server, document)).toThrow(expect.objectContaining({ name: 'DecodeError', message }));
  });

  test.each([
    [
      'unknown',
      pod('"spec":{"containers":[{"imagePullPolcy":"x"}],"Foo":1},"bar":{"baz":1}'),
      ['spec.containers[0].imagePullPolcy', 'spec.Foo', 'bar'],
    ],
    ['unknown below a map', '{"apiVersion":"v1","kind":"Service","x.y":1,"a\\"b":2}', ['x.y', 'a\\"b']],
  ])('names %s fields by their paths, in document order', (_what, document, paths) => {
    expect(decodeDocument(server, document).strictErrors).toEqual(paths.map(path => `unknown field "${path}"`));
  });

  test('names duplicate fields among the unknown ones, each once', () => {
    const text = pod('"metadata":{"name":"a","name":"b","name":"c","labels":{"x":"1","x":"2"}},"x":1,"metadata":{}');
    const errors = [
      'duplicate field "metadata.name"',
      'duplicate field "metadata.labels.x"',
      'unknown field "x"',
      'duplicate field "metadata"',
    ];
    expect(decodeDocument(server, text).strictErrors).toEqual(errors);
  });

  test('names at most a hundred fields', () => {
    const unknown = Array.from({ length: 120 }, (_, i) => `"x${i}":1`).join(',');
    expect(decodeDocument(server, pod(unknown)).strictErrors).toHaveLength(100);
  });

  test.each([
    ['merges structs given twice', '"metadata":{"name":"a","uid":"u"},"metadata":{"name":"b"}', '"metadata":{"name":"b","uid":"u"}'],
    ['merges maps given twice', '"metadata":{"labels":{"a":"1"},"labels":{"b":"2"}}', '"metadata":{"labels":{"a":"1","b":"2"}}'],
    ['merges the items of lists given twice', '"metadata":{"finalizers":["a","b"],"finalizers":[null]}', '"metadata":{"finalizers":["a"]}'],
    ['empties a list with null', '"metadata":{"finalizers":["a"],"finalizers":null}', '"metadata":{}'],
    ['takes null for a struct as nothing', '"metadata":{"name":"a"},"metadata":null', '"metadata":{"name":"a"}'],
    [
      'cuts times to seconds',
      '"metadata":{"deletionTimestamp":"2024-01-02T03:04:05.9+02:00"}',
      '"metadata":{"deletionTimestamp":"2024-01-02T01:04:05Z"}',
    ],
  ])('%s', (_title, members, metadata) => {
    expect(again(pod(members))).toBe(`{"kind":"Pod","apiVersion":"v1",${metadata},"spec":{"containers":null},"status":{}}`);
  });

  test('restores items that a shorter list has hidden', () => {
    const text = pod('"spec":{"containers":[{"name":"a"},{"image":"j"}],"containers":[{"name":"c"}],"containers":[{},{}]}');
    expect(again(text)).toContain('"containers":[{"name":"c","resources":{}},{"name":"","image":"j","resources":{}}]');
  });

  test('keeps embedded JSON as sent, without white space', () => {
    const text = '{"apiVersion":"apps/v1","kind":"ControllerRevision","data":{"b": 1.0, "a":"<", "b":2}}';
    expect(again(text)).toBe(
      '{"kind":"ControllerRevision","apiVersion":"apps/v1","metadata":{},"data":{"b":1.0,"a":"\\u003c","b":2},"revision":0}',
    );
  });
});
