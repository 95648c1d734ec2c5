import type { KindDefinition } from '../../../apiserver/registry/kind-definition.js';
import { checkImmutable } from '../../../apiserver/registry/validation/immutable.js';
import type { KindRules } from '../../../apiserver/registry/validation/kind-rules.js';
import type { Place } from '../../../apiserver/registry/validation/place.js';
import { addInvalid, addRequired, addUnsupported, at, textOf } from '../../../apiserver/registry/validation/place.js';
import { checkName } from '../../../apiserver/registry/validation/rules.js';
import type { SemanticVersion } from '../../../apiserver/registry/validation/semantic-version.js';
import { compareVersions, semanticVersion } from '../../../apiserver/registry/validation/semantic-version.js';
import { configMapKeyProblems, labelKeyProblems } from '../../../kubernetes/name-rules.js';

/** Source: coordination/validation ValidateLeaseCandidate. */
export const leaseCandidateRules: KindRules = {
  create: candidate => checkCandidate(at(candidate, 'spec')),
  update: [
    'changes',
    candidate => checkCandidate(at(candidate, 'spec')),
    (now, old) => checkImmutable(at(now, 'spec'), at(old, 'spec'), { type: 'coordination/v1beta1.LeaseCandidateSpec', name: 'leaseName' }),
  ],
};

function checkCandidate(spec: Place): void {
  const [lease, strategy] = [at(spec, 'leaseName'), at(spec, 'strategy')];
  const [emulation, binary] = [at(spec, 'emulationVersion'), at(spec, 'binaryVersion')];
  if (textOf(lease) === '') addRequired(lease);
  const emulated = textOf(emulation) === '' ? zero : checkVersion(emulation);
  if (textOf(binary) === '') addRequired(binary);
  const own = textOf(binary) === '' ? zero : checkVersion(binary);
  if (textOf(binary) !== '' && textOf(emulation) !== '' && compareVersions(own, emulated) < 0)
    addInvalid(binary, 'must be greater than or equal to `emulationVersion`');
  if (textOf(strategy) === '') {
    addRequired(strategy);
    return;
  }
  if (textOf(strategy) === oldest && compareVersions(emulated, zero) === 0)
    addRequired(emulation, "must be specified when `strategy` is 'OldestEmulationVersion'");
  checkStrategy(at(strategy, 'strategy'), textOf(strategy));
}

const zero: SemanticVersion = { numbers: [0n, 0n, 0n], preRelease: [] };
const oldest = 'OldestEmulationVersion';

function checkVersion(place: Place): SemanticVersion {
  const version = semanticVersion(textOf(place));
  if (version === undefined) addInvalid(place, 'must be a valid semantic version');
  return version ?? zero;
}

/** Validates a strategy; a name without a domain is reserved for Kubernetes. */
function checkStrategy(place: Place, name: string): void {
  if (name.includes('/')) checkName({ ...place, value: name }, text => labelKeyProblems(place.server, text));
  else if (name !== oldest) addUnsupported(place, [oldest], name);
}

/** LeaseCandidate. */
export const leaseCandidateKind: KindDefinition = {
  validation: leaseCandidateRules,
  nameProblems: configMapKeyProblems,
  allowsCreateOnUpdate: true,
  anyFinalizers: true,
};
