import { CliError, invalidFlag } from '../../../client/cli-error.js';
import { type Address, isOfService, type ServiceMapping, serviceValue } from '../../../client/options/address-values.js';
import type { ClusterState } from '../../../kubernetes/api-call.js';
import type { ServiceName } from '../../../kubernetes/effects.js';
import { storageOf } from '../../../kubernetes/storage.js';

/** Returns the address that a service is listening at. */
export type ServiceAddress = (service: ServiceName | undefined) => Address | undefined;

/** Returns the addresses of `--service NS/NAME[:PORT]=URL`; the first mapping that matches a service applies. Throws CliError for a port that is a variable. */
export function serviceAddresses(mappings: readonly ServiceMapping[]): ServiceAddress {
  for (const { text, address } of mappings) if (address === undefined) throw invalidFlag('service', text, serviceValue.expected);
  return service => (service === undefined ? undefined : mappings.find(mapping => isOfService(mapping, service))?.address);
}

/** Returns the addresses of mapped services; throws CliError when a service is neither mapped nor in the state. */
export function requiredServiceAddresses(mappings: readonly ServiceMapping[], state: ClusterState): ServiceAddress {
  const mapped = serviceAddresses(mappings);
  return service => {
    const address = mapped(service);
    if (address !== undefined || service === undefined || holdsService(state, service)) return address;
    throw new CliError(
      'incomplete-state',
      `the webhook's service ${service.namespace}/${service.name} is not in the state, and its address is unknown`,
      {
        suggestions: [`pass --service ${service.namespace}/${service.name}=https://127.0.0.1:8443`],
      },
    );
  };
}

function holdsService(state: ClusterState, { namespace, name }: ServiceName): boolean {
  return storageOf(state).find({ group: '', kind: 'Service' }, namespace, name) !== undefined;
}
