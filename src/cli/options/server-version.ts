import { CliError } from '../../client/cli-error.js';
import { defaultMinor, type KubernetesMinor, kubernetesMinors, minorOf } from '../../kubernetes/kubernetes-version.js';

export interface VersionFlags {
  readonly kubernetesVersion?: string | undefined;
}

/** Returns the API server specified by the flags; undefined without such flags. Throws CliError for an unsupported version. */
export function givenMinor(flags: VersionFlags): KubernetesMinor | undefined {
  const version = flags.kubernetesVersion;
  return version === undefined ? undefined : minorNamed(version);
}

/** Returns the API server specified by the flags, or the newest. */
export function minorOfFlags(flags: VersionFlags): KubernetesMinor {
  return givenMinor(flags) ?? defaultMinor;
}

/** Returns the minor of `v1.35`, `1.35` or `v1.35.4`. Throws CliError, which names the flag, for an unsupported version. */
export function minorNamed(version: string, flag = 'kubernetes-version'): KubernetesMinor {
  const minor = minorOf(version);
  if (minor !== undefined) return minor;
  const known = `${kubernetesMinors.slice(0, -1).join(', ')} or ${kubernetesMinors.at(-1)}`;
  throw new CliError('usage', `invalid --${flag} "${version}": expected ${known}`);
}
