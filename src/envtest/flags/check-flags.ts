import { quote } from '../../go/quote.js';
import { trimSpace } from '../../go/white-space.js';
import type { ApiServer } from '../../kubernetes/api-server.js';
import { featureGateErrors } from '../../kubernetes/feature-gates.js';
import { builtInResources } from '../../kubernetes/resource-table.js';
import { type FlagValues, serverOptions } from '../../kubernetes/server-options.js';
import { refusedPluginFlags } from '../../plugins/enabled.js';
import { parseCidrs } from './service-cidrs.js';

/** Returns the errors with which kube-apiserver refuses to start, for an API server. Source: kubernetes cmd/kube-apiserver/app/options/validation.go. */
export function flagErrors(server: ApiServer, flags: FlagValues): readonly string[] {
  const gates = featureGateErrors({ minor: server.minor, featureGates: (flags.get('feature-gates') ?? []).join(',') });
  if (gates.length > 0) return gates;
  return [
    ...rangeErrors(flags),
    ...requestErrors(flags),
    ...(flags.get('etcd-servers') === undefined ? ['--etcd-servers must be specified'] : []),
    ...portErrors(flags),
    ...authenticationErrors(flags),
    ...authorizationErrors(flags),
    ...refusedPluginFlags(server, serverOptions(flags)),
    ...runtimeConfigErrors(server, flags.get('runtime-config') ?? []),
    ...tokenErrors(flags),
  ];
}

/** Source: cmd/kube-apiserver/app/options/validation.go validateClusterIPFlags. */
function rangeErrors(flags: FlagValues): string[] {
  const range = flags.get('service-cluster-ip-range')?.at(-1) ?? '';
  if (range === '') return [];
  const cidrs = parseCidrs(range);
  if (cidrs[0] === undefined) return ['service-cluster-ip-range[0] is not a valid cidr'];
  if (cidrs.length > 1 && cidrs[1] === undefined) return ['service-cluster-ip-range[1] is not an ip net'];
  if (cidrs.some(cidr => cidr?.isIpv4 === false))
    return ['--service-cluster-ip-range: IPv6 is not supported by the API server of webhook-cli'];
  if (cidrs.length > 2) return ['--service-cluster-ip-range must not contain more than two entries'];
  return cidrs.length === 2 && cidrs[0].isIpv4 === cidrs[1]?.isIpv4
    ? ['--service-cluster-ip-range[0] and --service-cluster-ip-range[1] must be of different IP family']
    : [];
}

/** Source: apiserver server/options/server_run_options.go Validate. */
function requestErrors(flags: FlagValues): string[] {
  const isNegative = Number(flags.get('min-request-timeout')?.at(-1) ?? 0) < 0;
  return [
    ...(isNegative ? ['--min-request-timeout can not be negative value'] : []),
    ...(flags.get('strict-transport-security-directives') ?? []).flatMap(transportSecurityErrors),
  ];
}

/** Source: validateHSTSDirectives. */
function transportSecurityErrors(directive: string): string[] {
  if (trimSpace(directive) === '') return ['empty value in strict-transport-security-directives'];
  if (/^(?:includeSubDomains|preload|max-age=[^=]*)$/.test(directive)) return [];
  const allowed = 'allowed values: max-age=expireTime, includeSubDomains, preload';
  const reference = 'see https://tools.ietf.org/html/rfc6797#section-6.1 for more information';
  return [`--strict-transport-security-directives invalid, ${allowed}. ${reference}`];
}

/** Source: apiserver server/options/serving.go Validate. */
function portErrors(flags: FlagValues): string[] {
  const port = Number(flags.get('secure-port')?.at(-1) ?? 6443);
  return port >= 1 && port <= 65535 ? [] : [`--secure-port ${port} must be between 1 and 65535, inclusive. It cannot be turned off with 0`];
}

/** Source: kubernetes pkg/kubeapiserver/options/authentication.go Validate. */
function authenticationErrors(flags: FlagValues): string[] {
  const issuers = flags.get('service-account-issuer') ?? [];
  const errors = openIdErrors(flags);
  issuers.forEach((issuer, i) => {
    if (issuer === '') errors.push('service-account-issuer should not be an empty string');
    if (issuers.indexOf(issuer) < i) errors.push(`service-account-issuer ${quote(issuer)} is already specified`);
  });
  if (issuers.length === 0) errors.push('service-account-issuer is a required flag');
  if ((flags.get('service-account-key-file') ?? []).length === 0)
    errors.push('either `--service-account-key-file` or `--service-account-signing-endpoint` must be set');
  return errors;
}

