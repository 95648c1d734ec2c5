import { isMap, listAt, mapAt, stringAt, type ValueMap } from '../../../go/value.js';
import type { ApiServer } from '../../../kubernetes/api-server.js';
import { parseApiVersion } from '../../../kubernetes/group-version.js';
import type { Atom } from '../structured-merge/atom.js';
import { atomOfDefinition } from '../structured-merge/definition-atom.js';
import type { Versions } from './versions.js';

/** Returns the versions of a custom resource, by its definition. Conversion is the definition's own and may call a webhook. */
export function customVersions(server: ApiServer, definition: ValueMap, convert: Versions['convert']): Versions {
  const types = new Map<string, Atom>();
  for (const version of listAt(definition, 'spec', 'versions')) {
    if (isMap(version)) types.set(stringAt(version, 'name'), atomOfDefinition(server, mapAt(version, 'schema', 'openAPIV3Schema')));
  }
  const group = stringAt(definition, 'spec', 'group');
  return {
    typeIn: apiVersion => {
      const found = parseApiVersion(apiVersion);
      return found?.group === group ? types.get(found.version) : undefined;
    },
    convert,
  };
}
