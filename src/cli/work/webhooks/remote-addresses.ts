import { CliError } from '../../../client/cli-error.js';
import type { ListenOption } from '../../../client/options/address-values.js';
import type { WebhookFlagOptions } from '../../../client/options/webhook-options.js';
import { hostWithoutBrackets, joinHostPort } from '../../../go/net/host-port.js';
import { parseAddress } from '../../../go/netip/address.js';
import { isLoopback, isUnspecified } from '../../../go/netip/address-class.js';
import { NetipError } from '../../../go/netip/error.js';
import type { WebhookCall } from '../../../kubernetes/webhook-call.js';
import type { BackendTransportOptions } from '../../../transport/call-backend.js';
import { TransportError } from '../../../transport/transport-error.js';
import { shellWord } from '../../../writers/shell.js';
import type { PodForward } from '../apiserver/forwards.js';
import { type ClusterFlags, choosesCluster } from '../cluster/cluster-flags.js';

/** Flags with addresses that the user named. */
export type AddressFlags = Pick<WebhookFlagOptions, 'url' | 'service' | 'urls' | 'allowRemote'> &
  ClusterFlags & { readonly compare?: string | undefined };

/** Throws for an address that a call must not be sent to. Called before the name is looked up. */
export type CheckAddress = (address: ListenOption, call: Pick<WebhookCall, 'configuration' | 'webhook' | 'url' | 'serverName'>) => void;

/**
 * Returns a check that lets calls go to this machine, and to what the user named; a manifest must not reach the production address in a
 * configuration because somebody ran its tests. Undefined when calls may go everywhere.
 */
export function addressCheck(flags: AddressFlags): CheckAddress | undefined {
  if (flags.allowRemote === true || choosesCluster(flags)) return undefined;
  const named = new Set(namedUrls(flags).flatMap(text => hostOf(text) ?? []));
  return ({ host, port }, call) => {
    if (isOnThisMachine(host) || named.has(host.toLowerCase())) return;
    const { message, suggestions } = remoteAddressError(joinHostPort(host, port), call);
    throw new CliError('incomplete-state', message, { suggestions });
  };
}

/** The same check for an API server that answers clients: the call of the webhook fails, and its failurePolicy applies. */
export function failingAddressCheck(flags: AddressFlags): CheckAddress | undefined {
  const check = addressCheck(flags);
  return (
    check &&
    ((address, call) => {
      try {
        check(address, call);
      } catch (error) {
        if (!(error instanceof CliError)) throw error;
        throw new TransportError('tcp', [error.message, ...error.suggestions].join('; '));
      }
    })
  );
}

/** Flags with addresses to which an API server passes requests on. */
export interface BackendFlags extends Pick<WebhookFlagOptions, 'service' | 'allowRemote'> {
  readonly forward?: readonly PodForward[] | undefined;
}

/**
 * Returns the check for the services of APIServices and for pods and nodes: they are on this machine, too, unless the user named them. Undefined when requests may
 * go everywhere.
 */
export function backendAddressCheck(flags: BackendFlags): BackendTransportOptions['checkAddress'] {
  if (flags.allowRemote === true) return undefined;
  const forwarded = (flags.forward ?? []).map(({ to }) => to.host.toLowerCase());
  const named = new Set([...namedUrls({ service: flags.service }).flatMap(text => hostOf(text) ?? []), ...forwarded]);
  return ({ host, port }, serverName) => {
    if (isOnThisMachine(host) || named.has(host.toLowerCase())) return;
    const [, service, namespace] = /^(.+)\.([^.]+)\.svc$/.exec(serverName) ?? [];
    const [whose, advice] =
      service === undefined
        ? ['a pod or node', `for a pod pass --forward, such as --forward shop/web-0:${port}=127.0.0.1:8080`]
        : [
            `service ${namespace}/${service} of an APIService`,
            `pass --service ${shellWord(`${namespace}/${service}=https://127.0.0.1:8443`)}`,
          ];
    const reason = `${joinHostPort(host, port)} is not on this machine: it is the address of ${whose}`;
    throw new TransportError('tcp', `${reason}; ${advice}; pass --allow-remote to call it there`);
  };
}

/** Reports whether a host is this machine, without looking it up. Other names may lead anywhere. */
export function isOnThisMachine(host: string): boolean {
  if (host.toLowerCase() === 'localhost') return true;
  try {
    const address = parseAddress(host);
    return isLoopback(address) || isUnspecified(address);
  } catch (error) {
    if (error instanceof NetipError) return false;
    throw error;
  }
}

function remoteAddressError(
  address: string,
  { configuration, webhook, url, serverName }: Parameters<CheckAddress>[1],
): { readonly message: string; readonly suggestions: readonly string[] } {
  const [, service, namespace] = /^(.+)\.([^.]+)\.svc$/.exec(serverName) ?? [];
  const elsewhere =
    service === undefined
      ? `send its calls elsewhere with --urls ${shellWord(`${url.replace(/\?.*$/, '')}=https://127.0.0.1:8443`)} (urls: in a suite)`
      : `pass --service ${shellWord(`${namespace}/${service}=https://127.0.0.1:8443`)} (services: in a suite)`;
  return {
    message: `the call was not sent, because ${address} is not on this machine: it is the address of webhook ${webhook} in configuration ${configuration}`,
    suggestions: [elsewhere, 'pass --allow-remote to call it there (allow-remote: true in a suite)'],
  };
}

function namedUrls({ url, service = [], urls = [], compare }: AddressFlags): string[] {
  const targets = [...service, ...urls].map(mapping => mapping.url);
  return [...targets, url, compare].filter(text => text !== undefined);
}

function hostOf(text: string): string | undefined {
  const url = text.includes('://') ? text : `https://${text}`;
  return URL.canParse(url) ? hostWithoutBrackets(new URL(url).hostname).toLowerCase() : undefined;
}
