import { builtPathIn } from '../../../client/manifests/input-path.js';

/**
 * Flags that a found file may set without consent: they neither run a program, nor name an address or a cluster, nor write a file, nor send a credential,
 * nor weaken a check of a connection. Every other flag needs consent, new ones included.
 */
const freeKeys: ReadonlySet<string> = new Set(
  [
    'all all-operations as as-group as-uid as-user-extra call cascade check cluster-timeout concurrency config container coverage created-pods dry-run',
    'days demo disable-admission-plugins enable-admission-plugins explain fail-fast fail-on failure-policy field-manager filename force-conflicts',
    'fresh-connections from-review grace-period handler health-port ignore-field include independent interval jobs keep-uid key-type',
    'kubernetes-version last-failed match-condition max-bytes max-files metrics-port min-days namespace no-color now old operation output patch',
    'patch-file phase port preset recursive redact reinvocation-policy renew-before request-timeout require-called retries review-versions round-trip rule run',
    'script seed shard side-effects state stdin subresource timeout tty type upgrade validate values watch webhook words',
  ]
    .join(' ')
    .split(' '),
);

/** Reports whether a found file may set this flag to these values without consent. */
export function isFree(name: string, values: readonly string[]): boolean {
  // kubectl, kustomize and helm are programs, and fetch remote resources.
  return freeKeys.has(name) && !values.some(value => builtPathIn(value) !== undefined);
}

/** Flags with addresses that calls are sent to. */
export const addressFlags: readonly string[] = ['url', 'service', 'resolve', 'compare', 'to'];

/** Reports whether a value of an address flag leads to this machine: `URL`, `NS/NAME=URL`, `HOST:PORT:ADDRESS`, or the path of `--compare`. */
export function isFreeOnThisMachine(name: string, value: string): boolean {
  if (name === 'resolve') return loopbackAddress.test(value.replace(/^(?:[^:[\]]+|\[[^\]]*\]):\d+:/, ''));
  const address = name === 'service' ? value.slice(value.indexOf('=') + 1) : value;
  return loopbackUrl.test(address) || (name !== 'url' && name !== 'service' && !address.includes('://'));
}

const loopbackAddress = /^(?:127\.\d{1,3}\.\d{1,3}\.\d{1,3}|::1|\[::1\])$/;

/** Strict: in `https://127.0.0.1:8443@host/` another part is the host. Ports may be variables of suites. */
const loopbackUrl = /^https?:\/\/(?:localhost|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|\[::1\])(?::(?:\d+|\$\{PORT\d?\}))?(?:[/?#]|$)/i;
