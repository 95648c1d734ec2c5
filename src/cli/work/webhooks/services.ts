import { CliError, invalidFlag } from '../../../client/cli-error.js';
import { isOfService, type ServiceMapping, serviceValue } from '../../../client/options/address-values.js';
import type { ClusterState } from '../../../kubernetes/api-call.js';
import type { ServiceName } from '../../../kubernetes/service-name.js';
import { storageOf } from '../../../kubernetes/storage.js';
import type { WebhookAddress } from '../../../kubernetes/webhook-call.js';
import { shellWord } from '../../../writers/shell.js';

/** Returns the address that a service is listening at. */
export type ServiceAddress = (service: ServiceName | undefined) => WebhookAddress | undefined;

/** Returns the addresses of `--service NS/NAME[:PORT]=URL`; the first mapping that matches a service applies. Throws CliError for a port that is a variable. */
export function serviceAddresses(mappings: readonly ServiceMapping[]): ServiceAddress {
  for (const { text, address } of mappings) if (address === undefined) throw invalidFlag('service', text, serviceValue.expected);
  return service => (service === undefined ? undefined : mappings.find(mapping => isOfService(mapping, service))?.address);
}

/**
 * Returns the addresses of mapped services; throws CliError when a service is neither mapped nor in the state. A service without a mapping is in the state's
 * cluster, if it is that of a cluster: its names and addresses mean nothing on this machine.
 */
export function requiredServiceAddresses(mappings: readonly ServiceMapping[], state: ClusterState): ServiceAddress {
  const mapped = serviceAddresses(mappings);
  return service => {
    const address = mapped(service);
    if (address !== undefined || service === undefined) return address;
    if (state.source !== undefined) return clusterAddress(service);
    if (holdsService(state, service)) return undefined;
    throw new CliError(
      'incomplete-state',
      `the webhook's service ${service.namespace}/${service.name} is not in the state, and its address is unknown`,
      {
        suggestions: [`pass --service ${shellWord(`${service.namespace}/${service.name}=https://127.0.0.1:8443`)}`],
      },
    );
  };
}

/** Returns the error for `--forward` without a cluster. */
export function forwardNeedsCluster(): CliError {
  return new CliError('usage', '--forward needs a cluster', { suggestions: ['pass --context NAME', '--kubeconfig PATH'] });
}

/** Returns the error for a service of the cluster that nothing says how to reach. */
export function unreachableService({ namespace, name }: ServiceName, canForward: boolean): CliError {
  const service = `${namespace}/${name}`;
  return new CliError(
    'incomplete-state',
    `the webhook's service ${service} is one of the cluster, which is not reachable by its name from here`,
    {
      suggestions: [
        ...(canForward ? ['pass --forward to call it through the API server'] : []),
        `${canForward ? '' : 'pass '}--service ${shellWord(`${service}=https://127.0.0.1:8443`)} to call a webhook that runs here`,
      ],
    },
  );
}

/** Returns the address of a service that is reached through its cluster. The reference of a webhook has a path, too, which is not part of it. */
export function clusterAddress({ namespace, name, port }: ServiceName): WebhookAddress {
  return { host: `${name}.${namespace}.svc`, port, inCluster: { namespace, name, port } };
}

function holdsService(state: ClusterState, { namespace, name }: ServiceName): boolean {
  return storageOf(state).find({ group: '', kind: 'Service' }, namespace, name) !== undefined;
}
