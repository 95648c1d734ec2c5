import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CompletionItem, CompletionList, Hover } from 'vscode-languageserver';
import { readUnstructured } from '../../src/encoding/unstructured.js';
import type { ValueMap } from '../../src/go/value.js';
import { type Editor, startEditor } from './editor.js';

const definition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'things.example.com' },
  spec: {
    group: 'example.com',
    scope: 'Namespaced',
    names: { plural: 'things', kind: 'Thing' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: {
              spec: {
                type: 'object',
                required: ['size'],
                properties: {
                  size: { type: 'integer', description: 'how *large*' },
                  color: { type: 'string', enum: ['red', 'green'], default: 'red' },
                  parts: { type: 'array', items: { type: 'object', properties: { name: { type: 'string' } } } },
                },
              },
            },
          },
        },
      },
    ],
  },
};

let editor: Editor;
beforeAll(async () => {
  editor = await startEditor({ objects: [readUnstructured(JSON.stringify(definition)) as ValueMap] });
});
afterAll(async () => {
  await editor.close();
});

const uri = 'file:///completion.yaml';

/** Opens a text whose place is marked with `‸`. */
async function placed(
  marked: string,
): Promise<{ readonly textDocument: { readonly uri: string }; readonly position: { line: number; character: number } }> {
  const before = marked.slice(0, marked.indexOf('‸')).split('\n');
  await editor.show(uri, marked.replace('‸', ''));
  return { textDocument: { uri }, position: { line: before.length - 1, character: before.at(-1)?.length ?? 0 } };
}

async function offered(marked: string): Promise<readonly CompletionItem[]> {
  const list: CompletionList | null = await editor.connection.sendRequest('textDocument/completion', await placed(marked));
  return list?.items ?? [];
}

async function labels(marked: string): Promise<string[]> {
  return (await offered(marked)).map(({ label }) => label);
}

async function hovered(marked: string): Promise<string> {
  const hover: Hover | null = await editor.connection.sendRequest('textDocument/hover', await placed(marked));
  return hover === null ? '' : (hover.contents as { value: string }).value;
}

describe('fields', () => {
  const pod = 'apiVersion: v1\nkind: Pod\nmetadata:\n  name: a\nspec:\n  containers:\n  - name: x\n';
  const rows: readonly (readonly [string, string, readonly string[], readonly string[]])[] = [
    ['of a container', `${pod}    ‸\n`, ['image', 'env', 'securityContext'], ['name', 'containers', 'metadata']],
    ['of a container, with a part of the name', `${pod}    ima‸\n`, ['image', 'imagePullPolicy'], ['name']],
    ['of the pod', `${pod}  ‸`, ['volumes', 'restartPolicy', 'nodeSelector'], ['containers', 'image']],
    ['of the root', `${pod}‸`, ['status'], ['spec', 'kind', 'apiVersion']],
    ['of a new item', `${pod}  - ‸`, ['name', 'image'], ['volumes']],
    ['in flow style', 'apiVersion: v1\nkind: Service\nspec: {type: ClusterIP, ‸}\n', ['ports', 'selector'], ['type']],
    ['in JSON', '{"apiVersion": "v1", "kind": "Service", "spec": {"‸"}}', ['ports', 'type'], ['spec']],
    ['of a definition', 'apiVersion: example.com/v1\nkind: Thing\nspec:\n  ‸', ['size', 'color', 'parts'], ['metadata']],
    ['of an item of a definition', 'apiVersion: example.com/v1\nkind: Thing\nspec:\n  parts:\n  - n‸', ['name'], ['size']],
    [
      'of an item of a List',
      'apiVersion: v1\nkind: List\nitems:\n- apiVersion: v1\n  kind: ConfigMap\n  ‸',
      ['data', 'binaryData', 'immutable'],
      ['spec'],
    ],
    ['in a document with an error', `${pod}    ports: [{]\n    ‸\n`, [], ['name']],
    ['of a second document', `${pod}---\napiVersion: v1\nkind: ConfigMap\n‸`, ['data'], ['spec', 'kind']],
  ];
  for (const [name, text, present, absent] of rows) {
    it(name, async () => {
      const found = await labels(text);
      for (const label of present) expect(found).toContain(label);
      for (const label of absent) expect(found).not.toContain(label);
    });
  }

  it('replace the word, and go on with a value or a new line', async () => {
    const items = await offered(`${pod}    ima‸\n`);
    const [image, security] = ['image', 'securityContext'].map(name => items.find(({ label }) => label === name));
    expect(image?.textEdit).toEqual({ range: { start: { line: 7, character: 4 }, end: { line: 7, character: 7 } }, newText: 'image: ' });
    expect(security?.textEdit?.newText).toBe('securityContext:');
  });
});

