/** Minor versions of Kubernetes whose API server is reproduced, oldest first. */
export const kubernetesMinors = ['v1.34', 'v1.35', 'v1.36', 'v1.37'] as const;

export type KubernetesMinor = (typeof kubernetesMinors)[number];

/** Default minor. */
export const defaultMinor: KubernetesMinor = 'v1.36';

/** The newest minor: its tables and data are complete, and those of the others are differences from it. */
export const newestMinor: KubernetesMinor = 'v1.37';

/** Release whose API server was recorded, by minor. It is in the User-Agent of kubectl and of controllers. */
const releases: Readonly<Record<KubernetesMinor, string>> = {
  'v1.34': 'v1.34.4',
  'v1.35': 'v1.35.4',
  'v1.36': 'v1.36.3',
  'v1.37': 'v1.37.2',
};

/** An API server to behave like: its minor and its `--feature-gates`, `AllBeta=true,HPAScaleToZero=true`. */
export interface SelectedServer {
  readonly minor: KubernetesMinor;
  readonly featureGates: string;
}

/**
 * Process-wide state, as version and gates are in a real API server, because rules deep in validation depend on it. `asServer` ensures that
 * calls for different servers never run concurrently.
 */
let selected: SelectedServer = { minor: defaultMinor, featureGates: '' };
let index = kubernetesMinors.indexOf(defaultMinor);

/** Selects the API server to behave like from now on. */
export function selectServer(server: SelectedServer): void {
  if (isSelected(server)) return;
  selected = server;
  index = kubernetesMinors.indexOf(server.minor);
}

export function selectedServer(): SelectedServer {
  return selected;
}

export function isSelected({ minor, featureGates }: SelectedServer): boolean {
  return minor === selected.minor && featureGates === selected.featureGates;
}

export function kubernetesMinor(): KubernetesMinor {
  return selected.minor;
}

/** The release, `v1.36.3`. */
export function kubernetesRelease(): string {
  return releaseOf(selected.minor);
}

/** Returns the release whose API server was recorded for a minor, `v1.36.3`. */
export function releaseOf(minor: KubernetesMinor): string {
  return releases[minor];
}

/** Reports whether the API server is of this minor or a later one: for rules that a release changed without a feature gate. */
export function since(minor: KubernetesMinor): boolean {
  return index >= kubernetesMinors.indexOf(minor);
}

/** Reports whether the API server is of this minor or an earlier one. */
export function until(minor: KubernetesMinor): boolean {
  return index <= kubernetesMinors.indexOf(minor);
}

/** Returns the minor of `v1.35`, `1.35` or `v1.35.4`; undefined if it is not supported. */
export function minorOf(version: string): KubernetesMinor | undefined {
  const minor = /^v?(\d+\.\d+)(?:\.\d+)?(?:[-+].*)?$/.exec(version)?.[1];
  return kubernetesMinors.find(known => known === `v${minor}`);
}

/** Memoizes a value for each minor: for contents of the tables. */
export function perMinor<T>(make: (minor: KubernetesMinor) => T): () => T {
  const made: ({ readonly value: T } | undefined)[] = [];
  return () => {
    const known = made[index];
    if (known !== undefined) return known.value;
    const value = make(selected.minor);
    made[index] = { value };
    return value;
  };
}

/** Memoizes a value for each minor and set of feature gates: for values derived by rules. */
export function perServer<T>(make: () => T): () => T {
  const made = new Map<string, T>();
  let latest: { readonly server: SelectedServer; readonly value: T } | undefined;
  return () => {
    if (latest?.server === selected) return latest.value;
    const key = `${selected.minor} ${selected.featureGates}`;
    const value = made.get(key) ?? make();
    made.set(key, value);
    latest = { server: selected, value };
    return value;
  };
}
