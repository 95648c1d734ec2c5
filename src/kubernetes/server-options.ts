/** Options that flags of kube-apiserver set. Source: apiserver server/options, kubernetes pkg/kubeapiserver/options. */
export interface ApiServerOptions {
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

/** Values of flags by name, without dashes, in the order given. A value may be a list with commas between. */
export type FlagValues = ReadonlyMap<string, readonly string[]>;

/** Reads the flags of a kube-apiserver. Unknown flags are ignored; for flags with a single value the last one is used. */
export function serverOptions(flags: FlagValues): ApiServerOptions {
  return {
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
  };
}

/** Options of a kube-apiserver without flags. */
export const defaultServerOptions: ApiServerOptions = serverOptions(new Map());

/** Returns the values of the flags of a command line, such as `--watch-cache=false`; a flag without a value is `true`. */
export function flagValues(argv: readonly string[]): FlagValues {
  const values = new Map<string, string[]>();
  for (const word of argv) {
    const [, name = '', value = 'true'] = /^--([^=]+)(?:=(.*))?$/s.exec(word) ?? [];
    values.set(name, [...(values.get(name) ?? []), value]);
  }
  return values;
}

/** Without `--api-audiences`, the issuers of service account tokens. Source: kubernetes pkg/kubeapiserver/options/authentication.go. */
function apiAudiencesOf(flags: FlagValues): readonly string[] {
  const given = listOf(flags, 'api-audiences');
  if (given.length > 0) return given;
  const issuers = listOf(flags, 'service-account-issuer');
  return issuers.length > 0 ? issuers : ['https://kubernetes.default.svc'];
}

/** Returns all values of a repeatable flag whose values are lists. */
function listOf(flags: FlagValues, name: string): string[] {
  return (flags.get(name) ?? []).flatMap(value => value.split(','));
}

function settingOf(setting: string): readonly [string, boolean] {
  const [key = '', value = 'true'] = setting.split('=');
  return [key, value !== 'false'];
}

function booleanOf(flags: FlagValues, name: string): boolean | undefined {
  const last = flags.get(name)?.at(-1);
  return last === undefined ? undefined : last !== 'false';
}

function integerOf(flags: FlagValues, name: string): bigint | undefined {
  const text = flags.get(name)?.at(-1);
  return text !== undefined && /^-?\d+$/.test(text) ? BigInt(text) : undefined;
}
