import type { WebhookReport } from '../../apiserver/admission/webhook-report.js';
import { definitionsOf } from '../../apiserver/call/definitions.js';
import { type StructuralSchema, structuralSchemaOf } from '../../apiserver/objects/structural-schema.js';
import { findRfcDeviation } from '../../apiserver/patches/rfc-deviations.js';
import type { Report } from '../../apiserver/report/report.js';
import { writeValue } from '../../go/json/write.js';
import { stringAt } from '../../go/value.js';
import type { ClusterState } from '../../kubernetes/api-call.js';
import type { GroupVersionKind } from '../../kubernetes/group-version.js';
import type { Schema } from '../../kubernetes/schema.js';
import { schemaOfKind } from '../../kubernetes/type-table.js';
import { nearest } from '../nearest.js';

type PatchedReport = WebhookReport & { readonly change: NonNullable<WebhookReport['change']> };

/** Returns whether a webhook was called and answered with a patch. */
export function isPatched(entry: WebhookReport): entry is PatchedReport {
  return entry.change !== undefined && entry.patch.length > 0;
}

/** Returns notes about what patches do and their authors may not expect: fields that are dropped, and what other servers may reject. */
export async function patchNotes(report: Report, state: ClusterState): Promise<string[]> {
  return [...report.webhooks.flatMap(entry => droppedNotes(entry, state)), ...(await noteLeniency(report))];
}

/** Returns a note for each patch that the API server accepts but RFC 6902 does not allow: other tools and servers may reject it. */
export async function noteLeniency({ webhooks }: Report): Promise<string[]> {
  const notes: string[] = [];
  for (const entry of webhooks) {
    if (!isPatched(entry)) continue;
    const sentence = await findRfcDeviation(entry.change.before, writeValue([...entry.patch], 'kept'));
    if (sentence !== undefined) notes.push(`the patch of ${entry.webhook} ${sentence}`);
  }
  return notes;
}

function droppedNotes({ droppedFields = [], webhook, sent, attributes }: WebhookReport, state: ClusterState): string[] {
  const kind = sent?.kind ?? attributes.kind;
  return droppedFields.map(field => {
    const steps = [...field.matchAll(/\["?([^\]"]*)"?\]|[^.[\]]+/g)].map(([step, key]) => key ?? step);
    const similar = nearest(steps.at(-1) ?? '', fieldNamesAt(kind, steps.slice(0, -1), state));
    const suggestion = similar === undefined ? '' : `; did you mean "${similar}"?`;
    return `the patch of ${webhook} sets ${field}, a field that ${kind.kind} does not have: the API server drops it${suggestion}`;
  });
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
