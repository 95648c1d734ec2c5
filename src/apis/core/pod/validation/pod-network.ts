import {
  addForbidden,
  addInvalid,
  addProblems,
  addRequired,
  at,
  flagAt,
  hasSet,
  indexed,
  isSet,
  itemsAt,
  lengthOf,
  numberAt,
  type Place,
  textAt,
  textOf,
  textsOf,
} from '../../../../apiserver/registry/validation/place.js';
import { checkName } from '../../../../apiserver/registry/validation/rules.js';
import { tooLong } from '../../../../kubernetes/field-error.js';
import { ipProblems } from '../../../../kubernetes/ip-rules.js';
import { dns1123SubdomainProblems } from '../../../../kubernetes/name-rules.js';

/** Source: validatePodDNSConfig. */
export function checkDnsConfig(spec: Place): void {
  const config = at(spec, 'dnsConfig');
  const servers = at(config, 'nameservers');
  if (textAt(spec, 'dnsPolicy') === 'None') {
    if (!isSet(config)) addRequired(config, 'must provide `dnsConfig` when `dnsPolicy` is None');
    else if (lengthOf(servers) === 0) addRequired(servers, 'must provide at least one DNS nameserver when `dnsPolicy` is None');
    if (lengthOf(servers) === 0) return;
  }
  if (lengthOf(servers) > 3) addInvalid(servers, 'must not have more than 3 nameservers');
  for (const server of indexed(servers)) checkName(server, text => ipProblems(spec.server, text));
  checkSearches(at(config, 'searches'));
  for (const option of itemsAt(config, 'options')) if (textAt(option, 'name') === '') addRequired(option, 'must not be empty');
}

function checkSearches(searches: Place): void {
  const texts = textsOf(searches);
  if (texts.length > 32) addInvalid(searches, 'must not have more than 32 search paths');
  if (Buffer.byteLength(texts.join(' ')) > 2048)
    addInvalid(searches, 'must not have more than 2048 characters (including spaces) in the search list');
  for (const search of indexed(searches)) {
    if (textOf(search) === '.') continue;
    const domain = textOf(search).replace(/\.$/, '');
    addProblems(search, underscoredProblems(domain), domain);
  }
}

/** Returns the problems of a subdomain, in which underscores are allowed. Source: IsDNS1123SubdomainWithUnderscore. */
function underscoredProblems(text: string): string[] {
  const label = '_?[a-z0-9]([-_a-z0-9]*[a-z0-9])?';
  const pattern = `${label}(\\.${label})*`;
  const problems = Buffer.byteLength(text) > 253 ? ['must be no more than 253 characters'] : [];
  if (new RegExp(`^${pattern}$`).test(text)) return problems;
  const message =
    "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '_', '-' or '.', and must start and end with an alphanumeric character";
  return [...problems, `${message} (e.g. 'example.com', regex used for validation is '${pattern}')`];
}

/** Source: ValidateHostAliases. */
export function checkHostAliases(aliases: Place): void {
  for (const alias of indexed(aliases)) {
    checkName(at(alias, 'ip'), text => ipProblems(aliases.server, text));
    for (const name of itemsAt(alias, 'hostnames')) checkName(name, dns1123SubdomainProblems);
  }
}

/** Validates that with hostNetwork container ports equal host ports. Source: validatePodHostNetworkDeps. */
export function checkHostNetworkPorts(spec: Place, isPod: boolean): void {
  if (!flagAt(spec, 'hostNetwork')) return;
  for (const port of itemsAt(spec, 'containers').flatMap(container => itemsAt(container, 'ports'))) {
    const host = numberAt(port, 'hostPort');
    if ((isPod || host !== 0n) && host !== numberAt(port, 'containerPort'))
      addInvalid(at(port, 'hostPort'), 'must match `containerPort` when `hostNetwork` is true', host);
  }
}

/** Validates that a pod with a user namespace does not share host namespaces. Source: validateHostUsers. */
export function checkHostUsers(spec: Place): void {
  if (at(spec, 'hostUsers').value !== false) return;
  const message = 'when `hostUsers` is false';
  for (const [name, shown] of [
    ['hostNetwork', 'hostNetwork'],
    ['hostPID', 'HostPID'],
    ['hostIPC', 'HostIPC'],
  ] as const)
    if (flagAt(spec, name)) addForbidden({ ...spec, path: `${spec.path}.${shown}` }, message);
  for (const list of ['initContainers', 'containers', 'ephemeralContainers'])
    for (const container of itemsAt(spec, list))
      if (lengthOf(at(container, 'volumeDevices')) > 0) addForbidden(at(container, 'volumeDevices'), message);
}

/** Source: validatePodHostName. */
export function checkHostnameOverride(spec: Place): void {
  if (!hasSet(spec, 'hostnameOverride')) return;
  const name = at(spec, 'hostnameOverride');
  if (flagAt(spec, 'setHostnameAsFQDN')) addForbidden(name, 'may not be specified when setHostnameAsFQDN is true');
  if (flagAt(spec, 'hostNetwork')) addForbidden(name, 'may not be specified when hostNetwork is true');
  if (Buffer.byteLength(textOf(name)) > 64) name.errors.push(tooLong(name.path, 64));
  checkName(name, dns1123SubdomainProblems);
}
