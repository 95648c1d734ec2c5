import { hostWithoutBrackets } from '../../go/net/host-port.js';
import type { ServiceName } from '../../kubernetes/service-name.js';
import { webhookUrlErrors } from '../../kubernetes/webhook-url.js';
import type { ValueType } from './value-type.js';

/** Where a server listens. */
export interface ListenOption {
  readonly host: string;
  readonly port: number;
}

/** `NS/NAME[:PORT]=URL`: the address a service is listening at. */
export interface ServiceMapping {
  /** As the user wrote it. */
  readonly text: string;
  /** `*` for any. */
  readonly namespace: string;
  readonly name: string;
  /** Undefined for all ports. */
  readonly port: number | undefined;
  /** As the user wrote it; may have a variable for a port that is free when a process starts. */
  readonly url: string;
  /** Undefined as long as the port is a variable. */
  readonly address: ListenOption | undefined;
}

/** `URL=URL`: where calls to the URL of a configuration go instead. */
export interface UrlMapping {
  readonly text: string;
  /** Origin and path. */
  readonly from: string;
  /** As the user wrote it, see `ServiceMapping`. */
  readonly url: string;
}

/** `HOST:PORT:ADDRESS`, as curl has it. */
export interface Resolve {
  readonly text: string;
  /** In lower case, without brackets. */
  readonly host: string;
  readonly port: number;
  readonly address: string;
}

const text = { type: 'string' } as const;

/** `--url`: an address that a webhook configuration may have, or one with http, which `--allow-http` is for. */
export const urlValue: ValueType<string> = {
  parse: written => (wrongInUrl(written) === undefined ? written : undefined),
  expected: 'an address such as https://127.0.0.1:8443/validate',
  expectedFor: written => `${urlValue.expected}${wrongInUrl(written) ?? ''}`,
  schema: text,
  isLocal: isLocalUrl,
};

/** `--compare`: an address, or the path of policies. */
export const urlOrPathValue: ValueType<string> = {
  ...urlValue,
  parse: written => (isAddress(written) ? urlValue.parse(written) : written),
  isLocal: written => isLocalUrl(written) || !written.includes('://'),
};

/** Reports whether a value of `--compare` is an address. */
export function isAddress(written: string): boolean {
  return /^https?:/i.test(written);
}

/** `--service` */
export const serviceValue: ValueType<ServiceMapping> = {
  parse: parseService,
  expected: 'NAMESPACE/NAME[:PORT]=URL or *=URL',
  schema: text,
  isLocal: written => isLocalUrl(written.slice(written.indexOf('=') + 1)),
};

/** `--urls` */
export const urlsValue: ValueType<UrlMapping> = {
  parse: parseUrls,
  expected: 'URL=URL, such as https://hooks.example.com/validate=https://127.0.0.1:8443',
  schema: text,
};

/** `--resolve` */
export const resolveValue: ValueType<Resolve> = {
  parse: parseResolve,
  expected: 'HOST:PORT:ADDRESS',
  schema: text,
  isLocal: written => loopbackAddress.test(written.replace(/^(?:[^:[\]]+|\[[^\]]*\]):\d+:/, '')),
};

/** Reports whether a URL leads to this machine. */
export function isLocalUrl(url: string): boolean {
  return loopbackUrl.test(url);
}

/** Reports whether a mapping is of this service. */
export function isOfService({ namespace, name, port }: ServiceMapping, service: ServiceName): boolean {
  return (
    (namespace === '*' || namespace === service.namespace) &&
    (name === '*' || name === service.name) &&
    (port === undefined || port === service.port)
  );
}

/** Returns the mapping of a service whose URL is known: `shop/guard`, or `*`. */
export function mappingTo(service: string, url: string): ServiceMapping {
  const mapping = parseService(`${service}=${url}`);
  if (mapping === undefined) throw new Error(`${service} is not a service, or ${url} not an address`);
  return mapping;
}

const loopbackAddress = /^(?:127\.\d{1,3}\.\d{1,3}\.\d{1,3}|::1|\[::1\])$/;

/** Strict: in `https://127.0.0.1:8443@host/` another part is the host. Ports may be variables of suites. */
const loopbackUrl = /^https?:\/\/(?:localhost|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|\[::1\])(?::(?:\d+|\$\{PORT\d?\}))?(?:[/?#]|$)/i;

/** Returns what is wrong with an address of a webhook, empty if it is none at all; undefined for a valid one. */
function wrongInUrl(written: string): string | undefined {
  const url = withoutVariables(written);
  if (!URL.canParse(url)) return '';
  if (!isAddress(url)) return '; the API server calls webhooks only over https';
  // URL accepts addresses that the API server refuses.
  const wrong = webhookUrlErrors(url.replace(/^http:/i, 'https:'), 'url')[0];
  return wrong === undefined ? undefined : `; the API server rejects it: ${wrong.detail}`;
}

function parseService(written: string): ServiceMapping | undefined {
  const match = /^(?:(\*)|([^/=:]+|\*)\/([^/=:]+|\*)(?::(\d+))?)=(.+)$/.exec(written);
  if (match === null) return undefined;
  const [, any, namespace = '*', name = '*', port, url = ''] = match;
  const address = addressOf(withoutVariables(url));
  if (address === undefined) return undefined;
  return {
    text: written,
    namespace: any ?? namespace,
    name: any ?? name,
    port: port === undefined ? undefined : Number(port),
    url,
    address: hasVariable(url) ? undefined : address,
  };
}

function parseUrls(written: string): UrlMapping | undefined {
  const at = written.indexOf('=');
  const [from = '', url = ''] = at < 0 ? [] : [written.slice(0, at), written.slice(at + 1)];
  if (![from, withoutVariables(url)].every(one => /^https?:\/\//.test(one) && URL.canParse(one))) return undefined;
  const { origin, pathname } = new URL(from);
  return { text: written, from: origin + pathname, url };
}

function parseResolve(written: string): Resolve | undefined {
  const [, host, port, address] = /^(\[[^\]]+\]|[^:[\]]+):(\d+|\$\{PORT\d?\}):(.+)$/.exec(written) ?? [];
  if (host === undefined || port === undefined || address === undefined) return undefined;
  const number = Number(withoutVariables(port));
  return number > 65_535
    ? undefined
    : { text: written, host: hostWithoutBrackets(host).toLowerCase(), port: number, address: hostWithoutBrackets(address) };
}

/** The port of a process that a suite starts is known when it starts. */
const variable = /\$\{PORT\d?\}/g;

function withoutVariables(written: string): string {
  return written.replace(variable, '1');
}

function hasVariable(written: string): boolean {
  return written.search(variable) >= 0;
}

function addressOf(written: string): ListenOption | undefined {
  const url = written.includes('://') ? written : `https://${written}`;
  if (!URL.canParse(url)) return undefined;
  const { hostname, port, protocol } = new URL(url);
  if (hostname === '' || (protocol !== 'https:' && protocol !== 'http:')) return undefined;
  return { host: hostWithoutBrackets(hostname), port: port === '' ? 443 : Number(port) };
}
