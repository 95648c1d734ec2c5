import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import Convert from '../../commands/convert.js';
import Match from '../../commands/match.js';
import Request from '../../commands/request.js';
import Review from '../../commands/review.js';
import Test from '../../commands/test.js';
import { findDefinitionRefusal } from '../../src/cli/work/input/refused-definitions.js';
import { isMap, toValue, type ValueMap } from '../../src/go/value.js';
import { loadState, review } from '../../src/library/entry.js';
import { type CommandClass, type CommandResult, runCommand } from '../support/run-command.js';
import { server } from '../support/server.js';
import { runWithSmallStack } from '../support/small-stack.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const schema = (spec: string): string => `    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            ${spec}
`;
const definition = (spec: string, more = ''): string => `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: lamps.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {kind: Lamp, plural: lamps}
  versions:
  - name: v1
    served: true
    storage: true
    subresources: {status: {}, scale: {specReplicasPath: .spec.n, statusReplicasPath: .status.n}}
${schema(spec)}${more}`;

const untyped = definition('properties: {n: {type: integer}}');
const files = {
  'untyped.yaml': untyped,
  // Output of older versions of controller-gen.
  'generated.yaml': `${untyped}status: {acceptedNames: {kind: "", plural: ""}, conditions: [], storedVersions: []}\n`,
  'beta.yaml': untyped.replace('apiextensions.k8s.io/v1', 'apiextensions.k8s.io/v1beta1'),
  'from-cluster.yaml': untyped.replace('{name: lamps.example.com}', '{name: lamps.example.com, generation: 1}'),
  'established.yaml': `${untyped}status: {storedVersions: [v1]}\n`,
  'unknown-field.yaml': definition('{type: object, properties: {n: {type: integer}}}', 'spec2: {}\n'),
  'lamp.yaml': 'apiVersion: example.com/v1\nkind: Lamp\nmetadata: {name: a}\nspec: {n: 1}\n',
  'map.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n',
  'scale.yaml': 'apiVersion: autoscaling/v1\nkind: Scale\nmetadata: {name: a, namespace: default}\nspec: {replicas: 2}\n',
  'call.yaml': 'method: GET\npath: /apis/example.com/v1/namespaces/default/lamps/a\n',
  's.webhook-test.yaml': `apiVersion: webhook-cli.dev/v1alpha1
