import { invalidFlag } from '../../client/cli-error.js';
import { minorValue } from '../../client/options/version-values.js';
import { defaultMinor, type KubernetesMinor } from '../../kubernetes/kubernetes-version.js';

export interface VersionFlags {
  readonly kubernetesVersion?: KubernetesMinor | undefined;
}

/** Returns the API server specified by the flags, or the newest. */
export function minorOfFlags({ kubernetesVersion }: VersionFlags): KubernetesMinor {
  return kubernetesVersion ?? defaultMinor;
}

/** Returns the minor of `v1.35`, `1.35` or `v1.35.4`. Throws CliError for an unsupported version. */
export function minorOfFlag(version: string): KubernetesMinor {
  const minor = minorValue.parse(version);
  if (minor === undefined) throw invalidFlag('kubernetes-version', version, minorValue.expected);
  return minor;
}
