/** Minor versions of Kubernetes whose API server is reproduced, oldest first. */
export const kubernetesMinors = ['v1.34', 'v1.35', 'v1.36', 'v1.37'] as const;

export type KubernetesMinor = (typeof kubernetesMinors)[number];

/** Default minor. */
export const defaultMinor: KubernetesMinor = 'v1.37';

/** The newest minor: its tables and data are complete, and those of the others are differences from it. */
export const newestMinor: KubernetesMinor = 'v1.37';

/** Release whose API server was recorded, by minor. */
const releases: Readonly<Record<KubernetesMinor, string>> = {
  'v1.34': 'v1.34.4',
  'v1.35': 'v1.35.4',
  'v1.36': 'v1.36.3',
  'v1.37': 'v1.37.2',
};

/** The release of a minor whose API server was recorded, `v1.36.3`. */
export function releaseOf(minor: KubernetesMinor): string {
  return releases[minor];
}

/** An API server to behave like: its minor and its `--feature-gates`, `AllBeta=true,HPAScaleToZero=true`. */
export interface SelectedServer {
  readonly minor: KubernetesMinor;
  readonly featureGates: string;
}

/** Returns the minor of `v1.35`, `1.35` or `v1.35.4`; undefined if it is not supported. */
export function minorOf(version: string): KubernetesMinor | undefined {
  const minor = /^v?(\d+\.\d+)(?:\.\d+)?(?:[-+].*)?$/.exec(version)?.[1];
  return kubernetesMinors.find(known => known === `v${minor}`);
}
