import type { FieldPath } from '../../../../apiserver/registry/validation/field-path.js';
import { checkName } from '../../../../apiserver/registry/validation/rules.js';
import { ipProblems } from '../../../../kubernetes/ip-rules.js';
import { dns1123SubdomainProblems } from '../../../../kubernetes/name-rules.js';

/** Source: validatePodDNSConfig. */
export function checkDnsConfig(spec: FieldPath): void {
  const config = spec.child('dnsConfig');
  const servers = config.child('nameservers');
  if (spec.text('dnsPolicy') === 'None') {
    if (!config.isSet()) config.required('must provide `dnsConfig` when `dnsPolicy` is None');
    else if (servers.length() === 0) servers.required('must provide at least one DNS nameserver when `dnsPolicy` is None');
    if (servers.length() === 0) return;
  }
  if (servers.length() > 3) servers.invalid('must not have more than 3 nameservers');
  for (const server of servers.items()) checkName(server, text => ipProblems(spec.server, text));
  checkSearches(config.child('searches'));
  for (const option of config.items('options')) if (option.text('name') === '') option.required('must not be empty');
}

function checkSearches(searches: FieldPath): void {
  const texts = searches.texts();
  if (texts.length > 32) searches.invalid('must not have more than 32 search paths');
  if (Buffer.byteLength(texts.join(' ')) > 2048)
    searches.invalid('must not have more than 2048 characters (including spaces) in the search list');
  for (const search of searches.items()) {
    if (search.text() === '.') continue;
    const domain = search.text().replace(/\.$/, '');
    search.invalidEach(domain, underscoredProblems(domain));
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
export function checkHostAliases(aliases: FieldPath): void {
  for (const alias of aliases.items()) {
    checkName(alias.child('ip'), text => ipProblems(aliases.server, text));
    for (const name of alias.items('hostnames')) checkName(name, dns1123SubdomainProblems);
  }
}

/** Validates that with hostNetwork container ports equal host ports. Source: validatePodHostNetworkDeps. */
export function checkHostNetworkPorts(spec: FieldPath, isPod: boolean): void {
  if (!spec.flag('hostNetwork')) return;
  for (const port of spec.items('containers').flatMap(container => container.items('ports'))) {
    const host = port.number('hostPort');
    if ((isPod || host !== 0n) && host !== port.number('containerPort'))
      port.child('hostPort').invalid(host, 'must match `containerPort` when `hostNetwork` is true');
  }
}

/** Validates that a pod with a user namespace does not share host namespaces. Source: validateHostUsers. */
export function checkHostUsers(spec: FieldPath): void {
  if (spec.child('hostUsers').value !== false) return;
  const message = 'when `hostUsers` is false';
  for (const [name, shown] of [
    ['hostNetwork', 'hostNetwork'],
    ['hostPID', 'HostPID'],
    ['hostIPC', 'HostIPC'],
  ] as const)
    if (spec.flag(name)) spec.child(shown).forbidden(message);
  for (const list of ['initContainers', 'containers', 'ephemeralContainers'])
    for (const container of spec.items(list))
      if (container.child('volumeDevices').length() > 0) container.child('volumeDevices').forbidden(message);
}

/** Source: validatePodHostName. */
export function checkHostnameOverride(spec: FieldPath): void {
  if (!spec.has('hostnameOverride')) return;
  const name = spec.child('hostnameOverride');
  if (spec.flag('setHostnameAsFQDN')) name.forbidden('may not be specified when setHostnameAsFQDN is true');
  if (spec.flag('hostNetwork')) name.forbidden('may not be specified when hostNetwork is true');
  if (Buffer.byteLength(name.text()) > 64) name.tooLong(64);
  checkName(name, dns1123SubdomainProblems);
}
