import { invalidFlag } from '../../client/cli-error.js';
import { defaultMinor } from '../../kubernetes/kubernetes-version.js';
import { minorOfFlags, type VersionFlags } from '../input/server-version.js';

/** Discovery, OpenAPI and protobuf are known of the newest version alone. Throws CliError for another one. */
export function checkVersion(flags: VersionFlags): void {
  const minor = minorOfFlags(flags);
  if (minor !== defaultMinor) throw invalidFlag('kubernetes-version', minor, `${defaultMinor}: apiserver has no other version`);
}
