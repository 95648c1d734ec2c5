import { CliError, invalidFlag } from '../../../client/cli-error.js';
import type { ClusterState } from '../../../kubernetes/api-call.js';
import type { ServiceName } from '../../../kubernetes/effects.js';
import { storageOf } from '../../../kubernetes/storage.js';

export interface Address {
  readonly host: string;
  readonly port: number;
}

/** Returns the address that a service is listening at. */
export type ServiceAddress = (service: ServiceName | undefined) => Address | undefined;

/** Parses `--service NS/NAME[:PORT]=URL`; the first mapping that matches a service applies. */
export function serviceAddresses(mappings: readonly string[]): ServiceAddress {
  const parsed = mappings.map(parseMapping);
  return service => (service === undefined ? undefined : parsed.find(({ fits }) => fits(service))?.address);
}

/** Parses mappings; throws CliError when a service is neither mapped nor in the state. */
export function requiredServiceAddresses(mappings: readonly string[], state: ClusterState): ServiceAddress {
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

function parseMapping(text: string): { readonly fits: (service: ServiceName) => boolean; readonly address: Address } {
  const match = /^(?:(\*)|([^/=:]+|\*)\/([^/=:]+|\*)(?::(\d+))?)=(.+)$/.exec(text);
  const address = match === null ? undefined : addressOf(match[5] ?? '');
  if (match === null || address === undefined) {
    throw invalidFlag('service', text, 'NAMESPACE/NAME[:PORT]=URL or *=URL');
  }
  const [, any, namespace, name, port] = match;
  const fits = (service: ServiceName): boolean =>
    any !== undefined ||
    ((namespace === '*' || namespace === service.namespace) &&
      (name === '*' || name === service.name) &&
      (port === undefined || Number(port) === service.port));
  return { fits, address };
}

function addressOf(text: string): Address | undefined {
  const url = text.includes('://') ? text : `https://${text}`;
  if (!URL.canParse(url)) return undefined;
  const { hostname, port, protocol } = new URL(url);
  if (hostname === '' || (protocol !== 'https:' && protocol !== 'http:')) return undefined;
  return { host: hostname.replace(/^\[|\]$/g, ''), port: port === '' ? 443 : Number(port) };
}
