import { structural } from '../../../apiserver/objects/structural-schema.js';
import type { DeletionRules } from '../../../apiserver/registry/deletion-rules.js';
import type { KindDefinition } from '../../../apiserver/registry/kind-definition.js';
import type { Refinement } from '../../../apiserver/registry/strategy.js';
import { ensureMap, isMap, listAt, mapAt, stringAt, toValue, type ValueMap, valueAt } from '../../../go/value.js';
import { dns1123SubdomainProblems } from '../../../kubernetes/name-rules.js';
import { coerceDefaults } from './validation/default-values.js';
import { definitionErrors } from './validation/definition.js';
import { formatWarnings, setWarnings } from './validation/format-warnings.js';

/** CustomResourceDefinitions. Source: apiextensions-apiserver pkg/registry/customresourcedefinition/strategy.go. */
const customResourceDefinition: Refinement = base => ({
  ...base,
  validate: (object, context) => [...base.validate(object, context), ...definitionErrors(context.server, object, undefined)],
  validateUpdate: (object, old, context) => [
    ...base.validateUpdate(object, old, context),
    ...definitionErrors(context.server, object, old),
  ],
  warningsOnCreate: (definition, { server }) => [...formatWarnings(server, definition), ...setWarnings(server, definition)],
  warningsOnUpdate: (definition, old, { subresource, server }) =>
    subresource === '' ? [...formatWarnings(server, definition, old), ...setWarnings(server, definition, old)] : [],
  canonicalize: (definition, server) => {
    for (const version of listAt(definition, 'spec', 'versions')) {
      const schema = valueAt(version, 'schema', 'openAPIV3Schema');
      if (isMap(schema)) coerceDefaults(server, structural(schema));
    }
  },
  prepareForCreate: (object, context) => {
    base.prepareForCreate(object, context);
    // The status belongs to the server: at first it only has the stored version.
    const stored = storageVersion(object);
    object.set('status', stored === undefined ? new Map() : new Map([['storedVersions', [stored]]]));
  },
  prepareForUpdate: (object, old, context) => {
    base.prepareForUpdate(object, old, context);
    if (context.subresource !== '') return;
    keepStoredVersions(object, old);
    addStoredVersion(object);
  },
});

/** Returns the name of the first version with the storage flag. */
function storageVersion(definition: ValueMap): string | undefined {
  const stored = listAt(definition, 'spec', 'versions').find(version => valueAt(version, 'storage') === true);
  return stored === undefined ? undefined : stringAt(stored, 'name');
}

/** Adds a new storage version to the status. */
function addStoredVersion(object: ValueMap): void {
  const version = storageVersion(object);
  const stored = listAt(object, 'status', 'storedVersions');
  if (version === undefined || stored.includes(version)) return;
  object.set('status', new Map([...(mapAt(object, 'status') ?? []), ['storedVersions', [...stored, version]]]));
}

/** Keeps the status with the stored versions, which belongs to the server. */
function keepStoredVersions(object: ValueMap, old: ValueMap): void {
  if (stringAt(object, 'kind') !== '' && listAt(old, 'status', 'storedVersions').length > 0) {
    const status = old.get('status');
    if (status !== undefined) object.set('status', status);
  }
}

/** A definition is removed once its objects are. Source: apiextensions-apiserver pkg/registry/customresourcedefinition. */
const definitionDeletion: DeletionRules = {
  firstMark: {
    mark: (object, _options, now) => {
      const metadata = ensureMap(object, 'metadata');
      const finalizers = listAt(metadata, 'finalizers');
      if (!finalizers.includes(cleanupFinalizer)) metadata.set('finalizers', [...finalizers, cleanupFinalizer]);
      const status = ensureMap(object, 'status');
      const conditions = listAt(status, 'conditions').filter(c => stringAt(c, 'type') !== 'Terminating');
      status.set('conditions', [...conditions, toValue({ ...terminatingCondition, lastTransitionTime: now })]);
    },
  },
};

const cleanupFinalizer = 'customresourcecleanup.apiextensions.k8s.io';

const terminatingCondition = {
  type: 'Terminating',
  status: 'True',
  reason: 'InstanceDeletionPending',
  message: 'CustomResourceDefinition marked for deletion; CustomResource deletion will begin soon',
};

/** CustomResourceDefinition. */
export const customResourceDefinitionKind: KindDefinition = {
  hasNoStatusTables: true,
  refine: customResourceDefinition,
  nameProblems: definitionNameProblems,
  allowsUnconditionalUpdate: false,
  hasGeneration: true,
  resetsStatus: true,
  validatedByStrategy: true,
  deletion: definitionDeletion,
};

/**
 * Returns the problems of a definition's name, which consists of its plural and group. Source: apiextensions-apiserver validation.go
 * ValidateCustomResourceDefinition.
 */
function definitionNameProblems(name: string, definition: ValueMap): string[] {
  const expected = `${stringAt(definition, 'spec', 'names', 'plural')}.${stringAt(definition, 'spec', 'group')}`;
  const problems = dns1123SubdomainProblems(name);
  return name === expected ? problems : [...problems, 'must be spec.names.plural+"."+spec.group'];
}
