import { expect, it } from 'vitest';
import Convert from '../../commands/convert.js';
import { runCommand } from '../support/run-command.js';
import { temporaryFolder } from '../support/temporary-folder.js';

it('convert names the fields that the strategy None loses', async () => {
  const definition = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: crontabs.stable.example.com}
spec:
  group: stable.example.com
  names: {kind: CronTab, plural: crontabs, singular: crontab, listKind: CronTabList}
  scope: Namespaced
  versions:
  - {name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object, properties: {spec: {type: object, properties: {schedule: {type: string}}}}}}}
  - {name: v2, served: true, storage: false, schema: {openAPIV3Schema: {type: object, properties: {spec: {type: object, properties: {cron: {type: string}}}}}}}
`;
  const object = 'apiVersion: stable.example.com/v1\nkind: CronTab\nmetadata: {name: a}\nspec: {schedule: "@daily"}\n';
  const files = temporaryFolder({ 'definition.yaml': definition, 'a.yaml': object });
  const { stdout } = await runCommand(Convert, ['-f', 'a.yaml', '--state', 'definition.yaml', '--to', 'all'], { cwd: files.folder });
  files.remove();
  expect(stdout).toContain(
    'note: CronTab default/a: v1 -> v2: spec.schedule is lost: the conversion strategy None only renames the version',
  );
});
