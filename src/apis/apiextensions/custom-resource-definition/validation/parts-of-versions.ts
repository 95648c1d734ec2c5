import { toUnstructured } from '../../../../apiserver/objects/to-unstructured.js';
import { readUnstructured } from '../../../../encoding/unstructured.js';
import { isList, isMap, listAt, mapAt, type RawJson, sameValue, type Value, type ValueMap } from '../../../../go/value.js';
import type { ApiServer } from '../../../../kubernetes/api-server.js';
import { type FieldError, forbiddenField, invalidValue } from '../../../../kubernetes/field-error.js';
import { schemaOfKind } from '../../../../kubernetes/type-table.js';
import { areAlike, memberOf, membersOfAll } from '../../parts-of-all.js';
import type { Requirements } from './requirements.js';
import { schemaPartErrors } from './schema-part.js';
import { columnErrors, deprecationErrors, selectableFieldErrors, subresourceErrors } from './version-parts.js';

/** Errors of the schemas, subresources, columns and fields of a definition's versions. */
export interface VersionParts {
  /** By version. */
  readonly own: readonly FieldError[][];
  /** Errors of parts that the internal type has for all versions, and that some versions have, too. */
  readonly excluded: readonly FieldError[];
  /** Errors in members that are equal in all versions, which the internal type stores once, with matching paths. */
  readonly shared: FieldError[];
}

/** Definition to validate, in JSON form. */
export interface PlainDefinition {
  readonly versions: readonly Value[];
  /** Parts for all versions that remain of a definition that webhooks changed, as a version (parts-of-all.ts). */
  readonly kept: Value;
  /** The stored versions. */
  readonly before: readonly Value[];
}

/** Validates the parts of all versions. Source: apiextensions-apiserver apis/apiextensions/v1/conversion.go, validation.go. */
export function versionParts(server: ApiServer, { versions, kept, before }: PlainDefinition, requires: Requirements): VersionParts {
  const hasStatus = (version: Value): boolean => mapAt(version, 'subresources', 'status') !== undefined;
  /** Of several versions with a name, the first one counts. */
  const isWithStatus = (version: Value): boolean => hasStatus(versions.find(isNamedLike(version)) ?? null);
  const shared = new Set(membersOfAll.flatMap(([member]) => (areAlike(versions, member) ? [member] : [])));
  /** The parts that the internal type has for all versions, as a version. */
  const all: Value = new Map(
    membersOfAll.map(([member]) => [member, shared.has(member) ? memberOf(versions[0], member) : memberOf(kept, member)]),
  );
  const errorsIn: Readonly<Record<Member, (version: Value, at: string) => FieldError[]>> = {
    schema: (version, at) => {
      const schema = mapAt(version, ...schemaAt);
      if (schema === undefined) return [];
      const isStatusApart = version === all ? [...versions, all].some(hasStatus) : isWithStatus(version);
      const isUnchanged = sameValue(storedSchema(version === all ? (versions[0] ?? null) : version, before), schema);
      const path = `${at}.${version === all ? 'validation' : 'schema'}.openAPIV3Schema`;
      return schemaPartErrors(server, schema, { path, hasStatus: isStatusApart, isUnchanged, requires });
    },
    subresources: (version, at) => subresourceErrors(memberOf(version, 'subresources'), `${at}.subresources`),
    additionalPrinterColumns: (version, at) => columnErrors(listAt(version, 'additionalPrinterColumns'), `${at}.additionalPrinterColumns`),
    selectableFields: (version, at) => {
      const fields = listAt(version, 'selectableFields');
      const schema = mapAt(version, ...schemaAt);
      if (version !== all && (shared.has('schema') || schema === undefined))
        return fields.length === 0 ? [] : [invalidValue(`${at}.selectableFields`, '', withoutOwnSchema)];
      if (fields.length > 0 && memberOf(version, 'schema') === null) return [invalidValue(`${at}.selectableFields`, '', withoutSchema)];
      return selectableFieldErrors({ fields, schema, path: at });
    },
  };
  const own = versions.map((version, i) => {
    const at = `spec.versions[${i}]`;
    const separate = membersOfAll.filter(([member]) => !shared.has(member));
    return [...deprecationErrors(version, at), ...separate.flatMap(([member]) => errorsIn[member](version, at))];
  });
  return {
    own,
    excluded: membersOfAll.flatMap(([member, ofAll]) => {
      const isTwofold =
        !shared.has(member) && !isEmpty(memberOf(all, member)) && versions.some(version => !isEmpty(memberOf(version, member)));
      const words = member === 'schema' ? 'schemas' : member;
      // These are not compared.
      if (!isTwofold || member === 'selectableFields') return [];
      return [forbiddenField(`spec.${ofAll}`, `top-level and per-version ${words} are mutually exclusive`)];
    }),
    shared: membersOfAll.flatMap(([member]) => errorsIn[member](all, 'spec')),
  };
}

