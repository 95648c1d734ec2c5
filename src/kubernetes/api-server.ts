import { gatesOf } from './feature-gates.js';
import { defaultMinor, type KubernetesMinor, kubernetesMinors, releaseOf, type SelectedServer } from './kubernetes-version.js';

/**
 * The API server to behave like. Rules get it from what they work on: a place, a codec, a context, a state. The rooms that need more of it
 * than its version declare that beside the functions that read it: the scheme, the kinds, the plugins. Two servers share nothing that changes,
 * so calls for different versions run at the same time.
 */
export interface ApiServer extends SelectedServer {
  /** The release that was recorded, `v1.36.3`: in the User-Agent of kubectl and of controllers. */
  readonly release: string;
  /** Reports whether the API server is of this minor or a later one: for rules that a release changed without a feature gate. */
  readonly since: (minor: KubernetesMinor) => boolean;
  /** Reports whether the API server is of this minor or an earlier one. */
  readonly until: (minor: KubernetesMinor) => boolean;
  /** Reports whether a feature gate is enabled. Gates that the minor does not have are disabled. */
  readonly isEnabled: (gate: string) => boolean;
}

/** What an API server has besides its version: the same for all minors. */
export type ServerParts = Omit<ApiServer, keyof SelectedServer | 'release' | 'since' | 'until' | 'isEnabled'>;

/** Returns the API server of a minor and its gates; the default minor without gates if they are absent. */
export type ApiServers = (selected?: { readonly [K in keyof SelectedServer]?: SelectedServer[K] | undefined }) => ApiServer;

/** Returns what makes API servers from these parts. Each server is made once: tables and derived values are kept with it. */
export function apiServersOf(parts: ServerParts): ApiServers {
  const made = new Map<string, ApiServer>();
  return ({ minor = defaultMinor, featureGates = '' } = {}) => {
    const key = `${minor} ${featureGates}`;
    const server = made.get(key) ?? newServer({ minor, featureGates }, parts);
    made.set(key, server);
    return server;
  };
}

function newServer(selected: SelectedServer, parts: ServerParts): ApiServer {
  const index = kubernetesMinors.indexOf(selected.minor);
  return {
    ...parts,
    ...selected,
    release: releaseOf(selected.minor),
    since: minor => index >= kubernetesMinors.indexOf(minor),
    until: minor => index <= kubernetesMinors.indexOf(minor),
    isEnabled: gatesOf(selected),
  };
}
