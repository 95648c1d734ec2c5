import { toUnstructured } from '../../../../apiserver/objects/to-unstructured.js';
import { readUnstructured } from '../../../../encoding/unstructured.js';
import { isList, isMap, listAt, mapAt, type RawJson, sameValue, type Value, type ValueMap } from '../../../../go/value.js';
import type { ApiServer } from '../../../../kubernetes/api-server.js';
import type { FieldError } from '../../../../kubernetes/field-error.js';
import { schemaOfKind } from '../../../../kubernetes/type-table.js';
import type { Requirements } from './requirements.js';
import { schemaPartErrors } from './schema-part.js';
import { columnErrors, deprecationErrors, selectableFieldErrors, subresourceErrors } from './version-parts.js';

/** Errors of the schemas, subresources, columns and fields of a definition's versions. */
export interface VersionParts {
  /** By version. */
  readonly own: readonly FieldError[][];
  /** Errors in members that are equal in all versions, which the internal type stores once, with matching paths. */
  readonly shared: FieldError[];
}

/**
 * Validates the parts of all versions in JSON form; `before`: the stored ones. Source: apiextensions-apiserver
 * apis/apiextensions/v1/conversion.go, validation.go.
 */
export function versionParts(
  server: ApiServer,
  versions: readonly Value[],
  before: readonly Value[],
  requires: Requirements,
): VersionParts {
  const withStatus = (version: Value): boolean => mapAt(version, 'subresources', 'status') !== undefined;
  const shared = (name: string): boolean => areAlike(versions, name);
  const checks: readonly (readonly [member: string, inside: string, check: (version: Value, path: string) => FieldError[]])[] = [
    [
      'schema',
      'validation',
      (version, path) => {
        const schema = mapAt(version, ...schemaAt);
        const hasStatus = shared('schema') ? versions.some(withStatus) : withStatus(version);
        if (schema === undefined) return [];
        const isUnchanged = sameValue(storedSchema(version, before), schema);
        return schemaPartErrors(server, schema, { path: `${path}.openAPIV3Schema`, hasStatus, isUnchanged, requires });
      },
    ],
    ['subresources', 'subresources', (version, path) => subresourceErrors(memberOf(version, 'subresources'), path)],
    [
      'additionalPrinterColumns',
      'additionalPrinterColumns',
      (version, path) => columnErrors(listAt(version, 'additionalPrinterColumns'), path),
    ],
    [
      'selectableFields',
      'selectableFields',
      (version, path) => selectableFieldErrors(listAt(version, 'selectableFields'), mapAt(version, ...schemaAt), path),
    ],
  ];
  const own = versions.map((version, i) => {
    const path = `spec.versions[${i}]`;
    const separate = checks.filter(([member]) => !shared(member));
    return [...deprecationErrors(version, path), ...separate.flatMap(([member, , check]) => check(version, `${path}.${member}`))];
  });
  const [first] = versions;
  const alike = first === undefined ? [] : checks.filter(([member]) => shared(member));
  return { own, shared: alike.flatMap(([, inside, check]) => check(first ?? null, `spec.${inside}`)) };
}

const schemaAt = ['schema', 'openAPIV3Schema'] as const;
const kind = { group: 'apiextensions.k8s.io', version: 'v1', kind: 'CustomResourceDefinition' };

/** Returns the versions of a definition without their Go types; numbers of embedded JSON stay int64 or float64 as sent. */
export function plainVersions(server: ApiServer, definition: ValueMap): Value[] {
  const schema = schemaOfKind(server, kind);
  if (schema === undefined) return [];
  const readRaw = ({ rawJson, sent = rawJson }: RawJson): Value => readUnstructured(sent);
  const plain = listAt(toUnstructured(definition, schema, readRaw), 'spec', 'versions');
  for (const [i, version] of listAt(definition, 'spec', 'versions').entries()) restoreEmptyMaps(plain[i], version);
  return plain;
}

/** Sets the empty maps of the Go type, which JSON omits: some rules distinguish them from absent ones. */
function restoreEmptyMaps(plain: Value | undefined, typed: Value | undefined): void {
  if (isList(plain) && isList(typed)) for (const [i, item] of typed.entries()) restoreEmptyMaps(plain[i], item);
  if (!isMap(plain) || !isMap(typed)) return;
  for (const [name, member] of typed) {
    if (isMap(member) && member.size === 0 && !plain.has(name)) plain.set(name, new Map());
    else restoreEmptyMaps(plain.get(name), member);
  }
}

/**
 * Returns the stored schema of a version; a schema shared by all stored versions applies to any. Source: apis/apiextensions/helpers.go
 * GetSchemaForVersion.
 */
function storedSchema(version: Value, before: readonly Value[]): Value {
  const [first] = before;
  const own = before.find(old => sameValue(memberOf(old, 'name'), memberOf(version, 'name')));
  return mapAt(areAlike(before, 'schema') ? first : own, ...schemaAt) ?? null;
}

/** Reports whether a member is equal in all versions. */
function areAlike(versions: readonly Value[], name: string): boolean {
  return versions.every(version => sameValue(memberOf(version, name), memberOf(versions[0] ?? null, name)));
}

function memberOf(version: Value, name: string): Value {
  return isMap(version) ? (version.get(name) ?? null) : null;
}
