import { stringAt } from '../../go/value.js';
import type { ClusterState } from '../../kubernetes/api-call.js';
import type { ServiceName } from '../../kubernetes/effects.js';
import { CliError } from '../cli-error.js';

export interface Address {
  readonly host: string;
  readonly port: number;
}

/** Where a service is really listening. */
export type ServiceAddress = (service: ServiceName | undefined) => Address | undefined;

/** Reads `--service NS/NAME[:PORT]=URL`; the first mapping that fits a service decides. */
export function serviceAddresses(mappings: readonly string[]): ServiceAddress {
  const parsed = mappings.map(parseMapping);
  return service => (service === undefined ? undefined : parsed.find(({ fits }) => fits(service))?.address);
}

/** The same, but a service that is neither mapped nor in the state is an error of the input: nothing tells where to send its reviews. */
export function requiredServiceAddresses(mappings: readonly string[], state: ClusterState): ServiceAddress {
  const mapped = serviceAddresses(mappings);
  return service => {
    const address = mapped(service);
    if (address !== undefined || service === undefined || holdsService(state, service)) return address;
    throw new CliError(
      'incomplete-state',
      `the webhook's service ${service.namespace}/${service.name} is not in the state, so nothing tells where it is listening`,
      {
        suggestions: [`pass --service ${service.namespace}/${service.name}=https://127.0.0.1:8443`],
      },
    );
  };
}

function holdsService({ objects }: ClusterState, { namespace, name }: ServiceName): boolean {
  return objects.some(
    object =>
      object.get('kind') === 'Service' &&
      object.get('apiVersion') === 'v1' &&
      stringAt(object, 'metadata', 'name') === name &&
      stringAt(object, 'metadata', 'namespace') === namespace,
  );
}

function parseMapping(text: string): { readonly fits: (service: ServiceName) => boolean; readonly address: Address } {
  const match = /^(?:(\*)|([^/=:]+|\*)\/([^/=:]+|\*)(?::(\d+))?)=(.+)$/.exec(text);
  const address = match === null ? undefined : addressOf(match[5] ?? '');
  if (match === null || address === undefined) {
    throw new CliError('usage', `--service is ${JSON.stringify(text)}, and must be NAMESPACE/NAME[:PORT]=URL or *=URL`);
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
