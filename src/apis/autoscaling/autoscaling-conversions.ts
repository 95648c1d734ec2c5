import { DecodeError } from '../../apiserver/objects/codec.js';
import { type ConversionRules, renamed } from '../../apiserver/objects/conversion-rules.js';
import { decodeFolded } from '../../apiserver/objects/decode-typed.js';
import { isAbsent } from '../../apiserver/objects/default-rules.js';
import { encodeAs } from '../../apiserver/objects/encode-typed.js';
import { copyOf, ensureMap, isList, isMap, listAt, mapAt, stringAt, toValue, type Value, type ValueMap } from '../../go/value.js';
import type { ApiServer } from '../../kubernetes/api-server.js';
import type { Schema } from '../../kubernetes/schema.js';
import { keepUnassigned } from './keep-unassigned.js';
import { metricFromInternal, metricToInternal, statusFromInternal, statusToInternal } from './metric-conversions.js';
import { conditionList, internalBehavior, metricSpecList, metricStatusList } from './v1-annotation-types.js';

const prefix = 'autoscaling.alpha.kubernetes.io/';
const annotations = {
  metrics: `${prefix}metrics`,
  behavior: `${prefix}behavior`,
  currentMetrics: `${prefix}current-metrics`,
  conditions: `${prefix}conditions`,
  scaleUpTolerance: `${prefix}scale-up-tolerance`,
  scaleDownTolerance: `${prefix}scale-down-tolerance`,
};

/**
 * The first version has only one metric, the CPU utilization; other metrics are stored in annotations. Source: kubernetes
 * pkg/apis/autoscaling conversion.go.
 */
export const autoscalingConversions: ConversionRules = {
  'autoscaling/v2.HorizontalPodAutoscaler': { toInternal: dropAnnotations, fromInternal: dropAnnotations },
  'autoscaling/v1.HorizontalPodAutoscaler': {
    toInternal: (value, server) => v1ToInternal(server, value),
    fromInternal: (value, server) => v1FromInternal(server, value),
    keepUnassigned,
  },
};

function dropAnnotations(autoscaler: ValueMap): void {
  const found = mapAt(autoscaler, 'metadata', 'annotations');
  for (const name of Object.values(annotations)) found?.delete(name);
}

function v1ToInternal(server: ApiServer, autoscaler: ValueMap): void {
  const spec = ensureMap(autoscaler, 'spec');
  const metrics = [...metricsInAnnotation(server, autoscaler), ...cpuTarget(spec)];
  spec.set('metrics', metrics.length > 0 ? metrics : [cpuMetric('target', { type: 'Utilization', averageUtilization: 80 })]);
  const behavior = readAnnotation(server, autoscaler, annotations.behavior, internalBehavior(server));
  if (isMap(behavior) && behavior.size > 0) spec.set('behavior', renameBehavior(behavior, 'fromInternal'));
  statusOfV1(server, autoscaler);
  dropAnnotations(autoscaler);
}

function metricsInAnnotation(server: ApiServer, autoscaler: ValueMap): Value[] {
  const metrics = readAnnotation(server, autoscaler, annotations.metrics, metricSpecList(server));
  if (!isList(metrics)) return [];
  for (const metric of metrics.filter(isMap)) metricToInternal(metric);
  return metrics;
}

function cpuTarget(spec: ValueMap): Value[] {
  const averageUtilization = spec.get('targetCPUUtilizationPercentage');
  spec.delete('targetCPUUtilizationPercentage');
  return typeof averageUtilization === 'bigint' ? [cpuMetric('target', { type: 'Utilization', averageUtilization })] : [];
}

function cpuMetric(part: 'target' | 'current', values: unknown): Value {
  return toValue({ type: 'Resource', resource: { name: 'cpu', [part]: values } });
}

function statusOfV1(server: ApiServer, autoscaler: ValueMap): void {
  const status = ensureMap(autoscaler, 'status');
  const utilization = status.get('currentCPUUtilizationPercentage');
  status.delete('currentCPUUtilizationPercentage');
  if (typeof utilization === 'bigint') status.set('currentMetrics', [cpuMetric('current', { averageUtilization: utilization })]);
  const current = readAnnotation(server, autoscaler, annotations.currentMetrics, metricStatusList(server));
  if (current !== undefined) {
    for (const metric of listAt(current).filter(isMap)) statusToInternal(metric);
    status.set('currentMetrics', listAt(current));
  }
  const conditions = readAnnotation(server, autoscaler, annotations.conditions, conditionList(server));
  if (conditions !== undefined) status.set('conditions', listAt(conditions));
}

