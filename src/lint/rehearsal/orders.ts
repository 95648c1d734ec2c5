import { stringAt, type ValueMap } from '../../go/value.js';
import type { RehearsalUnit } from './rehearsal.js';

/** The orders in which a tool creates and deletes units, by their numbers. */
export interface NamedOrder {
  readonly tool: string;
  readonly install: readonly number[];
  readonly remove: readonly number[];
}

/** Returns the orders of `kubectl apply` and `kubectl delete`, those of the files, and of Helm. `objects` are those of the files. */
export function namedOrders(units: readonly RehearsalUnit[], objects: readonly ValueMap[]): readonly NamedOrder[] {
  const placeOf = ({ objects: own }: RehearsalUnit): number => Math.min(...own.map(object => objects.indexOf(object)));
  const inFiles = sortedBy(units, placeOf);
  return [
    { tool: 'kubectl', install: inFiles, remove: inFiles },
    { tool: 'Helm', install: sortedBy(units, rankIn(helmInstallOrder)), remove: sortedBy(units, rankIn(helmUninstallOrder)) },
  ];
}

/** Helm creates kinds that it does not know last, and deletes them last. Source: helm pkg/release/util/kind_sorter.go. */
const helmInstallOrder = [
  'Namespace',
  'CustomResourceDefinition',
  'Service',
  'DaemonSet',
  'Deployment',
  'StatefulSet',
  ...configurationKinds(),
];
const helmUninstallOrder = [
  ...configurationKinds().reverse(),
  'Service',
  'StatefulSet',
  'Deployment',
  'DaemonSet',
  'CustomResourceDefinition',
  'Namespace',
];

function configurationKinds(): string[] {
  return ['MutatingWebhookConfiguration', 'ValidatingWebhookConfiguration'];
}

function rankIn(kinds: readonly string[]): (unit: RehearsalUnit) => number {
  return ({ objects: [first] }) => {
    const rank = kinds.indexOf(stringAt(first, 'kind'));
    return rank < 0 ? kinds.length : rank;
  };
}

function sortedBy(units: readonly RehearsalUnit[], rankOf: (unit: RehearsalUnit) => number): readonly number[] {
  return units
    .map((unit, i) => ({ i, rank: rankOf(unit) }))
    .sort((a, b) => a.rank - b.rank)
    .map(({ i }) => i);
}
