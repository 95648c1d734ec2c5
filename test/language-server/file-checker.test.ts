import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Checking, FileChecker } from '../../src/language-server/diagnostics/file-checker.js';
import { EditedFile } from '../../src/language-server/text/file-documents.js';
import { editorSurroundings } from './editor.js';

const { readSettings, effects, uid, now } = editorSurroundings({ objects: [] });
const { state } = await readSettings(undefined);

/** Calls made. */
let created = 0;
const counting: Checking = {
  state: { ...state, presumesNamespaces: false },
  effects: callWebhook => {
    created += 1;
    return effects(callWebhook);
  },
  uid,
  now,
  isCancelled: async () => false,
};

class Edited {
  readonly #file = new EditedFile();
  readonly #checker = new FileChecker();

  async messages(documents: readonly string[]): Promise<readonly string[] | undefined> {
    const text = documents.join('---\n');
    const checked = await this.#checker.check(this.#file.update(text), counting);
    return checked?.problems.map(({ start, end, message }) => `${start}-${end}: ${message}`);
  }
}

const configMap = (name: string, namespace = 'default'): string =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}, namespace: ${namespace}}\ndata: {}\n`;
const namespace = (name: string): string => `apiVersion: v1\nkind: Namespace\nmetadata: {name: ${name}}\n`;
const definition = (type: string): string => `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: things.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {plural: things, singular: thing, kind: Thing, listKind: ThingList}
  versions:
  - {name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object, properties: {spec: {type: object, properties: {size: {type: ${type}}}}}}}}
`;
const thing = 'apiVersion: example.com/v1\nkind: Thing\nmetadata: {name: a, namespace: default}\nspec: {size: 1}\n';
const policy = (expression: string): string => `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: p}
spec:
  matchConstraints:
    resourceRules:
    - {apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [configmaps]}
  validations:
  - expression: ${expression}
`;
const binding =
  'apiVersion: admissionregistration.k8s.io/v1\nkind: ValidatingAdmissionPolicyBinding\nmetadata: {name: p}\nspec: {policyName: p, validationActions: [Deny]}\n';
const service = (name: string, port: number): string =>
  `apiVersion: v1\nkind: Service\nmetadata: {name: ${name}, namespace: default}\nspec: {type: NodePort, ports: [{port: 80, nodePort: ${port}}]}\n`;
const quota =
  'apiVersion: v1\nkind: ResourceQuota\nmetadata: {name: q, namespace: default}\nspec: {hard: {count/configmaps: "1"}}\nstatus: {hard: {count/configmaps: "1"}, used: {count/configmaps: "0"}}\n';

describe('a changed document', () => {
  it('is the only one that is created again', async () => {
    const file = new Edited();
    await file.messages(['a', 'b', 'c'].map(name => configMap(name)));
    created = 0;
    expect(await file.messages([configMap('a'), configMap('B'), configMap('c')])).toHaveLength(1);
    expect(created).toBe(1);
  });

  it('moves the problems of the others', async () => {
    const file = new Edited();
    const before = await file.messages([configMap('a'), configMap('B')]);
    created = 0;
    const after = await file.messages([configMap('a').replace('{}', '{x: z}'), configMap('B')]);
    expect(created).toBe(1);
    expect(after).toHaveLength(1);
    expect(after).not.toEqual(before);
  });

  it.each([
    ['a namespace', [namespace('shop'), configMap('a', 'shop')], [namespace('store'), configMap('a', 'shop')]],
    ['an object of the same name', [configMap('b'), configMap('a')], [configMap('a'), configMap('a')]],
    ['a definition', [definition('integer'), thing], [definition('string'), thing]],
    ['a policy', [policy('1 == 1'), binding, configMap('a')], [policy('1 == 2'), binding, configMap('a')]],
    ['a port of a service', [service('a', 30001), service('b', 30002)], [service('a', 30002), service('b', 30002)]],
  ])('%s that others depend on has them created again', async (_, before, after) => {
    const file = new Edited();
    expect(await file.messages(before)).toEqual([]);
    expect(await file.messages(after)).not.toEqual([]);
    expect(await file.messages(before)).toEqual([]);
  });

  it('may be cancelled at any time, and is checked then', async () => {
    const [file, checker] = [new EditedFile(), new FileChecker()];
    const text = [configMap('a'), configMap('B'), configMap('a')].join('---\n');
    const whole = await new FileChecker().check(file.update(text), counting);
    for (let calls = 0; calls < 4; calls += 1) {
      let left = calls;
      const isCancelled = async (): Promise<boolean> => {
        left -= 1;
        return left < 0;
      };
      await checker.check(file.update(text), { ...counting, isCancelled });
      expect((await checker.check(file.update(text), counting))?.problems).toEqual(whole?.problems);
    }
  });
});

it('answers after any edits as if the file were new', { timeout: 600_000 }, async () => {
  const pool = [
    ...['a', 'b', 'B'].flatMap(name => ['default', 'shop'].map(one => configMap(name, one))),
    namespace('shop'),
    namespace('Shop'),
    definition('integer'),
    definition('string'),
    thing,
    policy('object.metadata.name != "a"'),
    policy('nothing'),
    binding,
    quota,
    service('a', 30001),
    service('b', 30001),
    'not: an object\n',
    '{{ template }}\napiVersion: v1\nkind: Pod\n',
    'apiVersion: v1\nkind: List\nitems:\n- {apiVersion: v1, kind: ConfigMap, metadata: {name: a, namespace: default}}\n- {apiVersion: v1, kind: Secret, metadata: {name: "1 "}}\n',
  ];
  const documents = fc.array(fc.constantFrom(...pool), { maxLength: 8 });
  const edit = fc.record({ at: fc.nat(8), removed: fc.nat(2), added: fc.array(fc.constantFrom(...pool), { maxLength: 2 }) });
  await fc.assert(
    fc.asyncProperty(documents, fc.array(edit, { maxLength: 6 }), async (start, edits) => {
      const file = new Edited();
      let text = [...start];
      for (const { at, removed, added } of [{ at: 0, removed: 0, added: [] }, ...edits]) {
        text = text.toSpliced(at, removed, ...added);
        expect(await file.messages(text)).toEqual(await new Edited().messages(text));
      }
    }),
    { numRuns: Number(process.env['WEBHOOK_CLI_EDITS'] ?? 150), seed: 70 },
  );
});
