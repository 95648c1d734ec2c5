import { expect, it } from 'vitest';
import { decodeDocument } from '../../../src/apiserver/objects/decode-document.js';
import { readUnstructured } from '../../../src/encoding/unstructured.js';
import { server } from '../../support/server.js';

const definition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'things.example.com' },
  spec: {
    group: 'example.com',
    scope: 'Namespaced',
    names: { kind: 'Thing', plural: 'things' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: {
            type: 'object',
            additionalProperties: { type: 'number', maximum: 2, minimum: 0.5 },
            properties: { a: { type: 'array', items: { type: 'string' } } },
          },
        },
      },
    ],
  },
};

it.each([
  ['what is never left out', '{"apiVersion":"v1","kind":"Pod","spec":{"containers":[{"name":"c"}]}}'],
  ['empty lists and maps', '{"apiVersion":"v1","kind":"Pod","metadata":{"labels":{}},"spec":{"containers":[],"volumes":[]}}'],
  ['keys of maps in order', '{"apiVersion":"v1","kind":"ConfigMap","data":{"z":"1","a":"2","\\ud83d\\ude00":"3","\\ue000":"4"}}'],
  ['texts that JSON cannot hold', '{"apiVersion":"v1","kind":"ConfigMap","data":{"a":"x\udcffy","\udcfe":"z"}}'],
  ['a time that is zero', '{"apiVersion":"v1","kind":"Pod","metadata":{"deletionTimestamp":"0001-01-01T00:00:00Z"}}'],
  [
    'numbers and texts in one field',
    '{"apiVersion":"v1","kind":"Service","spec":{"ports":[{"port":1,"targetPort":"a"},{"targetPort":2}]}}',
  ],
  ['quantities', '{"apiVersion":"v1","kind":"Pod","spec":{"containers":[{"resources":{"limits":{"memory":"1024Mi","cpu":1}}}]}}'],
  ['raw JSON', '{"apiVersion":"apps/v1","kind":"ControllerRevision","data":{"b":[1.0,1,1e3,"<"],"a":{"b":null}},"revision":1}'],
  ['a schema within a definition', JSON.stringify(definition).replace('"maximum":2', '"maximum":2.0,"default":{"z":1.0,"a":[1.5]}')],
])('is determined by the text: %s', (_, text) => {
  const { codec, value } = decodeDocument(server, text);
  expect([...deep(codec.toUnstructured(value))]).toEqual([...deep(readUnstructured(codec.encode(value)))]);
});

/** Returns a value with the order of its keys, which comparing maps ignores. */
function* deep(value: unknown): Generator<unknown> {
  if (value instanceof Map) {
    yield [...value.keys()];
    for (const member of value.values()) yield* deep(member);
  } else if (Array.isArray(value)) {
    yield value.length;
    for (const item of value) yield* deep(item);
  } else {
    yield value;
  }
}
