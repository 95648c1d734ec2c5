import { builtInCodec } from '../../../src/apiserver/objects/built-in-codec.js';
import type { ValueMap } from '../../../src/go/value.js';
import { server } from '../../support/server.js';
import { thingsDefinition } from '../../support/things.js';

/** A stored definition with these versions. */
export function definition(versions: readonly object[], more: object = {}): ValueMap {
  const codec = builtInCodec(server, { group: 'apiextensions.k8s.io', version: 'v1', kind: 'CustomResourceDefinition' });
  const { value } = codec?.decode(
    JSON.stringify({
      ...thingsDefinition(versions, { conversion: { strategy: 'None' }, ...more }),
      status: { storedVersions: ['v1'] },
    }),
  ) ?? { value: new Map() };
  return value;
}

/** A served version; v1 is the stored one. */
export function version(schema: object | null, more: object = {}, name = 'v1'): object {
  return { name, served: true, storage: name === 'v1', ...(schema === null ? {} : { schema: { openAPIV3Schema: schema } }), ...more };
}
