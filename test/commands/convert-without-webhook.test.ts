import { expect, it } from 'vitest';
import Convert from '../../commands/convert.js';
import Review from '../../commands/review.js';
import { runCommand } from '../support/run-command.js';
import { temporaryFolder } from '../support/temporary-folder.js';

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
const note = 'note: CronTab default/a: v1 -> v2: spec.schedule is lost: the conversion strategy None only renames the version';

it('convert names the fields that the strategy None loses', async () => {
  const files = temporaryFolder({ 'definition.yaml': definition, 'a.yaml': object });
  const { stdout } = await runCommand(Convert, ['-f', 'a.yaml', '--state', 'definition.yaml', '--to', 'all'], { cwd: files.folder });
  files.remove();
  expect(stdout).toContain(note);
});

it.each([
  ['Webhook', []],
  ['None', [note]],
])('review names the fields that the strategy %s loses: %j', async (strategy, notes) => {
  const webhook = ', webhook: {conversionReviewVersions: [v1], clientConfig: {url: "https://127.0.0.1:1/"}}';
  const conversion = `  conversion: {strategy: ${strategy}${strategy === 'None' ? '' : webhook}}\n  versions:`;
  const files = temporaryFolder({ 'definition.yaml': definition.replace('  versions:', conversion), 'a.yaml': object });
  const { stdout } = await runCommand(Review, ['-f', 'a.yaml', '--state', 'definition.yaml', '--demo'], { cwd: files.folder });
  files.remove();
  expect(stdout).toContain('crontab.stable.example.com/a created');
  expect(stdout.match(/note: CronTab.*?version(?=,)/g) ?? []).toEqual(notes);
});
