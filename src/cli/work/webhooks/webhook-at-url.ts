import { hostWithoutBrackets } from '../../../go/net/host-port.js';
import type { WebhookCall } from '../../../kubernetes/webhook-call.js';

/** Returns what leads a call to another address; the path of the call is kept where the address has none, and its query always. */
export function callTo(url: string, call: Pick<WebhookCall, 'url'>): Pick<WebhookCall, 'url' | 'address' | 'serverName'> {
  const [to, own] = [new URL(url), new URL(call.url)];
  const host = hostWithoutBrackets(to.hostname);
  return {
    url: `${to.origin}${to.pathname === '/' ? own.pathname : to.pathname}${own.search}`,
    address: { host, port: to.port === '' ? (to.protocol === 'http:' ? 80 : 443) : Number(to.port) },
    serverName: host,
  };
}
