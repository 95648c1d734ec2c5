import { CliError } from '../../client/cli-error.js';
import { asStored } from '../../client/manifests/cluster-state.js';
import { storedManifests } from '../../client/manifests/manifests.js';
import type { ValueMap } from '../../go/value.js';
import { builtInResources } from '../../kubernetes/resource-table.js';
import { apiServers } from '../api-servers.js';
import type { Surroundings } from '../surroundings.js';
import { isPolicyObject } from '../webhooks/configurations.js';
import { checkConfigurations } from '../webhooks/refused-configurations.js';
import { readInputFiles } from './files.js';

/** Policies of `--compare`, with their bindings and parameters. Throws CliError. */
export async function comparedPolicies(
  given: string,
  surroundings: Pick<Surroundings, 'cwd' | 'stdin' | 'uid' | 'now'>,
): Promise<readonly ValueMap[]> {
  const server = apiServers();
  const files = await readInputFiles({ flag: '--compare', paths: [given], recursive: false }, surroundings);
  const objects = files.flatMap(value => storedManifests(server, value)).map(({ object }) => object);
  const hasPolicy = objects.some(object => isPolicyObject(object) && !String(object.get('kind')).endsWith('Binding'));
  if (!hasPolicy)
    throw new CliError('no-objects', `no admission policy in ${given}`, {
      suggestions: ['pass a file with a ValidatingAdmissionPolicy or a MutatingAdmissionPolicy'],
    });
  await checkConfigurations({ server, objects });
  return asStored(objects, { served: builtInResources(server, 'default'), namespace: 'default' }, surroundings);
}
