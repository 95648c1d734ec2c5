import { expect, it } from 'vitest';
import Lint from '../../../commands/lint.js';
import { runCommand } from '../../support/run-command.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const definition = (plural: string, kind: string): string => `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: ${plural}.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {plural: ${plural}, singular: ${plural.slice(0, -1)}, kind: ${kind}, listKind: ${kind}List}
  versions:
  - {name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object, properties: {a: {type: string}}}}}
  - {name: v2, served: true, storage: false, schema: {openAPIV3Schema: {type: object, properties: {b: {type: string}}}}}
`;

const patch = (plural: string, spec = ''): string =>
  `apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: ${plural}.example.com, annotations: {a: b}}\n${spec}`;

const conversion = `spec:
  conversion:
    strategy: Webhook
    webhook: {clientConfig: {service: {namespace: system, name: webhook-service, path: /convert}}, conversionReviewVersions: [v1]}
`;

/** As kubebuilder writes a project: one conversion webhook is enabled, the other patches are comments, and one is left over. */
const project = {
  'config/crd/bases/boats.yaml': definition('boats', 'Boat'),
  'config/crd/bases/sails.yaml': definition('sails', 'Sail'),
  'config/crd/kustomization.yaml': `resources:
- bases/boats.yaml
- bases/sails.yaml
patches:
# [WEBHOOK] patches here are for the conversion webhook
- path: patches/webhook_in_boats.yaml
#- path: patches/webhook_in_sails.yaml
#  target:
#    kind: CustomResourceDefinition
configurations:
- names.yaml
`,
  'config/crd/names.yaml': 'nameReference: [{kind: Service}]\n',
  'config/crd/patches/webhook_in_boats.yaml': patch('boats', conversion),
  'config/crd/patches/webhook_in_sails.yaml': patch('sails', conversion),
  'config/crd/patches/cainjection_in_oars.yaml': patch('oars'),
  'config/default/kustomization.yaml': 'resources: [../crd]\npatchesStrategicMerge:\n# - ca.yaml\n#- "sails_patch.yaml"\n',
  'config/default/ca.yaml': patch('boats'),
  'config/default/sails_patch.yaml': patch('sails'),
};

it('leaves out patches, in comments, too, and knows which definitions they give a conversion webhook', async () => {
  const { folder, remove } = temporaryFolder(project);
  const { stdout, stderr, exitCode } = await runCommand(Lint, ['-R', '-f', 'config'], { cwd: folder });
  remove();
  expect(stdout.split('\n').filter(line => line.startsWith('config/'))).toEqual([
    'config/crd/bases/sails.yaml:10:46: warning: sails.example.com: only one of v1 and v2 has the field a [conversion-loses-fields]',
  ]);
  expect(stderr).toBe('note: the patches in config/crd are not applied; -k DIR checks what a kustomization builds\n');
  expect(exitCode).toBe(0);
});

it('names three of many folders with patches', async () => {
  const folders = ['a', 'b', 'c', 'd', 'e'].map(name => [`config/${name}/kustomization.yaml`, 'patches: [{path: p.yaml}]\n'] as const);
  const { folder, remove } = temporaryFolder({ ...project, ...Object.fromEntries(folders) });
  const { stderr } = await runCommand(Lint, ['-R', '-f', 'config'], { cwd: folder });
  remove();
  expect(stderr).toContain('note: the patches in config/a, config/b, config/c and 3 other folders are not applied; ');
});