kind: Suite
demo: true
state: [untyped.yaml]
cases:
- {name: a, filename: lamp.yaml}
- {name: b, filename: lamp.yaml, scenarios: [create]}
- {name: c, filename: lamp.yaml, to: v1}
- {name: d, filename: map.yaml, expect: {allowed: true}}
`,
};

let folder: string;
let remove: () => void;

beforeAll(() => {
  ({ folder, remove } = temporaryFolder(files));
});
afterAll(() => remove());

const run = (command: CommandClass, argv: readonly string[]): Promise<CommandResult> =>
  runCommand(command, argv, { cwd: folder, env: { XDG_CACHE_HOME: '' } });

const message =
  'the API server refuses the definition lamps.example.com: spec.validation.openAPIV3Schema.properties[spec].type: Required value: must not be empty for specified object fields';
const sentence = `untyped.yaml:17:11: ${message}`;
const advice = '; run webhook-cli lint for all errors';

describe('a definition that the API server rejects', { timeout: 30_000 }, () => {
  it.each<[string, CommandClass, string[]]>([
    ['review', Review, ['--demo', '-f', 'lamp.yaml']],
    ['request', Request, ['-f', 'lamp.yaml']],
    ['match', Match, ['--url', 'https://127.0.0.1:1/', '-f', 'lamp.yaml']],
    ['convert', Convert, ['--demo', '-f', 'lamp.yaml', '--to', 'all']],
    [
      'a call of its scale',
      Review,
      ['--demo', '-f', 'scale.yaml', '--operation', 'update', '--subresource', 'scale', '--old', 'lamp.yaml'],
    ],
    ['an exact call', Review, ['--demo', '--call', 'call.yaml']],
  ])('is an error of the input where it is needed: %s', async (_, command, argv) => {
    expect(await run(command, ['--state', 'untyped.yaml', ...argv])).toEqual({
      exitCode: 3,
      stdout: '',
      stderr: `error: ${sentence}${advice}\n`,
    });
  });

  it('is a warning where it is not', async () => {
    const { exitCode, stderr } = await run(Review, ['--demo', '--state', 'untyped.yaml', '-f', 'map.yaml']);
    expect([exitCode, stderr]).toEqual([0, `warning: ${sentence}\n`]);
  });

  it('is not checked if it is large and no call needs it', async () => {
    const large = untyped
      .replaceAll('lamp', 'torch')
      .replace('properties: {n:', `description: ${'x'.repeat(300_000)}\n            properties: {n:`);
    writeFileSync(path.join(folder, 'large.yaml'), large);
    const { exitCode, stderr } = await run(Review, ['--demo', '--state', 'large.yaml', '--state', 'untyped.yaml', '-f', 'map.yaml']);
    expect([exitCode, stderr]).toEqual([0, `warning: ${sentence}\n`]);
  });

  it.each([
    ['generated.yaml', `generated.yaml:17:11: ${message}`],
    [
      'beta.yaml',
      'beta.yaml:1:1: the API server refuses the definition lamps.example.com: no matches for kind "CustomResourceDefinition" in version "apiextensions.k8s.io/v1beta1"',
    ],
  ])('is compared independently of its source: %s', async (file, expected) => {
    const { exitCode, stderr } = await run(Review, ['--demo', '--state', file, '-f', 'lamp.yaml']);
    expect([exitCode, stderr]).toEqual([3, `error: ${expected}${advice}\n`]);
  });

  it.each(['from-cluster.yaml', 'established.yaml'])('is accepted if it comes from a cluster: %s', async file => {
    for (const manifest of ['lamp.yaml', 'map.yaml']) {
      const { exitCode, stderr } = await run(Review, ['--demo', '--state', file, '-f', manifest]);
      expect([exitCode, stderr]).toEqual([0, '']);
    }
  });

  it('is none for a field that only kubectl would refuse', async () => {
    const { exitCode, stderr } = await run(Review, ['--demo', '--state', 'unknown-field.yaml', '-f', 'lamp.yaml']);
    expect([exitCode, stderr]).toEqual([0, '']);
  });

  it('may be nested too deeply: lint and convert report it, and calls that do not need it are made', async () => {
    const levels = 4990;
    const schema = `${'{"type":"object","properties":{"p":'.repeat(levels)}{"type":"string"}${'}}'.repeat(levels)}`;
    const deep = JSON.stringify({ apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition' }).slice(0, -1);
    const spec = `"spec":{"group":"example.com","scope":"Namespaced","names":{"kind":"Lamp","plural":"lamps"},"versions":[{"name":"v1","served":true,"storage":true,"schema":{"openAPIV3Schema":${schema}}}]}`;
    writeFileSync(path.join(folder, 'deep.json'), `${deep},"metadata":{"name":"lamps.example.com"},${spec}}`);
    const limit = 'an object or schema in this call is nested too deeply';
    const said = (...argv: string[]): unknown[] => {
      const { status, stderr } = runWithSmallStack(folder, ...argv);
      return [status, stderr];
    };
    expect(said('review', '--demo', '--state', 'deep.json', '-f', 'map.yaml')).toEqual([0, '']);
    expect(said('convert', '--demo', '--state', 'deep.json', '-f', 'lamp.yaml', '--to', 'v1')).toEqual([
      2,
      `error: ${limit.replace('this call', 'these conversions')}\n`,
    ]);
    const posted = 'POST /apis/apiextensions.k8s.io/v1/customresourcedefinitions';
    expect(said('lint', '-f', 'deep.json')).toEqual([2, `error: deep.json:1:1: ${posted}: ${limit}\n`]);
  });

  it('makes the cases of a suite that need it broken, and no others', async () => {
    const { exitCode, stdout } = await run(Test, ['s.webhook-test.yaml']);
    expect(exitCode).toBe(3);
    expect(stdout.match(/input: .*\n +untyped.*/g)).toEqual(Array(4).fill(`input: ${message}${advice}\n    untyped.yaml:17:11`));
    expect(stdout).toMatch(/\n1 passed, 0 failed, 4 broken/);
  });

  it('is an error of the library, too', async () => {
    const state = await loadState(path.join(folder, 'untyped.yaml'));
    const asked = review({ filename: path.join(folder, 'lamp.yaml'), state, demo: true });
    await expect(asked).rejects.toMatchObject({ code: 'invalid-configuration', message: message });
  });

  it('is validated once', () => {
    const object = map({ apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition', metadata: { name: 'a' } });
    expect(findDefinitionRefusal(server, object)).toBe(findDefinitionRefusal(server, object));
  });
});

function map(value: object): ValueMap {
  const made = toValue(value);
  if (!isMap(made)) throw new Error('no object');
  return made;
}
