import { goString } from '../../../../go/json/write.js';
import { isList, isMap, listAt, mapAt, stringAt, type Value, type ValueMap, valueAt } from '../../../../go/value.js';
import type { ApiServer } from '../../../../kubernetes/api-server.js';
import { isEstablished } from '../../../../kubernetes/definition-resources.js';
import { type FieldError, invalidValue, notSupported, required } from '../../../../kubernetes/field-error.js';
import { dns1035LabelProblems, dns1123SubdomainProblems } from '../../../../kubernetes/name-rules.js';
import { approvalErrors } from './api-approval.js';
import { conversionErrors } from './conversion-strategy.js';
import { internalVersions } from './internal-versions.js';
import { plainKept, plainVersions, type VersionParts, versionParts } from './parts-of-versions.js';
import { type Requirements, requirementsOf } from './requirements.js';
import { someSchema } from './some-schema.js';

/** Validates a CustomResourceDefinition. Source: apiextensions-apiserver apis/apiextensions/validation. */
export function definitionErrors(server: ApiServer, definition: ValueMap, old: ValueMap | undefined): FieldError[] {
  const spec = mapAt(definition, 'spec');
  const preserves = valueAt(spec, 'preserveUnknownFields') === true;
  const versions = plainVersions(server, definition);
  const plain = { versions, kept: plainKept(server, definition), before: old === undefined ? [] : plainVersions(server, old) };
  const requires = requirementsOf([...versions, plain.kept].map(schemaOf), plain.before.map(schemaOf), !preserves);
  const mayPreserve = valueAt(old, 'spec', 'preserveUnknownFields') === true;
  const cannotPreserve =
    preserves && !mayPreserve
      ? [
          invalidValue(
            'spec.preserveUnknownFields',
            true,
            'cannot set to true, set x-kubernetes-preserve-unknown-fields to true in spec.versions[*].schema instead',
          ),
        ]
      : [];
  return [
    ...specErrors(spec, versionParts(server, plain, requires), { preserves, requires, hasSchema: isMap(schemaOf(plain.kept)) }),
    ...conversionPart(spec, definition, old),
    ...immutableErrors(spec, old),
    ...storedVersionErrors(definition, versions),
    ...approvalErrors(definition, old),
    ...cannotPreserve,
  ];
}

function schemaOf(version: Value): Value | undefined {
  return valueAt(version, 'schema', 'openAPIV3Schema');
}

interface SpecOptions {
  /** Whether objects keep unknown fields. */
  readonly preserves: boolean;
  readonly requires: Requirements;
  /** Whether there is a schema for all versions beside theirs. */
  readonly hasSchema: boolean;
}

function specErrors(spec: ValueMap | undefined, parts: VersionParts, { preserves, requires, hasSchema }: SpecOptions): FieldError[] {
  const errors: FieldError[] = [];
  const group = stringAt(spec, 'group');
  const problems = dns1123SubdomainProblems(group);
  if (group === '') errors.push(required('spec.group', ''));
  else if (problems.length > 0) errors.push(invalidValue('spec.group', group, problems.join(',')));
  else if (!group.includes('.')) errors.push(invalidValue('spec.group', group, 'should be a domain with at least one dot'));
  const scope = stringAt(spec, 'scope');
  if (scope === '') errors.push(required('spec.scope', ''));
  else if (scope !== 'Cluster' && scope !== 'Namespaced') errors.push(notSupported('spec.scope', scope, ['Cluster', 'Namespaced']));
  const versions = listAt(spec, 'versions');
  if (!hasSchema) errors.push(...missingSchemaErrors(versions, { preserves, requires }));
  if (preserves && versions.some(version => someSchema(schemaOf(version), schema => schema.has('default'))))
    errors.push(invalidValue('spec.preserveUnknownFields', true, 'must be false in order to use defaults in the schema'));
  return [
    ...errors,
    ...versionErrors(versions, parts, !isList(valueAt(spec, 'versions'))),
    ...namesErrors(mapAt(spec, 'names')),
    ...parts.shared,
  ];
}

/** Requires a schema for served versions if the old versions have none, unless unknown fields are kept. */
function missingSchemaErrors(
  versions: readonly Value[],
  { preserves, requires }: Pick<SpecOptions, 'preserves' | 'requires'>,
): FieldError[] {
  if (preserves && !requires.schemas) return [];
  const message = requires.schemas ? '' : 'because otherwise all fields are pruned';
  return versions.flatMap((version, i) => {
    const isAsked = requires.schemas || valueAt(version, 'served') === true;
    return isAsked && !isMap(schemaOf(version)) ? [required(`spec.versions[${i}].schema.openAPIV3Schema`, message)] : [];
  });
}

