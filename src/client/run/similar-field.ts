import { definitionsOf } from '../../apiserver/call/definitions.js';
import { type StructuralSchema, structuralSchemaOf } from '../../apiserver/objects/structural-schema.js';
import { stringAt } from '../../go/value.js';
import type { ClusterState } from '../../kubernetes/api-call.js';
import type { GroupVersionKind } from '../../kubernetes/group-version.js';
import type { Schema } from '../../kubernetes/schema.js';
import { schemaOfKind } from '../../kubernetes/type-table.js';
import { nearest } from '../nearest.js';

/** Returns the field of a kind whose name is nearest to the last part of a path such as `spec.container`, at the same place. Undefined if there is none. */
export function similarField(path: string, kind: GroupVersionKind, state: ClusterState): string | undefined {
  const steps = [...path.matchAll(/\["?([^\]"]*)"?\]|[^.[\]]+/g)].map(([step, key]) => key ?? step);
  return nearest(steps.at(-1) ?? '', fieldNamesAt(kind, steps.slice(0, -1), state));
}

/** Returns the fields that the type at a path has; none for an unknown type. */
function fieldNamesAt(kind: GroupVersionKind, steps: readonly string[], state: ClusterState): string[] {
  const builtIn = schemaOfKind(state.server, kind);
  if (builtIn !== undefined) {
    const schema = steps.reduce<Schema | undefined>(schemaBelow, builtIn);
    return schema?.type === 'struct' ? [...schema.fieldsByName.keys()] : [];
  }
  const definition = definitionsOf(state).find(
    one => stringAt(one, 'spec', 'group') === kind.group && stringAt(one, 'spec', 'names', 'kind') === kind.kind,
  );
  if (definition === undefined) return [];
  const schema = steps.reduce<StructuralSchema | undefined>(structuralSchemaBelow, structuralSchemaOf(definition, kind.version));
  return [...(schema?.properties.keys() ?? [])];
}

function schemaBelow(schema: Schema | undefined, step: string): Schema | undefined {
  if (schema?.type === 'struct') return schema.fieldsByName.get(step)?.schema;
  if (schema?.type === 'list') return schema.items;
  return schema?.type === 'map' ? schema.values : undefined;
}

function structuralSchemaBelow(schema: StructuralSchema | undefined, step: string): StructuralSchema | undefined {
  if (schema?.type === 'array') return schema.items;
  const { additionalProperties } = schema ?? {};
  return schema?.properties.get(step) ?? (typeof additionalProperties === 'object' ? additionalProperties : undefined);
}
