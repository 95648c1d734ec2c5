import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import Match from '../../commands/match.js';
// Loaded here, so that loading does not count for the timeout of the first test.
import '../../src/cli/commands/match/run-match.js';
import { runCommand } from '../support/run-command.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const pod = 'fixtures/manifests/pod-sidecar.yaml';
const folder = temporaryFolder();
const state = path.join(folder.folder, 'state.yaml');

/** One webhook that matches the pod, with changes. */
function stateWith(parts: Record<string, unknown>): string {
  const webhook = {
    name: 'w.example.com',
    clientConfig: { url: 'https://w.example.com/' },
    admissionReviewVersions: ['v1'],
    sideEffects: 'None',
    rules: [{ operations: ['CREATE'], apiGroups: [''], apiVersions: ['v1'], resources: ['pods'] }],
    ...parts,
  };
  const configuration = { apiVersion: 'admissionregistration.k8s.io/v1', kind: 'ValidatingWebhookConfiguration', metadata: { name: 'v' } };
  const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop', labels: { env: 'dev' } } };
  return `${JSON.stringify(namespace)}\n---\n${JSON.stringify({ ...configuration, webhooks: [webhook] })}\n`;
}

async function matched(parts: Record<string, unknown>, more: readonly string[] = []): Promise<string> {
  writeFileSync(state, stateWith(parts));
  const { stdout, stderr } = await runCommand(Match, ['-f', pod, '--state', state, ...more]);
  expect(stderr).toBe('');
  return stdout;
}

beforeAll(async () => {
  await matched({});
}, 20_000);
afterAll(() => folder.remove());