describe('values', () => {
  const pod = 'apiVersion: v1\nkind: Pod\nmetadata: {name: a}\nspec:\n  containers:\n  - name: x\n    image: nginx\n';
  const rows: readonly (readonly [string, string, readonly string[], readonly string[]])[] = [
    ['that the API server supports', `${pod}  restartPolicy: ‸`, ['Always', 'OnFailure', 'Never'], ['Sometimes']],
    ['in an item', `${pod}    imagePullPolicy: A‸`, ['Always', 'IfNotPresent', 'Never'], []],
    ['of a boolean', `${pod}  hostNetwork: ‸`, ['true', 'false'], ['Always']],
    ['of a definition', 'apiVersion: example.com/v1\nkind: Thing\nspec: {size: 1, color: ‸}\n', ['red', 'green'], ['true']],
    ['of kind', 'apiVersion: apps/v1\nkind: ‸', ['Deployment', 'StatefulSet'], ['Pod', 'Thing']],
    ['of apiVersion', 'apiVersion: ‸\n', ['v1', 'apps/v1', 'example.com/v1'], []],
    ['of apiVersion beside a kind', 'kind: Thing\napiVersion: ‸\n', ['example.com/v1'], ['v1']],
  ];
  for (const [name, text, present, absent] of rows) {
    it(name, async () => {
      const found = await labels(text);
      for (const label of present) expect(found).toContain(label);
      for (const label of absent) expect(found).not.toContain(label);
    });
  }
});

const policy = (expression: string, more = ''): string =>
  `apiVersion: admissionregistration.k8s.io/v1\nkind: ValidatingAdmissionPolicy\nmetadata: {name: a}\nspec:\n  matchConstraints:\n    resourceRules:\n` +
  `    - {apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [pods]}\n${more}  validations:\n  - expression: ${expression}\n`;
const mutation = (expression: string): string =>
  policy(expression)
    .replace('Validating', 'Mutating')
    .replace(
      '  validations:\n  - expression: ',
      '  mutations:\n  - patchType: ApplyConfiguration\n    applyConfiguration:\n      expression: ',
    );
const rule = (text: string): string => {
  const whole = JSON.stringify(definition);
  return whole.replace('"required":["size"]', `"x-kubernetes-validations":[{"rule":${JSON.stringify(text)}}],"required":["size"]`);
};

