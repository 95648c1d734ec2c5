import { isMap, listAt, mapAt, stringAt, type Value, valueAt } from '../../go/value.js';
import type { LintRule } from '../rule.js';

/** Versions have different fields, and no conversion. */
export const conversionLosesFields: LintRule = {
  id: 'conversion-loses-fields',
  severity: 'warning',
  reason:
    'with the conversion strategy None only apiVersion changes: a field that the other version lacks is pruned when that version is written',
  fix: 'give the versions the same fields, or convert them with a webhook; if a kustomization adds spec.conversion, check what it renders',
  check: ({ definitions, convertedByPatches }) =>
    definitions.flatMap(definition => {
      const { object } = definition.place;
      if (stringAt(object, 'spec', 'conversion', 'strategy') === 'Webhook' || convertedByPatches?.has(definition.name) === true) return [];
      const [first, ...others] = listAt(object, 'spec', 'versions');
      const lossy = others.flatMap((version, i) => {
        const field = fieldLostIn(version, first) ?? fieldLostIn(first, version);
        return field === undefined ? [] : [{ field, name: stringAt(version, 'name'), at: `/spec/versions/${i + 1}/schema` }];
      });
      const [lost, ...more] = lossy;
      if (lost === undefined) return [];
      const alike = more.length === 0 ? '' : `; fields differ in ${more.map(({ name }) => name).join(', ')}, too`;
      const message = `only one of ${stringAt(first, 'name')} and ${lost.name} has the field ${lost.field}${alike}`;
      return [{ about: definition, at: lost.at, message }];
    }),
};

/** Returns the first field that is lost where objects of one version are written in the other, which must be served or stored for that. */
function fieldLostIn(to: Value | undefined, from: Value | undefined): string | undefined {
  const isWritten = valueAt(to, 'served') === true || valueAt(to, 'storage') === true;
  if (!isWritten) return undefined;
  // The status as a subresource is written by one controller, in one version.
  const omitted = mapAt(to, 'subresources', 'status') === undefined ? ofEveryObject : withoutStatus;
  return firstLost(schemaOf(from), schemaOf(to), { path: '', omitted });
}

const ofEveryObject: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'metadata']);
const withoutStatus: ReadonlySet<string> = new Set([...ofEveryObject, 'status']);

interface SchemaPlace {
  readonly path: string;
  /** Properties that are not compared. */
  readonly omitted?: ReadonlySet<string>;
}

function schemaOf(version: Value | undefined): Value | undefined {
  return valueAt(version, 'schema', 'openAPIV3Schema');
}

/** Returns the first field of one schema that the other would prune. */
function firstLost(from: Value | undefined, to: Value | undefined, { path, omitted }: SchemaPlace): string | undefined {
  if (!isMap(from) || !isMap(to) || valueAt(to, 'x-kubernetes-preserve-unknown-fields') === true) return undefined;
  const [properties, known] = [mapAt(from, 'properties'), mapAt(to, 'properties')];
  if (mapAt(to, 'additionalProperties') !== undefined || valueAt(to, 'additionalProperties') === true) return undefined;
  for (const [name, schema] of properties ?? []) {
    if (omitted?.has(name) === true) continue;
    const at = path === '' ? name : `${path}.${name}`;
    const other = known?.get(name);
    const lost = other === undefined ? at : firstLost(schema, other, { path: at });
    if (lost !== undefined) return lost;
  }
  return firstLost(valueAt(from, 'items'), valueAt(to, 'items'), { path: `${path}[*]` });
}

/** A conversion webhook has nothing to convert. */
export const conversionOfOneVersion: LintRule = {
  id: 'conversion-of-one-version',
  severity: 'info',
  reason: 'a CRD with one version never needs its conversion webhook, but is rejected while its caBundle is invalid',
  fix: 'remove spec.conversion until there is a second version',
  check: ({ definitions }) =>
    definitions
      .filter(({ place: { object } }) => stringAt(object, 'spec', 'conversion', 'strategy') === 'Webhook')
      .filter(({ place: { object } }) => listAt(object, 'spec', 'versions').length === 1)
      .map(about => ({
        about,
        at: '/spec/conversion/strategy',
        message: 'the conversion strategy is Webhook, but there is only one version',
      })),
};
