import { ownMember } from '../../go/own-members.js';
import { listAt, mapAt, stringAt, type Value, type ValueMap, valueAt } from '../../go/value.js';
import { shortList } from './cell-text.js';

const members: Readonly<Record<string, string>> = {
  External: 'external',
  Pods: 'pods',
  Object: 'object',
  Resource: 'resource',
  ContainerResource: 'containerResource',
};

/**
 * Returns current and target values of an autoscaler's metrics. Source: kubernetes pkg/printers/internalversion/printers.go
 * formatHPAMetrics.
 */
export function metricsText(autoscaler: ValueMap): string {
  const specs = listAt(autoscaler, 'spec', 'metrics');
  if (specs.length === 0) return '<none>';
  const statuses = listAt(autoscaler, 'status', 'currentMetrics');
  return shortList(
    specs.map((spec, i) => metricText(spec, statuses[i])),
    2,
    ', ',
  );
}

function metricText(spec: Value, status: Value | undefined): string {
  const type = stringAt(spec, 'type');
  const member = ownMember(members, type);
  if (member === undefined) return '<unknown type>';
  const source = mapAt(spec, member);
  const target = mapAt(source, 'target');
  const current = mapAt(status, member, 'current');
  const compared = (key: string): string => `${current?.get(key) ?? '<unknown>'}/${target?.get(key) ?? ''}`;
  const isAverage = target?.get('averageValue') !== undefined;
  if (type === 'External' || type === 'Object') return isAverage ? `${compared('averageValue')} (avg)` : compared('value');
  if (type === 'Pods') return compared('averageValue');
  const name = stringAt(source, 'name');
  if (isAverage) return `${name}: ${compared('averageValue')}`;
  const percent = (of: ValueMap | undefined, none: string): string => {
    const value = valueAt(of, 'averageUtilization');
    return typeof value === 'bigint' ? `${value}%` : none;
  };
  return `${name}: ${percent(current, '<unknown>')}/${percent(target, '<auto>')}`;
}