describe('expressions', () => {
  const rows: readonly (readonly [string, string, readonly string[], readonly string[]])[] = [
    [
      'variables',
      policy('‸'),
      ['object', 'oldObject', 'request', 'namespaceObject', 'authorizer', 'has', 'size'],
      ['params', 'self', 'all', 'split'],
    ],
    ['a part of a variable', policy('obj‸'), ['object'], []],
    ['fields of the object', policy('object.‸'), ['spec', 'metadata', 'status'], ['containers', 'split', 'data']],
    ['fields of an item', policy('object.spec.containers[0].‸'), ['image', 'name', 'securityContext'], ['containers', 'all']],
    [
      'members of a list',
      policy('object.spec.containers.‸'),
      ['all', 'exists', 'exists_one', 'map', 'filter', 'size'],
      ['image', 'split', 'optMap'],
    ],
    [
      'members of a string',
      policy('object.metadata.name.‸'),
      ['startsWith', 'matches', 'split', 'size', 'contains'],
      ['all', 'spec', 'getFullYear'],
    ],
    ['members of a time', policy('object.metadata.creationTimestamp.‸'), ['getFullYear', 'getHours'], ['startsWith', 'all']],
    ['a variable of a macro', policy('object.spec.containers.all(c, c.‸)'), ['image', 'ports'], ['containers']],
    [
      'a variable of a macro in a macro',
      policy('object.spec.containers.all(c, c.ports.exists(p, p.‸))'),
      ['containerPort', 'protocol'],
      ['image'],
    ],
    ['the names of macro variables', policy('object.spec.containers.all(c, ‸)'), ['c', 'object'], ['p']],
    ['after an operator', policy('object.spec.hostNetwork && object.spec.‸'), ['containers'], ['metadata']],
    ['before the rest of the expression', policy('object.spec.‸ == 1 && true'), ['containers'], ['metadata']],
    ['fields of the request', policy('request.‸'), ['operation', 'userInfo', 'kind', 'namespace'], ['spec', 'size']],
    ['fields of the user', policy('request.userInfo.‸'), ['username', 'groups', 'extra'], ['operation']],
    ['functions with a namespace', policy('sets.‸'), ['contains', 'intersects'], ['object']],
    ['the authorizer', policy('authorizer.‸'), ['group', 'path', 'serviceAccount'], ['spec', 'allowed']],
    [
      'variables of the policy',
      policy('variables.‸', "  variables:\n  - {name: images, expression: 'object.spec.containers.map(c, c.image)'}\n"),
      ['images'],
      ['spec'],
    ],
    [
      'the type of a variable of the policy',
      policy('variables.images.‸', "  variables:\n  - {name: images, expression: 'object.spec.containers.map(c, c.image)'}\n"),
      ['all', 'size'],
      ['startsWith'],
    ],
    ['optional fields', policy('object.?spec.‸'), ['containers', 'orValue', 'hasValue'], ['metadata']],
    ['a literal block', policy('|\n      object.spec.containers.all(c,\n        c.‸)'), ['image'], ['containers']],
    ['double quotes', policy('"object.metadata.name == \\"x\\" && object.spec.‸"'), ['containers'], []],
    ['nothing in a string', policy("object.metadata.name == 'a.‸'"), [], ['spec', 'object']],
    ['values of constructors', mutation('Object{‸}'), ['spec', 'metadata'], ['object']],
    [
      'fields of constructors',
      mutation("'Object{spec: Object.spec{hostNetwork: true, ‸}}'"),
      ['containers', 'nodeSelector'],
      ['metadata', 'hostNetwork'],
    ],
    ['patches', mutation(`'[JSONPatch{op: "add", ‸}]'`), ['path', 'value', 'from'], ['op', 'object']],
    ['rules of a definition', rule('self.‸'), ['size', 'color', 'parts'], ['spec', 'metadata', 'object']],
    ['items in rules of a definition', rule('self.parts.all(p, p.‸)'), ['name'], ['size']],
    ['variables of rules', rule('‸'), ['self', 'oldSelf'], ['object', 'request']],
  ];
  for (const [name, text, present, absent] of rows) {
    it(name, async () => {
      const found = await labels(text);
      for (const label of present) expect(found).toContain(label);
      for (const label of absent) expect(found).not.toContain(label);
    });
  }

  it('replace the word that is being written', async () => {
    const item = (await offered(policy('object.spec.cont‸ == 1'))).find(({ label }) => label === 'containers');
    expect(item?.textEdit).toEqual({
      range: { start: { line: 8, character: 28 }, end: { line: 8, character: 32 } },
      newText: 'containers',
    });
  });
});

describe('hover', () => {
  it('shows the type of a field', async () => {
    expect(await hovered('apiVersion: v1\nkind: Pod\nspec:\n  contai‸ners: []\n')).toBe('```\ncontainers: []Container\n```');
  });

  it('shows what a definition says about a field, as text', async () => {
    expect(await hovered('apiVersion: example.com/v1\nkind: Thing\nspec:\n  si‸ze: 1\n')).toBe(
      '```\nsize: integer\n```\n\nhow \\*large\\*\n\nRequired\\.',
    );
  });

  it('shows the type of a part of an expression', async () => {
    expect(await hovered(policy('object.spec.contai‸ners.size() > 0'))).toBe('```\ncontainers: list(Container) // Pod\n```');
    expect(await hovered(policy('object.spec.containers.si‸ze() > 0'))).toContain('size(');
  });
});
