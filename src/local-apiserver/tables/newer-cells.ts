import { listAt, mapAt, stringAt, valueAt } from '../../go/value.js';
import { ageOf, labelsText, nameOf, since } from './cell-text.js';
import type { CellMaker } from './core-cells.js';

/** Rows of kinds that are served by default, or have columns of their own, since v1.37, by `resource.group`. */
export const newerCells: Readonly<Record<string, CellMaker>> = {
  /** Source: apiextensions-apiserver pkg/registry/customresourcedefinition/tableconvertor. */
  'customresourcedefinitions.apiextensions.k8s.io': (o, _now, server) => {
    const created = stringAt(o, 'metadata', 'creationTimestamp');
    if (!server.since('v1.37')) return [nameOf(o), created || null];
    const served = listAt(o, 'spec', 'versions').filter(version => valueAt(version, 'served') === true);
    const versions = served.map(version => `${stringAt(version, 'name')}${valueAt(version, 'storage') === true ? '(storage)' : ''}`);
    return [
      nameOf(o),
      stringAt(o, 'spec', 'scope'),
      versions.sort().join(','),
      created || '0001-01-01T00:00:00Z',
      stringAt(o, 'spec', 'group'),
      stringAt(o, 'spec', 'names', 'kind'),
      listAt(o, 'spec', 'names', 'shortNames').join(','),
      listAt(o, 'status', 'conditions').some(c => stringAt(c, 'type') === 'Established' && stringAt(c, 'status') === 'True'),
    ];
  },
  'clustertrustbundles.certificates.k8s.io': o => [nameOf(o), stringAt(o, 'spec', 'signerName') || '<none>'],
  'podcertificaterequests.certificates.k8s.io': o => [
    nameOf(o),
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
      nameOf(o),
      ...['key', 'value', 'effect'].map(name => stringAt(taint, name)),
      since(taint?.get('timeAdded'), now),
      ageOf(o, now),
    ];
  },
  'storageversionmigrations.storagemigration.k8s.io': o => {
    const [resource, group] = ['resource', 'group'].map(name => stringAt(o, 'spec', 'resource', name));
    const conditions = listAt(o, 'status', 'conditions').filter(c => stringAt(c, 'status') === 'True');
    return [
      nameOf(o),
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
