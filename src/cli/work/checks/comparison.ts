import { CliError } from '../../../client/cli-error.js';
import { asStored } from '../../../client/manifests/cluster-state.js';
import { storedManifests } from '../../../client/manifests/manifests.js';
import { isAddress } from '../../../client/options/address-values.js';
import type { WebhookFlagOptions } from '../../../client/options/webhook-options.js';
import type { ValueMap } from '../../../go/value.js';
import { builtInResources } from '../../../kubernetes/resource-table.js';
import type { Surroundings } from '../../shell/surroundings.js';
import { apiServers } from '../api-servers/api-servers.js';
import { readInputFiles } from '../input/files.js';
import { authorityOf } from '../webhooks/cluster-webhooks.js';
import { isPolicyObject } from '../webhooks/configurations.js';
import { checkConfigurations } from '../webhooks/refused-configurations.js';
import { checkScheme } from '../webhooks/registration.js';

/** What `--compare` compares the webhooks with: policies in their place, or another webhook that gets the same reviews. */
export type WebhookComparison =
  | { readonly policies: readonly ValueMap[] }
  /** Without `caBundle`: the one of the webhook it is compared with. */
  | { readonly url: string; readonly caBundle: Uint8Array | undefined };

/** Returns the comparison of `--compare`; undefined without the flag. Throws CliError. */
export async function readComparison(
  flags: Pick<WebhookFlagOptions, 'caFile' | 'allowHttp'> & { readonly compare?: string | undefined },
  surroundings: Pick<Surroundings, 'cwd' | 'stdin' | 'uid' | 'now'>,
): Promise<WebhookComparison | undefined> {
  const { compare } = flags;
  if (compare === undefined) return undefined;
  if (!isAddress(compare)) return { policies: await readComparedPolicies(compare, surroundings) };
  checkScheme(compare, flags, 'compare');
  return { url: compare, caBundle: authorityOf(flags, surroundings.cwd) };
}

/** Policies of `--compare`, with their bindings and parameters. Throws CliError. */
async function readComparedPolicies(
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
