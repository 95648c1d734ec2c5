import type { ServiceMapping, UrlMapping } from '../../../client/options/address-values.js';
import type { WebhookFlagOptions } from '../../../client/options/webhook-options.js';
import { hostWithoutBrackets } from '../../../go/net/host-port.js';
import { listAt, mapAt, stringAt, type Value } from '../../../go/value.js';
import { CaseFault } from '../../../suites/faults.js';
import type { ProbedWebhook } from '../../../suites/process/review-probe.js';

/**
 * Returns the webhook to probe: that of the flags, with the path of its configuration, or else the first one that a configuration expects
 * on this machine. Throws CaseFault without an address.
 */
export function probedWebhook(
  { url, service, urls, serverName }: Pick<WebhookFlagOptions, 'url' | 'service' | 'urls' | 'serverName'>,
  objects: readonly Value[],
): ProbedWebhook {
  const [mapping] = service ?? [];
  const configured = url === undefined && mapping === undefined ? (mappedUrl(urls) ?? localUrl(objects)) : undefined;
  const base = url ?? configured ?? mapping?.url ?? '';
  if (!URL.canParse(base)) {
    throw new CaseFault({
      check: 'input',
      message: `no address of the process specified; add url: https://127.0.0.1:\${PORT}/..., or services: or urls: with such an address`,
    });
  }
  const path = mapping === undefined || url !== undefined ? undefined : servicePath(mapping, objects);
  const address = path === undefined ? base : base.replace(/\/$/, '') + path;
  const { hostname, port, protocol } = new URL(address);
  const host = hostWithoutBrackets(hostname);
  const numbered = port === '' ? (protocol === 'http:' ? 80 : 443) : Number(port);
  return {
    url: address,
    address: { host, port: numbered },
    serverName: serverName ?? host,
    caBundle: undefined,
    hasPath: url !== undefined || configured !== undefined || path !== undefined,
  };
}

/** Returns the addresses of this machine at which the webhooks are expected, whatever ports are free. */
export function fixedAddresses(
  { url, service = [], urls = [] }: Pick<WebhookFlagOptions, 'url' | 'service' | 'urls'>,
  objects: readonly Value[],
): URL[] {
  const bases = [url ?? localUrl(objects) ?? '', ...[...service, ...urls].map(mapping => mapping.url)];
  return bases.filter(base => localAddress.test(base) && URL.canParse(base)).map(base => new URL(base));
}

/** Returns where the calls to the first mapped URL go: `https://127.0.0.1:8443/validate`. */
function mappedUrl([mapping]: readonly UrlMapping[] = []): string | undefined {
  if (mapping === undefined) return undefined;
  const { from, url } = mapping;
  if (!URL.canParse(url) || new URL(url).pathname !== '/') return url;
  return url.replace(/\/$/, '') + new URL(from).pathname;
}

/** Returns the first path that a webhook configuration has for a mapped service: `team/webhook=https://...`, or `*=...`. */
function servicePath({ namespace, name }: ServiceMapping, objects: readonly Value[]): string | undefined {
  const isAny = namespace === '*' || name === '*';
  const services = webhooksIn(objects).flatMap(webhook => mapAt(webhook, 'clientConfig', 'service') ?? []);
  const found = services.find(service => isAny || (stringAt(service, 'namespace') === namespace && stringAt(service, 'name') === name));
  const path = found === undefined ? '' : stringAt(found, 'path');
  return path === '' ? undefined : path;
}

/** Returns the first address of this machine in webhook configurations. */
function localUrl(objects: readonly Value[]): string | undefined {
  const urls = webhooksIn(objects).map(webhook => stringAt(webhook, 'clientConfig', 'url'));
  return urls.find(url => localAddress.test(url));
}

const localAddress = /^https?:\/\/(127\.\d+\.\d+\.\d+|localhost|\[::1\])(:\d+)?(\/|$)/;

function webhooksIn(objects: readonly Value[]): readonly Value[] {
  return objects.filter(object => stringAt(object, 'kind').endsWith('WebhookConfiguration')).flatMap(object => listAt(object, 'webhooks'));
}
