import type { ApiObject } from '../../apiserver/objects/api-object.js';
import { convertBuiltIn } from '../../apiserver/objects/convert-built-in.js';
import type { TableOptions } from '../../apiserver/report/other-forms.js';
import { ownMember } from '../../go/own-members.js';
import { listAt, mapAt, stringAt, type Value, type ValueMap, valueAt } from '../../go/value.js';
import type { GroupVersionKind } from '../../kubernetes/group-version.js';
import { ageOf, labelsText, nameCell, since } from './cell-text.js';
import type { Column } from './columns.js';
import { type CellMaker, coreCells } from './core-cells.js';
import { customCells } from './custom-cells.js';
import { otherCells } from './other-cells.js';
import { podConditions } from './pod-cells.js';
import { isScale, scaleCells } from './scale-table.js';
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
  if (isScale(object)) return { cells: scaleCells(object.value, now), conditions: undefined };
  if (definition !== undefined) return { cells: customCells(object.value, columns, now), conditions: undefined };
  const name = `${resource?.resource}.${resource?.group}`;
  const value = inPrintedVersion(object, ownMember(printedVersions, name));
  const isPod = name === 'pods.';
  const maker = makerOf(name);
  if (maker === undefined)
    return { cells: [nameCell(value), stringAt(value, 'metadata', 'creationTimestamp') || null], conditions: undefined };
  const cells = maker(value, now, object.codec.server);
  // Since v1.37 only a list marks the class that is the default.
  if (name === 'storageclasses.storage.k8s.io' && object.codec.server.since('v1.37') && nameCell(value) !== defaultClass)
    cells[0] = nameCell(value);
  return { cells, conditions: isPod ? podConditions(value) : undefined };
}

function makerOf(name: string): CellMaker | undefined {
  const [resource = ''] = name.split('.', 1);
  const group = name.slice(resource.length + 1);
  if (group === '' || name === 'events.events.k8s.io') return ownMember(coreCells, resource);
  return group === 'apps' || group === 'batch'
    ? ownMember(workloadCells, resource)
    : (ownMember(otherCells, name) ?? ownMember(newerCells, name));
}

function inPrintedVersion({ value, codec }: ApiObject, to: GroupVersionKind | undefined): ValueMap {
  if (to === undefined || (codec.kind.version === to.version && codec.kind.group === to.group)) return value;
  return convertBuiltIn(codec.server, value, codec.kind, to);
}

/** Rows of kinds that are served by default, or have columns of their own, since v1.37, by `resource.group`. */
const newerCells: Readonly<Record<string, CellMaker>> = {
  /** Source: apiextensions-apiserver pkg/registry/customresourcedefinition/tableconvertor. */
  'customresourcedefinitions.apiextensions.k8s.io': (o, _now, server) => {
    const created = stringAt(o, 'metadata', 'creationTimestamp');
    if (!server.since('v1.37')) return [nameCell(o), created || null];
    const served = listAt(o, 'spec', 'versions').filter(version => valueAt(version, 'served') === true);
    const versions = served.map(version => `${stringAt(version, 'name')}${valueAt(version, 'storage') === true ? '(storage)' : ''}`);
    return [
      nameCell(o),
      stringAt(o, 'spec', 'scope'),
      versions.sort().join(','),
      created || '0001-01-01T00:00:00Z',
      stringAt(o, 'spec', 'group'),
      stringAt(o, 'spec', 'names', 'kind'),
      listAt(o, 'spec', 'names', 'shortNames').join(','),
      listAt(o, 'status', 'conditions').some(c => stringAt(c, 'type') === 'Established' && stringAt(c, 'status') === 'True'),
    ];
  },
  'clustertrustbundles.certificates.k8s.io': o => [nameCell(o), stringAt(o, 'spec', 'signerName') || '<none>'],
  'podcertificaterequests.certificates.k8s.io': o => [
    nameCell(o),
    ...['podName', 'serviceAccountName', 'nodeName', 'signerName'].map(name => stringAt(o, 'spec', name)),
    lastOf(
      listAt(o, 'status', 'conditions').map(c => stringAt(c, 'type')),
      ['Issued', 'Denied', 'Failed'],
      'Pending',
    ),
    labelsText(mapAt(o, 'spec', 'unverifiedUserAnnotations')),
  ],
  'devicetaintrules.resource.k8s.io': (o, now) => {
    const taint = mapAt(o, 'spec', 'taint');
    return [
      nameCell(o),
      ...['key', 'value', 'effect'].map(name => stringAt(taint, name)),
      since(taint?.get('timeAdded'), now),
      ageOf(o, now),
    ];
  },
  'storageversionmigrations.storagemigration.k8s.io': o => {
    const [resource, group] = ['resource', 'group'].map(name => stringAt(o, 'spec', 'resource', name));
    const conditions = listAt(o, 'status', 'conditions').filter(c => stringAt(c, 'status') === 'True');
    return [
      nameCell(o),
      group === '' ? (resource ?? '') : `${resource}.${group}`,
      lastOf(
        conditions.map(c => stringAt(c, 'type')),
        ['Running', 'Failed', 'Succeeded'],
        'Unknown',
      ),
    ];
  },
};

function lastOf(types: readonly string[], states: readonly string[], otherwise: string): string {
  return types.findLast(type => states.includes(type)) ?? otherwise;
}
