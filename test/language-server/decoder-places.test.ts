import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Editor, startEditor } from './editor.js';
import { thingDefinition } from './thing-definition.js';

let editor: Editor;
beforeAll(async () => {
  editor = await startEditor();
});
afterAll(async () => {
  await editor.close();
});

const role =
  'apiVersion: rbac.authorization.k8s.io/v1\nkind: Role\nmetadata: {name: a, namespace: default}\nrules:\n- apiGroups: [apps]\n  resources: [pods]\n  verbs: [get]\n- apiGroups: [""]\n';
const pod = 'apiVersion: v1\nkind: Pod\nmetadata:\n  name: a\n  labels:\n    app: web\n';
const spec = 'spec:\n  containers:\n  - name: a\n    image: nginx\n    env: [{name: A, value: "1"}]\n';
const definition = thingDefinition(`        properties:
          first: {type: string}
          second:
`);

/** A document with a value in brackets `«»` that the decoder refuses, and the message there. */
const rows: readonly (readonly [string, string, string])[] = [
  ['an item of a list in a later item', `${role}  resources: [pods, «5»]\n  verbs: [get]\n`, 'cannot unmarshal number'],
  ['a list as an item of a list of texts', `${role}  resources: [pods]\n  verbs:\n  - list\n  - «[get]»\n`, 'cannot unmarshal array'],
  ['a list instead of a text', `${pod}${spec}    workingDir: «[a]»\n`, 'cannot unmarshal array'],
  ['a label', `${pod}    other: «true»\n${spec}`, 'cannot unmarshal bool'],
  ['a label of YAML 1.1', `${pod}    other: «yes»\n${spec}`, 'cannot unmarshal bool'],
  ['a field below an embedded struct', `${pod}${spec}  volumes:\n  - name: v\n    secret: {secretName: «7»}\n`, 'cannot unmarshal number'],
  [
    'the value of the second variable',
    `${pod}${spec}    - name: B\n      value: «5»\n`.replace('[{name: A, value: "1"}]\n', '\n    - {name: A, value: "1"}\n'),
    'cannot unmarshal number',
  ],
  [
    'a number that does not fit',
    `${pod}${spec}    ports: [{containerPort: 80}, {containerPort: «99999999999»}]\n`,
    'cannot unmarshal number 99999999999',
  ],
  [
    'a schema below the names of properties',
    `${definition}            type: object\n            description: «-17»\n`,
    'cannot unmarshal number',
  ],
  ['an alias', `${pod}    number: &n «5»\n${spec}    workingDir: dir\n`, 'cannot unmarshal number'],
  [
    'a JSON document',
    '{"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "a"}, "data": {"a": "1", "b": «2»}}',
    'cannot unmarshal number',
  ],
];

it.each(rows)('marks %s', async (name, marked, message) => {
  const text = marked.replace(/[«»]/g, '');
  const before = marked.slice(0, marked.indexOf('«')).split('\n');
  const found = await editor.show(`file:///${encodeURIComponent(name)}.yaml`, text);
  const start = { line: before.length - 1, character: before.at(-1)?.length ?? 0 };
  expect(found.filter(({ range }) => JSON.stringify(range.start) === JSON.stringify(start)).map(one => one.message)).toEqual([
    expect.stringContaining(message),
  ]);
});

it('marks the nearest field in a document with maps that contain themselves', async () => {
  const found = await editor.show('file:///itself.yaml', `${pod}    other: &a [*a]\n${spec}`);
  expect(found.length).toBeGreaterThan(0);
});