function versionErrors(versions: readonly Value[], { own, excluded }: VersionParts, isAbsent: boolean): FieldError[] {
  const names = versions.map(v => stringAt(v, 'name'));
  const errors = names.flatMap((name, i) => {
    const problems = dns1035LabelProblems(name);
    const wrong = problems.length === 0 ? [] : [invalidValue(`spec.versions[${i}].name`, name, problems.join(','))];
    return [...wrong, ...(own[i] ?? [])];
  });
  errors.push(...excluded);
  const shown = { rawJson: isAbsent ? 'null' : internalVersions(versions) };
  if (new Set(names).size < names.length) errors.push(invalidValue('spec.versions', shown, 'must contain unique version names'));
  if (versions.filter(v => valueAt(v, 'storage') === true).length !== 1)
    errors.push(invalidValue('spec.versions', shown, 'must have exactly one version marked as storage version'));
  // The internal type also has the name of the first version.
  const [first = ''] = names;
  const problems = first === '' ? [] : dns1035LabelProblems(first);
  return problems.length === 0 ? errors : [...errors, invalidValue('spec.version', first, problems.join(','))];
}

function namesErrors(names: ValueMap | undefined): FieldError[] {
  const fields = ['plural', 'singular', 'kind', 'listKind'] as const;
  const missing = fields.filter(word => stringAt(names, word) === '').map(word => required(`spec.names.${word}`, ''));
  const wrong = fields.flatMap(word => {
    const name = stringAt(names, word);
    const isKind = word === 'kind' || word === 'listKind';
    const problems = name === '' ? [] : dns1035LabelProblems(isKind ? name.toLowerCase() : name);
    const prefix = isKind ? 'may have mixed case, but should otherwise match: ' : '';
    return problems.length === 0 ? [] : [invalidValue(`spec.names.${word}`, name, `${prefix}${problems.join(',')}`)];
  });
  const lists = (word: string): FieldError[] =>
    listAt(names, word).flatMap((name, i) => {
      const problems = dns1035LabelProblems(String(name));
      return problems.length === 0 ? [] : [invalidValue(`spec.names.${word}[${i}]`, String(name), problems.join(','))];
    });
  const kind = stringAt(names, 'kind');
  const same =
    kind !== '' && kind === stringAt(names, 'listKind')
      ? [invalidValue('spec.names.listKind', kind, 'kind and listKind may not be the same')]
      : [];
  return [...missing, ...wrong, ...lists('shortNames'), ...same, ...lists('categories')];
}

function conversionPart(spec: ValueMap | undefined, definition: ValueMap, old: ValueMap | undefined): FieldError[] {
  const conversion = mapAt(spec, 'conversion');
  const strategy = stringAt(conversion, 'strategy');
  const errors: FieldError[] = [];
  if (conversion !== undefined && strategy !== 'None' && valueAt(spec, 'preserveUnknownFields') === true)
    errors.push(
      invalidValue('spec.conversion.strategy', { rawJson: goString(strategy) }, 'must be None if spec.preserveUnknownFields is true'),
    );
  return [...errors, ...conversionErrors(conversion, { definition, old })];
}

function immutableErrors(spec: ValueMap | undefined, old: ValueMap | undefined): FieldError[] {
  if (old === undefined) return [];
  const paths = isEstablished(old) ? [['scope'], ['names', 'kind'], ['group'], ['names', 'plural']] : [['group'], ['names', 'plural']];
  return paths.flatMap(path => {
    const value = stringAt(spec, ...path);
    if (value === stringAt(old, 'spec', ...path)) return [];
    // The scope is not a plain string in Go, so it is printed as JSON.
    const shown = path[0] === 'scope' ? { rawJson: goString(value) } : value;
    return [invalidValue(`spec.${path.join('.')}`, shown, 'field is immutable')];
  });
}

const path = 'status.storedVersions';

/** Validates `status.storedVersions`. Source: apiextensions-apiserver validation.go ValidateCustomResourceDefinitionStoredVersions. */
function storedVersionErrors(definition: ValueMap, versions: readonly Value[]): FieldError[] {
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