/** Parses an annotation, null for nil; undefined when it is absent or invalid, which is ignored. */
function readAnnotation(server: ApiServer, autoscaler: ValueMap, name: string, schema: Schema): Value | undefined {
  const text = mapAt(autoscaler, 'metadata', 'annotations')?.get(name);
  if (typeof text !== 'string') return undefined;
  try {
    return decodeFolded(server, text, schema);
  } catch (error) {
    if (error instanceof DecodeError) return undefined;
    throw error;
  }
}

function v1FromInternal(server: ApiServer, autoscaler: ValueMap): void {
  dropAnnotations(autoscaler);
  const spec = ensureMap(autoscaler, 'spec');
  const status = ensureMap(autoscaler, 'status');
  const metrics = listAt(spec, 'metrics').filter(isMap);
  const cpu = metrics.find(isCpuTarget);
  if (cpu !== undefined) spec.set('targetCPUUtilizationPercentage', utilizationOf(cpu, 'target'));
  annotate(autoscaler, annotations.metrics, {
    list: metrics.filter(metric => !isCpuTarget(metric)),
    schema: metricSpecList(server),
    convert: metricFromInternal,
  });
  const current = listAt(status, 'currentMetrics').filter(isMap);
  const currentCpu = current.filter(metric => isCpu(metric) && utilizationOf(metric, 'current') !== null).at(-1);
  if (currentCpu !== undefined) status.set('currentCPUUtilizationPercentage', utilizationOf(currentCpu, 'current'));
  annotate(autoscaler, annotations.currentMetrics, { list: current, schema: metricStatusList(server), convert: statusFromInternal });
  const behavior = spec.get('behavior');
  if (isMap(behavior)) {
    setAnnotation(autoscaler, annotations.behavior, encodeAs(internalBehavior(server), renameBehavior(copyOf(behavior), 'toInternal')));
  }
  annotate(autoscaler, annotations.conditions, {
    list: listAt(status, 'conditions').filter(isMap),
    schema: conditionList(server),
    convert: () => {},
  });
}

interface Annotated {
  readonly list: readonly ValueMap[];
  readonly schema: Schema;
  readonly convert: (item: ValueMap) => void;
}

function annotate(autoscaler: ValueMap, name: string, { list, schema, convert }: Annotated): void {
  if (list.length === 0) return;
  const copies = list.map(copyOf);
  for (const item of copies) convert(item);
  setAnnotation(autoscaler, name, encodeAs(schema, copies));
}

function setAnnotation(autoscaler: ValueMap, name: string, text: string): void {
  ensureMap(ensureMap(autoscaler, 'metadata'), 'annotations').set(name, text);
}

function isCpu(metric: ValueMap): boolean {
  return stringAt(metric, 'type') === 'Resource' && stringAt(metric, 'resource', 'name') === 'cpu';
}

function isCpuTarget(metric: ValueMap): boolean {
  return isCpu(metric) && utilizationOf(metric, 'target') !== null;
}

function utilizationOf(metric: ValueMap, part: 'target' | 'current'): Value {
  return mapAt(metric, 'resource', part)?.get('averageUtilization') ?? null;
}

const behaviorNames = renamed({ scaleUp: 'ScaleUp', scaleDown: 'ScaleDown' });
const rulesNames = renamed({
  stabilizationWindowSeconds: 'StabilizationWindowSeconds',
  selectPolicy: 'SelectPolicy',
  policies: 'Policies',
  tolerance: 'Tolerance',
});
const policyNames = renamed({ type: 'Type', value: 'Value', periodSeconds: 'PeriodSeconds' });

/** Renames the fields of the behavior to Go's names (`toInternal`) or those of v2. */
function renameBehavior(behavior: ValueMap, way: 'toInternal' | 'fromInternal'): ValueMap {
  behaviorNames[way](behavior);
  for (const rules of [...behavior.values()].filter(isMap)) {
    rulesNames[way](rules);
    const policies = isAbsent(rules, 'policies') ? rules.get('Policies') : rules.get('policies');
    for (const policy of listAt(policies).filter(isMap)) policyNames[way](policy);
  }
  return behavior;
}
