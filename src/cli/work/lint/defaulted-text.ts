import { CliError } from '../../../client/cli-error.js';
import { type InputFile, manifestsIn } from '../../../client/manifests/manifests.js';
import { completeYaml } from '../../../encoding/completed-yaml.js';
import { writeYaml } from '../../../encoding/yaml-writer.js';
import { mapAt, stringAt, type ValueMap } from '../../../go/value.js';
import type { ApiServer } from '../../../kubernetes/api-server.js';
import { isDefinition } from '../../../kubernetes/definition-resources.js';
import { createAlone } from '../refusals/refusals.js';
import { isConfiguration, isPolicyObject } from '../webhooks/configurations.js';

/**
 * Returns a file with its webhook configurations, policies and definitions as the API server would store them: with its defaults, and without what
 * it drops; other objects stay. Comments stay in YAML with one object in each document. Throws CliError for an object that it refuses.
 */
export async function defaultedText(server: ApiServer, file: InputFile): Promise<string> {
  const { manifests } = manifestsIn(file);
  const objects = await Promise.all(
    manifests.map(({ object, locate }) =>
      isConfiguration(object) || isPolicyObject(object) || isDefinition(object)
        ? storedForm(server, object, () => locate(''))
        : Promise.resolve(undefined),
    ),
  );
  const text = Buffer.from(file.bytes).toString('utf8');
  const isPlain = manifests.every(({ list }) => list === undefined) && !/^\s*\{/.test(text);
  const kept = isPlain ? await completeYaml(text, objects) : undefined;
  return kept ?? manifests.map(({ object }, i) => writeYaml(objects[i] ?? object)).join('---\n');
}

/** Members of metadata that a manifest does not have. */
const ofServer = ['uid', 'resourceVersion', 'creationTimestamp', 'generation', 'managedFields', 'selfLink'];

async function storedForm(server: ApiServer, object: ValueMap, place: () => CliError['location']): Promise<ValueMap> {
  const { status, object: stored } = (await createAlone(server, object, 'Strict')).decision;
  if (stored === undefined) {
    const message = stringAt(status, 'message');
    throw new CliError('invalid-manifest', `the API server refuses it: ${message}`, {
      location: place(),
      suggestions: ['list all errors with webhook-cli lint, without --defaulted'],
    });
  }
  const metadata = new Map(mapAt(stored, 'metadata') ?? []);
  for (const key of ofServer) metadata.delete(key);
  const form = new Map([...stored, ['metadata', metadata] as const]);
  form.delete('status');
  return form;
}
