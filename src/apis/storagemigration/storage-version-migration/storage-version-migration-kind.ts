import type { KindDefinition } from '../../../apiserver/registry/kind-definition.js';
import type { FieldPath } from '../../../apiserver/registry/validation/field-path.js';
import { checkImmutable, memberValue } from '../../../apiserver/registry/validation/immutable.js';
import type { KindRules, UpdateStep } from '../../../apiserver/registry/validation/kind-rules.js';
import { checkMetaConditions } from '../../../apiserver/registry/validation/meta-conditions.js';
import { dns1035LabelProblems, dns1123SubdomainProblems } from '../../../kubernetes/name-rules.js';

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
    const version = migration.child('status', 'resourceVersion');
    checkResourceVersion(version);
    checkMetaConditions(migration.child('status', 'conditions'));
    const before = old.text('status', 'resourceVersion');
    if (before !== '' && before !== version.text()) version.invalid(version.text(), 'field is immutable');
    checkOutcome(migration, old);
  },
];

function checkResource(migration: FieldPath): void {
  const [resource, group] = ['resource', 'group'].map(name => migration.child('spec', 'resource', name)) as [FieldPath, FieldPath];
  if (resource.text() === '') resource.required('resource is required to be set');
  else checkJoined(resource, dns1035LabelProblems(resource.text()));
  if (group.text() !== '') checkJoined(group, dns1123SubdomainProblems(group.text()));
}

/** Reports all problems of a name as one error. */
function checkJoined(field: FieldPath, problems: readonly string[]): void {
  if (problems.length > 0) field.invalid(problems.join(','));
}

function checkResourceVersion(version: FieldPath): void {
  const text = version.text();
  if (text === '' && version.server.since('v1.36')) return;
  if (!/^[1-9][0-9]*$/.test(text)) version.invalid(text, `resource version is not well formed: ${text}`);
}

function checkOutcome(migration: FieldPath, old: FieldPath): void {
  const conditions = migration.child('status', 'conditions');
  const refuse = (why: string): void =>
    conditions.invalid(
      memberValue(migration.server, conditions.value, {
        type: 'storagemigration/v1beta1.StorageVersionMigrationStatus',
        name: 'conditions',
      }),
      why,
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
function isTrue(migration: FieldPath, type: string): boolean {
  const condition = migration
    .child('status', 'conditions')
    .items()
    .find(c => c.text('type') === type);
  return condition !== undefined && condition.text('status') === 'True';
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