type Member = (typeof membersOfAll)[number][0];

/** The API server means the opposite. */
const withoutOwnSchema = 'may only be set when `version.schema.openAPIV3Schema` is not included';
const withoutSchema = 'may only be set when validations.schema is included';

function isEmpty(member: Value): boolean {
  return member === null || (isList(member) && member.length === 0);
}

const schemaAt = ['schema', 'openAPIV3Schema'] as const;
const kind = { group: 'apiextensions.k8s.io', version: 'v1', kind: 'CustomResourceDefinition' };

/** Returns the versions of a definition without their Go types; numbers of embedded JSON stay int64 or float64 as sent. */
export function plainVersions(server: ApiServer, definition: ValueMap): Value[] {
  const schema = schemaOfKind(server, kind);
  if (schema === undefined) return [];
  const readRaw = ({ rawJson, sent = rawJson }: RawJson): Value => readUnstructured(sent);
  const plain = listAt(toUnstructured(definition, schema, readRaw), 'spec', 'versions');
  for (const [i, version] of listAt(definition, 'spec', 'versions').entries()) restoreEmpty(plain[i], version);
  return plain;
}

/** Returns the parts for all versions that webhooks left over (parts-of-all.ts), as a version without Go types. */
export function plainKept(server: ApiServer, definition: ValueMap): Value {
  const spec = mapAt(definition, 'spec');
  const version: ValueMap = new Map(
    membersOfAll.flatMap(([member, ofAll]) => {
      const kept = spec?.get(ofAll);
      return kept === undefined ? [] : [[member, kept]];
    }),
  );
  return plainVersions(server, new Map([['spec', new Map([['versions', [version]]])]]))[0] ?? null;
}

/** Sets the empty maps and lists of the Go type, which JSON omits: some rules distinguish them from absent ones. */
function restoreEmpty(plain: Value | undefined, typed: Value | undefined): void {
  if (isList(plain) && isList(typed)) for (const [i, item] of typed.entries()) restoreEmpty(plain[i], item);
  if (!isMap(plain) || !isMap(typed)) return;
  for (const [name, member] of typed) {
    if (plain.has(name)) restoreEmpty(plain.get(name), member);
    else if (isMap(member) && member.size === 0) plain.set(name, new Map());
    else if (isList(member) && member.length === 0) plain.set(name, []);
  }
}

/**
 * Returns the stored schema of a version; a schema shared by all stored versions applies to any. Source: apis/apiextensions/helpers.go
 * GetSchemaForVersion.
 */
function storedSchema(version: Value, before: readonly Value[]): Value {
  const [first] = before;
  const own = before.find(isNamedLike(version));
  return mapAt(areAlike(before, 'schema') ? first : own, ...schemaAt) ?? null;
}

function isNamedLike(version: Value): (other: Value) => boolean {
  return other => sameValue(memberOf(other, 'name'), memberOf(version, 'name'));
}
