import type { WebhookFlags } from '../../client/options/webhook-options.js';
import { listAt, mapAt, stringAt, type Value } from '../../go/value.js';
import { CaseFault } from '../../suites/faults.js';
import type { ProbedWebhook } from '../../suites/process/review-probe.js';

/** Returns the webhook of the flags to probe, with the path of its configuration. Throws CaseFault without an address. */
export function probedWebhook(
  { url, service, 'server-name': serverName }: Pick<WebhookFlags, 'url' | 'service' | 'server-name'>,
  objects: readonly Value[],
): ProbedWebhook {
  const [mapping = ''] = service ?? [];
  const base = url ?? mapping.replace(/^[^=]*=/, '');
  if (!URL.canParse(base)) {
    throw new CaseFault({
      check: 'input',
      message: `no address of the process specified; add url: https://127.0.0.1:\${PORT}/..., or services: with such an address`,
    });
  }
  const path = url === undefined ? servicePath(mapping, objects) : undefined;
  const address = path === undefined ? base : base.replace(/\/$/, '') + path;
  const { hostname, port, protocol } = new URL(address);
  const host = hostname.replace(/^\[|\]$/g, '');
  const numbered = port === '' ? (protocol === 'http:' ? 80 : 443) : Number(port);
  return {
    url: address,
    address: { host, port: numbered },
    serverName: serverName ?? host,
    caBundle: undefined,
    hasPath: url !== undefined || path !== undefined,
  };
}

/** Returns the first path that a webhook configuration has for a mapped service: `team/webhook=https://...`, or `*=...`. */
function servicePath(mapping: string, objects: readonly Value[]): string | undefined {
  const [, namespace, name] = /^([^/=:*]+)\/([^/=:*]+)/.exec(mapping) ?? [];
  const services = objects
    .filter(object => stringAt(object, 'kind').endsWith('WebhookConfiguration'))
    .flatMap(object => listAt(object, 'webhooks').flatMap(webhook => mapAt(webhook, 'clientConfig', 'service') ?? []));
  const found = services.find(
    service => namespace === undefined || (stringAt(service, 'namespace') === namespace && stringAt(service, 'name') === name),
  );
  const path = found === undefined ? '' : stringAt(found, 'path');
  return path === '' ? undefined : path;
}
