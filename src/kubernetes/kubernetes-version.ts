/** Minor versions of Kubernetes whose API server is reproduced, oldest first. */
export const kubernetesMinors = ['v1.34', 'v1.35', 'v1.36'] as const;

export type KubernetesMinor = (typeof kubernetesMinors)[number];

/** The minor that calls meet when nobody names one. */
export const defaultMinor: KubernetesMinor = 'v1.36';

/** Release whose API server was recorded, by minor. It is in the User-Agent of kubectl and of controllers. */
const releases: Readonly<Record<KubernetesMinor, string>> = { 'v1.34': 'v1.34.4', 'v1.35': 'v1.35.4', 'v1.36': 'v1.36.3' };

/** An API server to behave like: its minor and its `--feature-gates`, `AllBeta=true,HPAScaleToZero=true`. */
export interface SelectedServer {
  readonly minor: KubernetesMinor;
  readonly featureGates: string;
}

/**
 * State of the process, as a real API server's version and gates are: rules deep in validation ask for it. Calls of different
 * servers never run at the same time; `asServer` sees to that.
 */
let selected: SelectedServer = { minor: defaultMinor, featureGates: '' };
let index = kubernetesMinors.indexOf(defaultMinor);

/** Makes everything that follows behave like this API server. */
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
  return releases[selected.minor];
}

/** Reports whether the API server is of this minor or a later one: for rules that a release changed without a feature gate. */
export function since(minor: KubernetesMinor): boolean {
  return index >= kubernetesMinors.indexOf(minor);
}

/** Reports whether the API server is of this minor or an earlier one. */
export function until(minor: KubernetesMinor): boolean {
  return index <= kubernetesMinors.indexOf(minor);
}

/** Returns the minor of `v1.35`, `1.35` or `v1.35.4`; undefined where it is not reproduced. */
export function minorOf(version: string): KubernetesMinor | undefined {
  const minor = /^v?(\d+\.\d+)(?:\.\d+)?(?:[-+].*)?$/.exec(version)?.[1];
  return kubernetesMinors.find(known => known === `v${minor}`);
}

/** Makes a value once for each minor: caches of what the tables hold. */
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

/** Makes a value once for each minor and set of feature gates: caches of what rules make of them. */
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
