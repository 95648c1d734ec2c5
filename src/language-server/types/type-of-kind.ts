import { definitionsOf } from '../../apiserver/call/definitions.js';
import { listAt, mapAt, stringAt, type ValueMap } from '../../go/value.js';
import type { ClusterState } from '../../kubernetes/api-call.js';
import type { GroupVersionKind } from '../../kubernetes/group-version.js';
import { memoize } from '../../kubernetes/memoize.js';
import { schemaOfKind, structNamed } from '../../kubernetes/type-table.js';
import { builtInType } from './built-in-type.js';
import { customType } from './custom-type.js';
import type { StructType, TypedField } from './field-type.js';

/** Returns the type of the objects of a kind, of the API server or of a definition of the state; undefined for an unknown kind. */
export function typeOfKind(state: ClusterState, kind: GroupVersionKind): StructType | undefined {
  const definition = definitionsOf(state).find(
    one => stringAt(one, 'spec', 'group') === kind.group && stringAt(one, 'spec', 'names', 'kind') === kind.kind,
  );
  const version = listAt(definition, 'spec', 'versions').find(one => stringAt(one, 'name') === kind.version);
  const schema = mapAt(version, 'schema', 'openAPIV3Schema');
  if (schema !== undefined) return resourceType(state)(schema);
  const builtIn = schemaOfKind(state.server, kind);
  return builtIn === undefined || !/^[a-z]/.test(kind.version) ? undefined : builtInType(builtIn);
}

const resourceType = memoize(({ server }: ClusterState) =>
  memoize((schema: ValueMap): StructType => {
    const own = customType(schema);
    const leaf: TypedField = { type: { kind: 'leaf', leaf: 'string', text: 'string' }, isRequired: true };
    const metadata: TypedField = { type: builtInType(structNamed(server, 'meta/v1.ObjectMeta')) };
    const fields = own.kind === 'struct' ? own.fields() : new Map<string, TypedField>();
    const all = new Map<string, TypedField>([...fields, ['apiVersion', leaf], ['kind', leaf], ['metadata', metadata]]);
    return { kind: 'struct', name: '', fields: () => all, isOpen: own.kind === 'struct' && own.isOpen };
  }),
);

/** Returns the group, version and kind that an apiVersion and a kind name. */
export function kindNamed(apiVersion: string, kind: string): GroupVersionKind {
  const slash = apiVersion.indexOf('/');
  return { group: slash < 0 ? '' : apiVersion.slice(0, slash), version: apiVersion.slice(slash + 1), kind };
}
