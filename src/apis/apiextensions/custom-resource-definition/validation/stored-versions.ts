import { listAt, stringAt, type Value, type ValueMap, valueAt } from '../../../../go/value.js';
import { type FieldError, invalidValue } from '../../../../kubernetes/field-error.js';

const path = 'status.storedVersions';

/** Validates `status.storedVersions`. Source: apiextensions-apiserver validation.go ValidateCustomResourceDefinitionStoredVersions. */
export function storedVersionErrors(definition: ValueMap, versions: readonly Value[]): FieldError[] {
  const stored = listAt(definition, 'status', 'storedVersions').map(String);
  if (stored.length === 0) return [invalidValue(path, null, 'must have at least one stored version')];
  const remaining = new Map(stored.map((name, i) => [name, i]));
  const missing = versions.flatMap(version => {
    const name = stringAt(version, 'name');
    // A stored version matches only the first version of its name.
    if (remaining.delete(name) || valueAt(version, 'storage') !== true) return [];
    return [invalidValue(path, { rawJson: JSON.stringify(stored) }, `must have the storage version ${name}`)];
  });
  const dropped = [...remaining].map(([name, i]) => invalidValue(`${path}[${i}]`, name, droppedMessage(name)));
  return [...missing, ...dropped];
}

function droppedMessage(name: string): string {
  return (
    `missing from spec.versions; ${name} was previously a storage version, and must remain in spec.versions until a storage migration ` +
    `ensures no data remains persisted in ${name} and removes ${name} from status.storedVersions`
  );
}
