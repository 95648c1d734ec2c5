import { ownMember } from '../../go/own-members.js';
/** Types of values of kube-apiserver's flags, as pflag parses them. */
export type FlagType = 'list' | 'string' | 'address' | 'boolean' | 'integer' | 'duration' | 'number' | 'settings' | 'array' | 'level';

/** A flag of kube-apiserver. */
export interface KnownFlag {
  readonly name: string;
  readonly type: FlagType;
  /** `used`: it has its effect here. `noted`: ignored with a note on stderr. `refused`: an error, because it would change answers. */
  readonly support: 'used' | 'noted' | 'refused';
  /** Returns the values with which a refused flag is only noted, in a minor version such as 36. */
  readonly harmless?: ((minor: number) => readonly string[]) | undefined;
  /** First minor version with the flag. */
  readonly since?: number | undefined;
}

/** Returns the flag of kube-apiserver with this name in a minor version such as 36; undefined if it does not exist. */
export function knownFlag(name: string, minor: number): KnownFlag | undefined {
  const flag = flagsByName.get(name);
  return flag === undefined || (flag.since !== undefined && minor < flag.since) ? undefined : flag;
}

/** Returns all flags of a minor version, sorted by name. */
export function listKnownFlags(minor: number): readonly KnownFlag[] {
  return [...flagsByName.values()].filter(({ since }) => since === undefined || since <= minor).sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** Source: kubernetes cmd/kube-apiserver/app/options, pkg/kubeapiserver/options, apiserver server/options. */
const names: Readonly<Record<FlagType, string>> = {
  list: `admission-control api-audiences authorization-mode cors-allowed-origins disable-admission-plugins disabled-metrics emulated-version
    enable-admission-plugins etcd-servers etcd-servers-overrides kubelet-preferred-address-types min-compatibility-version oidc-signing-algs
    requestheader-allowed-names requestheader-extra-headers-prefix requestheader-group-headers requestheader-uid-headers
    requestheader-username-headers strict-transport-security-directives tls-cipher-suites tls-curve-preferences watch-cache-sizes`,
  string: `admission-control-config-file allow-metric-labels allow-metric-labels-manifest audit-log-format audit-log-mode audit-log-path
    audit-log-version audit-policy-file audit-webhook-config-file audit-webhook-mode audit-webhook-version authentication-config
    authentication-token-webhook-config-file authentication-token-webhook-version authorization-config authorization-policy-file
    authorization-webhook-config-file authorization-webhook-version cert-dir client-ca-file debug-socket-path egress-selector-config-file
    encryption-provider-config endpoint-reconciler-type etcd-cafile etcd-certfile etcd-keyfile etcd-prefix external-hostname
    kubelet-certificate-authority kubelet-client-certificate kubelet-client-key log-text-info-buffer-size logging-format oidc-ca-file
    oidc-client-id oidc-groups-claim oidc-groups-prefix oidc-issuer-url oidc-username-claim oidc-username-prefix peer-advertise-ip
    peer-advertise-port peer-ca-file proxy-client-cert-file proxy-client-key-file requestheader-client-ca-file service-account-jwks-uri
    service-account-signing-endpoint service-account-signing-key-file service-cluster-ip-range service-node-port-range
    show-hidden-metrics-for-version storage-backend storage-media-type tls-cert-file tls-min-version tls-private-key-file token-auth-file
    tracing-config-file vmodule`,
  address: 'advertise-address bind-address',
  boolean: `aggregator-reject-forwarding-redirect allow-privileged anonymous-auth audit-log-batch-throttle-enable audit-log-compress
    audit-log-truncate-enabled audit-webhook-batch-throttle-enable audit-webhook-truncate-enabled contention-profiling disable-http2-serving
    emulation-forward-compatible enable-aggregator-routing enable-bootstrap-token-auth enable-garbage-collector enable-logs-handler
    enable-priority-and-fairness encryption-provider-config-automatic-reload log-text-split-stream permit-address-sharing
    permit-port-sharing profiling runtime-config-emulation-forward-compatible service-account-extend-token-expiration service-account-lookup
    shutdown-send-retry-after watch-cache`,
  integer: `apiserver-count audit-log-batch-buffer-size audit-log-batch-max-size audit-log-batch-throttle-burst audit-log-maxage
    audit-log-maxbackup audit-log-maxsize audit-log-truncate-max-batch-size audit-log-truncate-max-event-size audit-webhook-batch-buffer-size
    audit-webhook-batch-max-size audit-webhook-batch-throttle-burst audit-webhook-truncate-max-batch-size
    audit-webhook-truncate-max-event-size default-not-ready-toleration-seconds default-unreachable-toleration-seconds
    default-watch-cache-size delete-collection-workers http2-max-streams-per-connection kubelet-port kubelet-read-only-port
    kubernetes-service-node-port lease-reuse-duration-seconds max-connection-bytes-per-sec max-mutating-requests-inflight
    max-requests-inflight min-request-timeout secure-port`,
  duration: `audit-log-batch-max-wait audit-webhook-batch-initial-backoff audit-webhook-batch-max-wait audit-webhook-initial-backoff
    authentication-token-webhook-cache-ttl authorization-webhook-cache-authorized-ttl authorization-webhook-cache-unauthorized-ttl
    coordinated-leadership-lease-duration coordinated-leadership-renew-deadline coordinated-leadership-retry-period etcd-compaction-interval
    etcd-count-metric-poll-period etcd-db-metric-poll-interval etcd-healthcheck-timeout etcd-readycheck-timeout event-ttl kubelet-timeout
    livez-grace-period log-flush-frequency request-timeout service-account-max-token-expiration shutdown-delay-duration
    shutdown-watch-termination-grace-period storage-initialization-timeout`,
  number: 'audit-log-batch-throttle-qps audit-webhook-batch-throttle-qps goaway-chance',
  settings: 'feature-gates oidc-required-claim runtime-config',
  level: 'v',
  array: 'service-account-issuer service-account-key-file tls-sni-cert-key',
};

const used =
  wordsOf(`admission-control-config-file advertise-address anonymous-auth api-audiences audit-log-path audit-policy-file authentication-config authentication-token-webhook-cache-ttl
  authentication-token-webhook-config-file authentication-token-webhook-version authorization-config authorization-mode authorization-policy-file authorization-webhook-cache-authorized-ttl
  authorization-webhook-cache-unauthorized-ttl authorization-webhook-config-file authorization-webhook-version bind-address cert-dir client-ca-file default-not-ready-toleration-seconds
  default-unreachable-toleration-seconds disable-admission-plugins enable-admission-plugins enable-aggregator-routing enable-priority-and-fairness etcd-servers feature-gates min-request-timeout oidc-ca-file oidc-client-id oidc-groups-claim oidc-groups-prefix
  oidc-issuer-url oidc-required-claim oidc-signing-algs oidc-username-claim oidc-username-prefix profiling proxy-client-cert-file proxy-client-key-file
  requestheader-allowed-names requestheader-client-ca-file requestheader-extra-headers-prefix requestheader-group-headers
  requestheader-uid-headers requestheader-username-headers runtime-config secure-port service-account-issuer service-account-key-file service-account-signing-key-file service-cluster-ip-range
  strict-transport-security-directives tls-cert-file tls-private-key-file token-auth-file watch-cache`);

/** Refused unless they have one of these values, which change nothing in a minor version. */
const refused: ReadonlyMap<string, (minor: number) => readonly string[]> = new Map<string, (minor: number) => readonly string[]>([
  ['aggregator-reject-forwarding-redirect', () => ['true']],
  ['allow-privileged', () => ['true']],
  ['cors-allowed-origins', () => []],
  ['emulated-version', minor => [`1.${minor}`, `kube=1.${minor}`]],
  ['enable-bootstrap-token-auth', () => ['false']],
  ['goaway-chance', () => ['0']],
  ['service-account-signing-endpoint', () => []],
  ['service-node-port-range', () => ['30000-32767']],
  ['tls-sni-cert-key', () => []],
]);

const since: Readonly<Record<string, number>> = { 'min-compatibility-version': 35, 'tls-curve-preferences': 36 };

const flagsByName: ReadonlyMap<string, KnownFlag> = new Map(
  (Object.entries(names) as [FlagType, string][]).flatMap(([type, list]) =>
    [...wordsOf(list)].map((name): [string, KnownFlag] => {
      const support = used.has(name) ? 'used' : refused.has(name) ? 'refused' : 'noted';
      return [name, { name, type, support, harmless: refused.get(name), since: ownMember(since, name) }];
    }),
  ),
);

function wordsOf(text: string): ReadonlySet<string> {
  return new Set(text.split(/\s+/));
}