describe('match', () => {
  it('counts many webhooks without a matching rule, and lists them with --all', async () => {
    const many = Array.from({ length: 4 }, (_, i) => [
      '---',
      JSON.stringify({
        ...{ apiVersion: 'admissionregistration.k8s.io/v1', kind: 'ValidatingWebhookConfiguration', metadata: { name: `other-${i}` } },
        webhooks: [
          {
            ...{
              name: 'w.example.com',
              clientConfig: { url: 'https://w.example.com/' },
              admissionReviewVersions: ['v1'],
              sideEffects: 'None',
            },
            rules: [{ operations: ['CREATE'], apiGroups: [''], apiVersions: ['v1'], resources: ['secrets'] }],
          },
        ],
      }),
    ]).flat();
    const others = path.join(folder.folder, 'others.yaml');
    writeFileSync(others, many.join('\n'));
    expect((await matched({}, ['--state', others])).split('\n')).toEqual([
      'CREATE Pod shop/web',
      'PHASE       WEBHOOK          CALLED',
      'validating  v/w.example.com  yes',
      '4 more have no matching rule; --all lists them',
      '',
    ]);
    expect((await matched({}, ['--state', others, '--all'])).match(/no: rules: /g)).toHaveLength(4);
  });

  it('reports that a webhook is called', async () => {
    expect(await matched({})).toBe('CREATE Pod shop/web\nPHASE       WEBHOOK          CALLED\nvalidating  v/w.example.com  yes\n');
  });

  const labels = 'env=dev,kubernetes.io/metadata.name=shop';
  it.each([
    [
      'namespaceSelector',
      { matchLabels: { env: 'prod' } },
      { matchLabels: { env: 'dev' } },
      `namespaceSelector: namespace shop has the labels ${labels}`,
    ],
    [
      'objectSelector',
      { matchLabels: { a: 'b' } },
      { matchExpressions: [{ key: 'a', operator: 'DoesNotExist' }] },
      'objectSelector: the object has the labels (none)',
    ],
    [
      'rules',
      [{ operations: ['UPDATE'], apiGroups: [''], apiVersions: ['v1'], resources: ['pods'] }],
      [{ operations: ['*'], apiGroups: [''], apiVersions: ['v1'], resources: ['pods'] }],
      'rules: no rule matches CREATE pods of the core group v1: it is for UPDATE pods of core v1',
    ],
    [
      'rules',
      [
        { operations: ['DELETE'], apiGroups: ['apps'], apiVersions: ['v1'], resources: ['deployments'] },
        { operations: ['CREATE'], apiGroups: ['apps'], apiVersions: ['v1'], resources: ['pods', 'pods/status'] },
      ],
      [{ operations: ['CREATE'], apiGroups: [''], apiVersions: ['v1'], resources: ['pods', 'pods/status'] }],
      'rules: no rule matches CREATE pods of the core group v1: the nearest is CREATE pods|pods/status of apps v1',
    ],
    [
      'matchConditions',
      [{ name: 'c', expression: "object.metadata.name == 'other'" }],
      [{ name: 'c', expression: "object.metadata.name == 'web'" }],
      'matchConditions: condition c is false',
    ],
  ])('reports that %s prevents a webhook call, and calls it after a change', async (field, wrong, right, reason) => {
    expect(await matched({ [field]: wrong })).toContain(`no: ${reason}\n`);
    expect(await matched({ [field]: right })).toContain('v/w.example.com  yes\n');
  });

  it('reports that webhooks are never called for webhook configurations', async () => {
    writeFileSync(state, stateWith({ rules: [{ operations: ['*'], apiGroups: ['*'], apiVersions: ['*'], resources: ['*'] }] }));
    const configuration = path.join(folder.folder, 'configuration.yaml');
    writeFileSync(configuration, stateWith({}).split('---\n')[1]?.replace('"v"', '"w"') ?? '');
    const { stdout } = await runCommand(Match, ['-f', configuration, '--state', state]);
    expect(stdout).toContain('v/w.example.com  no: exempt: webhooks are never called for ValidatingWebhookConfiguration\n');
  });

  it('reports that a call is refused before webhooks', async () => {
    writeFileSync(state, stateWith({}));
    const { stdout, stderr } = await runCommand(Match, ['-f', pod, '--state', state, '-n', 'shop', '--operation', 'update']);
    expect(stdout).toBe('no webhook was called: the API server refused the call first\n');
    expect(stderr).toContain('NotFound');
  });

  it('says which required field has no value, and that the API server refuses the object before validating webhooks', async () => {
    const schema = {
      type: 'object',
      required: ['spec'],
      properties: { spec: { type: 'object', properties: { size: { type: 'integer' } } } },
    };
    const definition = {
      ...{ apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition', metadata: { name: 'widgets.example.com' } },
      spec: {
        ...{ group: 'example.com', scope: 'Cluster', names: { plural: 'widgets', kind: 'Widget' } },
        versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: schema } }],
      },
    };
    const rules = [{ operations: ['CREATE'], apiGroups: ['example.com'], apiVersions: ['v1'], resources: ['widgets'] }];
    const validating = stateWith({ rules });
    const mutating = validating.slice(validating.indexOf('---')).replace('"ValidatingWebhook', '"MutatingWebhook');
    writeFileSync(state, `${validating}${mutating}---\n${JSON.stringify(definition)}\n`);
    const sample = path.join(folder.folder, 'sample.yaml');
    writeFileSync(sample, 'apiVersion: example.com/v1\nkind: Widget\nmetadata: {name: w}\nspec:\n  # TODO(user): Add fields here\n');
    const { stdout, stderr, exitCode } = await runCommand(Match, ['-f', sample, '--state', state]);
    expect(stdout).toBe(`CREATE Widget w
PHASE     WEBHOOK          CALLED
mutating  v/w.example.com  yes
no validating webhook is called: the API server refuses the object first
`);
    expect(stderr).toBe(`The Widget "w" is invalid: spec: Required value
note: spec has no value in the manifest, and the API server drops it: fill it in, or write "spec: {}"
`);
    expect(exitCode).toBe(1);
  });

  it('explains each predicate with its value', async () => {
    expect(await matched({ namespaceSelector: { matchLabels: { env: 'prod' } } }, ['--explain'])).toContain(
      `  ! namespaceSelector: wants env=prod; saw namespace shop has ${labels}
    rules: wants CREATE pods of core v1 [Equivalent]; saw CREATE pods of core v1
    objectSelector: anything
`,
    );
  });

  it('shows operations that no webhook covers', async () => {
    const rows = (await matched({}, ['--all-operations'])).split('\n').map(row => row.split(/ +/));
    expect(rows).toContainEqual(['CREATE', 'pods', '-', 'w.example.com']);
    expect(rows).toContainEqual(['UPDATE', 'pods/ephemeralcontainers', '-', '-']);
  });

  it('prints documents without a decision', async () => {
    const report = JSON.parse(await matched({}, ['-o', 'json'])) as Record<string, unknown>;
    expect(Object.keys(report)).toEqual(['apiVersion', 'kind', 'kubernetesVersion', 'call', 'webhooks', 'findings', 'notes']);
  });
});

it('writes a page that explains the selection, with the steps of each call', async () => {
  const html = await matched({ namespaceSelector: { matchLabels: { env: 'prod' } } }, ['-o', 'html']);
  const json = /<script type="application\/json" id="data">(.*?)<\/script>/.exec(html)?.[1] ?? '';
  const [entry] = JSON.parse(json).entries;
  expect(entry.calls[0].steps.length).toBeGreaterThan(5);
  const [namespaces] = entry.calls[0].webhooks[0].selection;
  expect(namespaces).toMatchObject({ predicate: 'namespaceSelector', wants: 'env=prod', decided: true });
});
