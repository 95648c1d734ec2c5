import type { UrlMapping } from '../../../client/options/address-values.js';
import { hostWithoutBrackets } from '../../../go/net/host-port.js';
import type { WebhookCall } from '../../../kubernetes/webhook-call.js';
import { callTo } from './webhook-at-url.js';

/** Returns the call as it is sent. */
export type MapCall = (call: WebhookCall) => WebhookCall;

/**
 * Returns how `--urls URL=URL` changes calls: those to the URL of a configuration go to another address. As with a mapped service, the name in the
 * certificate stays, and the path unless the other address has one. A URL without a path matches every path of its host.
 */
export function mappedCalls(mappings: readonly UrlMapping[]): MapCall {
  return call => {
    if (mappings.length === 0 || !URL.canParse(call.url)) return call;
    const { origin, pathname, hostname } = new URL(call.url);
    const to = (mappings.find(({ from }) => from === origin + pathname) ?? mappings.find(({ from }) => from === `${origin}/`))?.url;
    if (to === undefined) return call;
    const { address, url } = callTo(to, call);
    const { pathname: path, search } = new URL(url);
    return { ...call, url: `${origin}${path}${search}`, address, serverName: hostWithoutBrackets(hostname) };
  };
}

/** Returns the hosts whose calls go to another address, which may have a variable for its port. */
export function mappedHosts(mappings: readonly UrlMapping[]): string[] {
  return [...new Set(mappings.map(({ from }) => hostWithoutBrackets(new URL(from).hostname)))];
}
