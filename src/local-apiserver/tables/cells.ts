import type { TableOptions } from '../../apiserver/handlers/other-forms.js';
import type { ApiObject } from '../../apiserver/objects/api-object.js';
import { convertBuiltIn } from '../../apiserver/objects/convert-built-in.js';
import { stringAt, type Value, type ValueMap } from '../../go/value.js';
import type { GroupVersionKind } from '../../kubernetes/group-version.js';
import { nameOf } from './cell-text.js';
import type { Column } from './columns.js';
import { type CellMaker, coreCells } from './core-cells.js';
import { customCells } from './custom-cells.js';
import { newerCells } from './newer-cells.js';
import { otherCells } from './other-cells.js';
import { podConditions } from './pod-cells.js';
import { workloadCells } from './workload-cells.js';

/** Cells of a row, and its conditions as JSON. */
export interface Row {
  readonly cells: readonly Value[];
  readonly conditions: string | undefined;
}

/** Versions from which rows are printed, for kinds whose versions differ in their fields. */
const printedVersions: Readonly<Record<string, GroupVersionKind>> = {
  'events.events.k8s.io': { group: '', version: 'v1', kind: 'Event' },
  'horizontalpodautoscalers.autoscaling': { group: 'autoscaling', version: 'v2', kind: 'HorizontalPodAutoscaler' },
};

/** Returns the row of an object. */
export function cellsOf(
  object: ApiObject,
  {
    resource,
    definition,
    now,
    columns,
    defaultClass,
  }: TableOptions & { readonly columns: readonly Column[]; readonly defaultClass: string | undefined },
): Row {
  if (definition !== undefined) return { cells: customCells(object.value, columns, now), conditions: undefined };
  const name = `${resource?.resource}.${resource?.group}`;
  const value = inPrintedVersion(object, printedVersions[name]);
  const isPod = name === 'pods.';
  const maker = makerOf(name);
  if (maker === undefined)
    return { cells: [nameOf(value), stringAt(value, 'metadata', 'creationTimestamp') || null], conditions: undefined };
  const cells = maker(value, now, object.codec.server);
  // Since v1.37 only a list marks the class that is the default.
  if (name === 'storageclasses.storage.k8s.io' && object.codec.server.since('v1.37') && nameOf(value) !== defaultClass)
    cells[0] = nameOf(value);
  return { cells, conditions: isPod ? podConditions(value) : undefined };
}

function makerOf(name: string): CellMaker | undefined {
  const [resource = ''] = name.split('.', 1);
  const group = name.slice(resource.length + 1);
  if (group === '' || name === 'events.events.k8s.io') return coreCells[resource];
  return group === 'apps' || group === 'batch' ? workloadCells[resource] : (otherCells[name] ?? newerCells[name]);
}

function inPrintedVersion({ value, codec }: ApiObject, to: GroupVersionKind | undefined): ValueMap {
  if (to === undefined || (codec.kind.version === to.version && codec.kind.group === to.group)) return value;
  return convertBuiltIn(codec.server, value, codec.kind, to);
}