/** Source: validateOIDCOptions. */
function openIdErrors(flags: FlagValues): string[] {
  if (![...flags.keys()].some(name => name.startsWith('oidc-'))) return [];
  const isGiven = (flag: string): boolean => (flags.get(flag)?.at(-1) ?? '') !== '';
  if (isGiven('authentication-config')) return ['authentication-config file and oidc-* flags are mutually exclusive'];
  return isGiven('oidc-issuer-url') && isGiven('oidc-client-id')
    ? []
    : ['oidc-issuer-url and oidc-client-id must be specified together when any oidc-* flags are set'];
}

const modes = ['AlwaysAllow', 'AlwaysDeny', 'ABAC', 'Webhook', 'RBAC', 'Node'];

/** Source: kubernetes pkg/kubeapiserver/options/authorization.go Validate. */
function authorizationErrors(flags: FlagValues): string[] {
  const given = flags.get('authorization-mode') ?? ['AlwaysAllow'];
  if ((flags.get('authorization-config')?.at(-1) ?? '') !== '') {
    const isLegacy = [...flags.keys()].some(name => name === 'authorization-mode' || /^authorization-(?:webhook-|policy-file)/.test(name));
    return isLegacy
      ? ['--authorization-config can not be specified when --authorization-mode or --authorization-webhook-* flags are defined']
      : [];
  }
  if (given.length === 0) return ['at least one authorization-mode must be passed'];
  const errors = given.filter(mode => !modes.includes(mode)).map(mode => `authorization-mode ${quote(mode)} is not a valid mode`);
  const isGiven = (flag: string): boolean => (flags.get(flag)?.at(-1) ?? '') !== '';
  const [policy, webhook] = [isGiven('authorization-policy-file'), isGiven('authorization-webhook-config-file')];
  if (given.includes('ABAC') && !policy) errors.push("authorization-mode ABAC's authorization policy file not passed");
  if (given.includes('Webhook') && !webhook) errors.push("authorization-mode Webhook's authorization config file not passed");
  if (policy && !given.includes('ABAC')) errors.push('cannot specify --authorization-policy-file without mode ABAC');
  if (webhook && !given.includes('Webhook')) errors.push('cannot specify --authorization-webhook-config-file without mode Webhook');
  const repeated = new Set(given).size < given.length;
  return repeated ? [...errors, `authorization-mode [${given.map(quote).join(' ')}] has mode specified more than once`] : errors;
}

/** Source: apiserver server/options/api_enablement.go Validate. */
function runtimeConfigErrors(server: ApiServer, settings: readonly string[]): string[] {
  const names = settings.map(setting => setting.split('=')[0] ?? '');
  const all = settings.find(setting => /^api\/all=(?:false|0|f)$/i.test(setting));
  if (all !== undefined && settings.length === 1) {
    return [
      '--runtime-config=api/all=false conflicts with --enable-priority-and-fairness=true',
      'invalid runtime-config with only api/all=false',
    ];
  }
  const known = builtInResources(server, 'all').groups;
  const groups = new Set(known.map(({ group }) => group));
  const unknown = names.filter(name => !/^(?:api\/(?:all|ga|beta|alpha)|v1|api\/v1)$/.test(name) && !groups.has(name.split('/')[0] ?? ''));
  if (unknown.length > 0) return [`unknown api groups ${[...new Set(unknown)].sort().join(',')}`];
  const missing = names.find(name => {
    const [group = '', version] = name.split('/');
    return group !== 'api' && version !== undefined && known.find(other => other.group === group)?.versions.includes(version) === false;
  });
  return missing === undefined ? [] : [`group version ${missing.split('/').slice(0, 2).join('/')} that has not been registered`];
}

/** Source: kubernetes pkg/controlplane/apiserver/options/validation.go validateTokenRequest. */
function tokenErrors(flags: FlagValues): string[] {
  const hasKey = (flags.get('service-account-signing-key-file')?.at(-1) ?? '') !== '';
  const issuers = flags.get('service-account-issuer') ?? [];
  const hasIssuer = issuers.length > 0 && issuers[0] !== '';
  if (!hasKey && !hasIssuer) return ['--service-account-signing-key-file and --service-account-issuer are required flags'];
  return hasKey && hasIssuer
    ? []
    : ['--service-account-signing-key-file, --service-account-issuer, and --api-audiences should be specified together'];
}
