import type { KindDefinition } from '../../../apiserver/registry/kind-definition.js';
import { checkImmutable, memberValue } from '../../../apiserver/registry/validation/immutable.js';
import type { KindRules, UpdateStep } from '../../../apiserver/registry/validation/kind-rules.js';
import type { Place } from '../../../apiserver/registry/validation/place.js';
import { addInvalid, addRequired, at, indexed, textAt, textOf } from '../../../apiserver/registry/validation/place.js';
import { dns1035LabelProblems, dns1123SubdomainProblems } from '../../../kubernetes/name-rules.js';
import { checkConditions } from '../../policy/pod-disruption-budget/pod-disruption-budget-status-validation.js';

/** Validation of v1beta1 migrations. Source: storagemigration/validation ValidateStorageVersionMigration. */
const storageVersionMigrationRules: KindRules = {
  create: checkResource,
  update: [
    'metadata',
    checkResource,
    'changes',
    (migration, old) => checkImmutable(migration, old, { type: 'storagemigration/v1beta1.StorageVersionMigration', name: 'spec' }),
  ],
};

/** Validation of the status. Source: storagemigration/validation ValidateStorageVersionMigrationStatusUpdate. */
const storageVersionMigrationStatus: readonly UpdateStep[] = [
  (migration, old) => {
    const version = at(migration, 'status', 'resourceVersion');
    checkResourceVersion(version);
    checkConditions(at(migration, 'status', 'conditions'));
    const before = textAt(old, 'status', 'resourceVersion');
    if (before !== '' && before !== textOf(version)) addInvalid(version, 'field is immutable', textOf(version));
    checkOutcome(migration, old);
  },
];

function checkResource(migration: Place): void {
  const [resource, group] = ['resource', 'group'].map(name => at(migration, 'spec', 'resource', name)) as [Place, Place];
  if (textOf(resource) === '') addRequired(resource, 'resource is required to be set');
  else checkJoined(resource, dns1035LabelProblems(textOf(resource)));
  if (textOf(group) !== '') checkJoined(group, dns1123SubdomainProblems(textOf(group)));
}

/** Reports all problems of a name as one error. */
function checkJoined(place: Place, problems: readonly string[]): void {
  if (problems.length > 0) addInvalid(place, problems.join(','));
}

function checkResourceVersion(version: Place): void {
  const text = textOf(version);
  if (text === '' && version.server.since('v1.36')) return;
  if (!/^[1-9][0-9]*$/.test(text)) addInvalid(version, `resource version is not well formed: ${text}`, text);
}

function checkOutcome(migration: Place, old: Place): void {
  const conditions = at(migration, 'status', 'conditions');
  const refuse = (why: string): void =>
    addInvalid(
      conditions,
      why,
      memberValue(migration.server, conditions.value, {
        type: 'storagemigration/v1beta1.StorageVersionMigrationStatus',
        name: 'conditions',
      }),
    );
  const [succeeded, failed] = [isTrue(migration, 'Succeeded'), isTrue(migration, 'Failed')];
  if (succeeded && failed) refuse('Both success and failed conditions cannot be true at the same time');
  if (migration.server.until('v1.35') && isTrue(migration, 'Running')) {
    if (succeeded) refuse('Running condition cannot be true when success condition is true');
    if (failed) refuse('Running condition cannot be true when failed condition is true');
  }
  if (isTrue(old, 'Succeeded') && !succeeded) refuse('Success condition cannot be set to false once it is true');
  if (isTrue(old, 'Failed') && !failed) refuse('Failed condition cannot be set to false once it is true');
}

/** Reports whether the first condition of a type is true. */
function isTrue(migration: Place, type: string): boolean {
  const condition = indexed(at(migration, 'status', 'conditions')).find(c => textAt(c, 'type') === type);
  return condition !== undefined && textAt(condition, 'status') === 'True';
}

/** StorageVersionMigration. */
export const storageVersionMigrationKind: KindDefinition = {
  validation: storageVersionMigrationRules,
  subresources: { status: { update: storageVersionMigrationStatus } },
  allowsUnconditionalUpdate: false,
  resetsStatus: true,
  keepsMetadataInStatus: true,
  resetFields: { status: ['spec', 'metadata'] },
};
