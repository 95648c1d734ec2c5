import { expect, it } from 'vitest';
import { handleCall } from '../../../src/apiserver/handle-call.js';
import { keepRawTexts } from '../../../src/apiserver/objects/raw-texts.js';
import { effectsFor } from '../../../src/cli/shell/effects.js';
import { unstructuredOf } from '../../../src/encoding/unstructured.js';
import { readJson } from '../../../src/go/json/reader.js';
import { mapAt, type Value, type ValueMap } from '../../../src/go/value.js';
import { clusterStateWith } from '../../support/cluster-state.js';
import { server } from '../../support/server.js';

const revision = (data: string, entries = '[]'): string =>
  `{"apiVersion":"apps/v1","kind":"ControllerRevision","metadata":{"name":"r","namespace":"n","uid":"u","resourceVersion":"7","managedFields":${entries}},"revision":1,"data":${data}}`;

function readFrom(text: string): Value {
  const node = readJson(text);
  const value = unstructuredOf(node);
  keepRawTexts(server, value, node, text);
  return value;
}

const dataOf = (text: string): Value | undefined => mapAt(readFrom(text))?.get('data');

it('keeps raw JSON that is written on one line', () => {
  expect(dataOf(revision('{"a": "<"}'))).toEqual({ rawJson: '{"a":"\\u003c"}', sent: '{"a": "<"}' });
  expect(dataOf(revision('{"a":1}'))).toEqual({ rawJson: '{"a":1}' });
  const [item] = [readFrom(`{"apiVersion":"v1","kind":"List","items":[${revision('{"a": 1}')}]}`)].flatMap(
    list => mapAt(list, 'items', 0) ?? [],
  );
  expect(item?.get('data')).toEqual({ rawJson: '{"a":1}', sent: '{"a": 1}' });
});

it('assumes that formatted and applied text was compact', () => {
  expect(dataOf(revision('{\n "a": 1\n}'))).toEqual(new Map([['a', 1n]]));
  expect(dataOf(revision('{"a": 1}', '[{"operation":"Apply"}]'))).toEqual(new Map([['a', 1n]]));
});

it.each([
  ['the same bytes', '{"a": 1}', '{"a": 1}', 200],
  ['other blanks', '{"a": 1}', '{"a":1}', 422],
  ['compact text over text that is laid out', '{\n "a": 1\n}', '{"a":1}', 200],
])('a revision of the same data in %s', async (_, stored, sent, code) => {
  const state = clusterStateWith({ objects: [readFrom(revision(stored)) as ValueMap] });
  const call = {
    method: 'PUT',
    path: '/apis/apps/v1/namespaces/n/controllerrevisions/r',
    contentType: 'application/json',
    body: Buffer.from(revision(sent)),
  };
  const { answer } = await handleCall(
    call,
    state,
    effectsFor(() => Promise.reject(new Error('no webhook is registered'))),
  );
  expect(answer.status).toBe(code);
});

it.each([
  ['the same bytes', '{"a": 1}', 'creator'],
  ['other blanks', '{"a":1}', 'other'],
])('an owner of an atomic list after an update with raw JSON of %s', async (_, sent, owner) => {
  const deviceClass = (parameters: string, managed: string): string =>
    `{"apiVersion":"resource.k8s.io/v1","kind":"DeviceClass","metadata":{"name":"c","uid":"u","resourceVersion":"7","managedFields":${managed}},"spec":{"config":[{"opaque":{"driver":"d","parameters":${parameters}}}]}}`;
  const managed =
    '[{"manager":"creator","operation":"Update","apiVersion":"resource.k8s.io/v1","time":"2026-01-01T00:00:00Z","fieldsType":"FieldsV1","fieldsV1":{"f:spec":{"f:config":{}}}}]';
  const stored = readFrom(deviceClass('{"a": 1}', managed)) as ValueMap;
  const call = {
    method: 'PUT',
    path: '/apis/resource.k8s.io/v1/deviceclasses/c?fieldManager=other',
    contentType: 'application/json',
    body: Buffer.from(deviceClass(sent, managed)),
  };
  const { answer } = await handleCall(
    call,
    clusterStateWith({ objects: [stored] }),
    effectsFor(() => Promise.reject(new Error('no webhook is registered'))),
  );
  const owners = JSON.parse(answer.body).metadata.managedFields.filter((entry: { fieldsV1: object }) =>
    JSON.stringify(entry.fieldsV1).includes('f:config'),
  );
  expect(owners.map((entry: { manager: string }) => entry.manager)).toEqual([owner]);
});
