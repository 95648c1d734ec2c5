import { memoize } from './memoize.js';

/** Options that flags of kube-apiserver set. Source: apiserver server/options, kubernetes pkg/kubeapiserver/options. */
export interface ServerOptions {
  readonly enabledPlugins: readonly string[];
  readonly disabledPlugins: readonly string[];
  /** `--runtime-config` by API, such as `apps/v1` or `api/beta`. */
  readonly runtimeConfig: ReadonlyMap<string, boolean>;
  readonly authorizationModes: ReadonlySet<string>;
  readonly watchCache: boolean;
  /** Whether `/debug/pprof` is served. */
  readonly profiling: boolean;
  /** Audiences of the API server itself, and of tokens for which none are requested. */
  readonly apiAudiences: readonly string[];
  /** Services are called at their endpoints instead of their cluster IPs. */
  readonly routesToEndpoints: boolean;
  readonly defaultNotReadyTolerationSeconds: bigint;
  readonly defaultUnreachableTolerationSeconds: bigint;
}

/** Parses the flags of a kube-apiserver. Unknown flags are ignored; for flags with a single value the last one is used. */
export const serverOptions: (flags: readonly string[]) => ServerOptions = memoize(flags => ({
  enabledPlugins: listOf(flags, 'enable-admission-plugins'),
  disabledPlugins: listOf(flags, 'disable-admission-plugins'),
  runtimeConfig: new Map(listOf(flags, 'runtime-config').map(settingOf)),
  authorizationModes: new Set(listOf(flags, 'authorization-mode')),
  watchCache: booleanOf(flags, 'watch-cache') ?? true,
  profiling: booleanOf(flags, 'profiling') ?? true,
  apiAudiences: apiAudiencesOf(flags),
  routesToEndpoints: booleanOf(flags, 'enable-aggregator-routing') ?? false,
  defaultNotReadyTolerationSeconds: integerOf(flags, 'default-not-ready-toleration-seconds') ?? 300n,
  defaultUnreachableTolerationSeconds: integerOf(flags, 'default-unreachable-toleration-seconds') ?? 300n,
}));

/** Without `--api-audiences`, the issuers of service account tokens. Source: kubernetes pkg/kubeapiserver/options/authentication.go. */
function apiAudiencesOf(flags: readonly string[]): readonly string[] {
  const given = listOf(flags, 'api-audiences');
  if (given.length > 0) return given;
  const issuers = listOf(flags, 'service-account-issuer');
  return issuers.length > 0 ? issuers : ['https://kubernetes.default.svc'];
}

/** Returns all values of a repeatable flag whose values are lists. */
function listOf(flags: readonly string[], name: string): string[] {
  const prefix = `--${name}=`;
  return flags.filter(flag => flag.startsWith(prefix)).flatMap(flag => flag.slice(prefix.length).split(','));
}

function settingOf(setting: string): readonly [string, boolean] {
  const [key = '', value = 'true'] = setting.split('=');
  return [key, value !== 'false'];
}

function booleanOf(flags: readonly string[], name: string): boolean | undefined {
  const last = flags.findLast(flag => flag === `--${name}` || flag.startsWith(`--${name}=`));
  return last === undefined ? undefined : !last.endsWith('=false');
}

function integerOf(flags: readonly string[], name: string): bigint | undefined {
  const prefix = `--${name}=`;
  const text = flags.findLast(flag => flag.startsWith(prefix))?.slice(prefix.length);
  return text !== undefined && /^-?\d+$/.test(text) ? BigInt(text) : undefined;
}
