/** Minor versions of Kubernetes whose API server is reproduced, oldest first. */
export const kubernetesMinors = ['v1.34', 'v1.35', 'v1.36', 'v1.37', 'v1.38'] as const;

export type KubernetesMinor = (typeof kubernetesMinors)[number];

/** Default minor. */
export const defaultMinor: KubernetesMinor = 'v1.37';

/** The minor that is not released yet: what it does may change until then. */
const previewMinor: KubernetesMinor | undefined = 'v1.38';

/** Returns what to say of a minor that is not released; undefined for the others. */
export function previewNote(minor: KubernetesMinor): string | undefined {
  return minor === previewMinor ? `Kubernetes ${minor} is a preview, as of ${releaseOf(minor)}: the release may differ` : undefined;
}

/** Release whose API server was recorded, by minor. */
const releases: Readonly<Record<KubernetesMinor, string>> = {
  'v1.34': 'v1.34.4',
  'v1.35': 'v1.35.4',
  'v1.36': 'v1.36.3',
  'v1.37': 'v1.37.2',
  'v1.38': 'v1.38.0-beta.0',
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
