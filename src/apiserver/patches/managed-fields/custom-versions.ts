import { parseApiVersion } from '../../../kubernetes/group-version.js';
import { copyOf, listAt, stringAt, type ValueMap, valueAt } from '../../../kubernetes/value.js';
import { structuralSchemaOf } from '../../objects/custom/structural-schema.js';
import { atomOfStructural } from '../structured-merge/structural-atom.js';
import type { Versions } from './versions.js';

/** Takes an object of a custom resource to another version. */
export type ConvertCustom = (object: ValueMap, apiVersion: string) => Promise<ValueMap>;

/** The versions of a custom resource, by its definition. */
export function customVersions(definition: ValueMap, convert: ConvertCustom): Versions {
  const group = stringAt(definition, 'spec', 'group');
  const served = new Set(
    listAt(definition, 'spec', 'versions')
      .filter(v => valueAt(v, 'served') === true)
      .map(v => stringAt(v, 'name')),
  );
  const versionIn = (apiVersion: string): string | undefined => {
    const parsed = parseApiVersion(apiVersion);
    return parsed !== undefined && parsed.group === group && served.has(parsed.version) ? parsed.version : undefined;
  };
  return {
    typeIn: apiVersion => {
      const version = versionIn(apiVersion);
      return version === undefined ? undefined : atomOfStructural(structuralSchemaOf(definition, version));
    },
    convert: async (object, from, to) => {
      if (versionIn(from) === undefined || versionIn(to) === undefined) return undefined;
      return convert(copyOf(object), to);
    },
  };
}
