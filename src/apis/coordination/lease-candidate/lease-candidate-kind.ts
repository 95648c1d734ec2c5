import type { KindDefinition } from '../../../apiserver/registry/kind-definition.js';
import type { FieldPath } from '../../../apiserver/registry/validation/field-path.js';
import { checkImmutable } from '../../../apiserver/registry/validation/immutable.js';
import type { KindRules } from '../../../apiserver/registry/validation/kind-rules.js';
import { checkName } from '../../../apiserver/registry/validation/rules.js';
import type { SemanticVersion } from '../../../apiserver/registry/validation/semantic-version.js';
import { compareSemanticVersions, semanticVersion } from '../../../apiserver/registry/validation/semantic-version.js';
import { configMapKeyProblems, labelKeyProblems } from '../../../kubernetes/name-rules.js';

/** Source: coordination/validation ValidateLeaseCandidate. */
export const leaseCandidateRules: KindRules = {
  create: candidate => checkCandidate(candidate.child('spec')),
  update: [
    'changes',
    candidate => checkCandidate(candidate.child('spec')),
    (now, old) =>
      checkImmutable(now.child('spec'), old.child('spec'), { type: 'coordination/v1beta1.LeaseCandidateSpec', name: 'leaseName' }),
  ],
};

function checkCandidate(spec: FieldPath): void {
  const [lease, strategy] = [spec.child('leaseName'), spec.child('strategy')];
  const [emulation, binary] = [spec.child('emulationVersion'), spec.child('binaryVersion')];
  if (lease.text() === '') lease.required();
  const emulated = emulation.text() === '' ? zero : checkVersion(emulation);
  if (binary.text() === '') binary.required();
  const own = binary.text() === '' ? zero : checkVersion(binary);
  if (binary.text() !== '' && emulation.text() !== '' && compareSemanticVersions(own, emulated) < 0)
    binary.invalid('must be greater than or equal to `emulationVersion`');
  if (strategy.text() === '') {
    strategy.required();
    return;
  }
  if (strategy.text() === oldest && compareSemanticVersions(emulated, zero) === 0)
    emulation.required("must be specified when `strategy` is 'OldestEmulationVersion'");
  checkStrategy(strategy.child('strategy'), strategy.text());
}

const zero: SemanticVersion = { numbers: [0n, 0n, 0n], preRelease: [] };
const oldest = 'OldestEmulationVersion';

function checkVersion(field: FieldPath): SemanticVersion {
  const version = semanticVersion(field.text());
  if (version === undefined) field.invalid('must be a valid semantic version');
  return version ?? zero;
}

/** Validates a strategy; a name without a domain is reserved for Kubernetes. */
function checkStrategy(field: FieldPath, name: string): void {
  if (name.includes('/')) checkName(field.withValue(name), text => labelKeyProblems(field.server, text));
  else if (name !== oldest) field.notSupported(name, [oldest]);
}

/** LeaseCandidate. */
export const leaseCandidateKind: KindDefinition = {
  validation: leaseCandidateRules,
  nameProblems: configMapKeyProblems,
  allowsCreateOnUpdate: true,
  anyFinalizers: true,
};
