import type { FieldSchema, LeafName, ListSchema, Schema, StructSchema } from '../../kubernetes/schema.js';
import { structNamed } from '../../kubernetes/type-table.js';

/**
 * Returns the Go types of autoscaling/v1 that only occur in annotations and are therefore not in the table of types: metrics in the form
 * before v2. Source: k8s.io/api/autoscaling/v1/types.go.
 */
export function metricSpecList(): ListSchema {
  return listOf(
    struct('MetricSpec', [
      field('type', 'string'),
      pointer(
        'object',
        struct('ObjectMetricSource', [
          field('target', structNamed('autoscaling/v1.CrossVersionObjectReference')),
          field('metricName', 'string'),
          field('targetValue', 'quantity'),
          pointer('selector', structNamed('meta/v1.LabelSelector')),
          pointer('averageValue', 'quantity'),
        ]),
      ),
      pointer('pods', struct('PodsMetricSource', [...namedMetric(), field('targetAverageValue', 'quantity'), selector('selector')])),
      pointer('resource', struct('ResourceMetricSource', targetOfResource())),
      pointer('containerResource', struct('ContainerResourceMetricSource', [...targetOfResource(), field('container', 'string')])),
      pointer(
        'external',
        struct('ExternalMetricSource', [
          ...namedMetric(),
          selector('metricSelector'),
          pointer('targetValue', 'quantity'),
          pointer('targetAverageValue', 'quantity'),
        ]),
      ),
    ]),
  );
}

/** Returns the Go types of the metrics' status. */
export function metricStatusList(): ListSchema {
  return listOf(
    struct('MetricStatus', [
      field('type', 'string'),
      pointer(
        'object',
        struct('ObjectMetricStatus', [
          field('target', structNamed('autoscaling/v1.CrossVersionObjectReference')),
          field('metricName', 'string'),
          field('currentValue', 'quantity'),
          selector('selector'),
          pointer('averageValue', 'quantity'),
        ]),
      ),
      pointer('pods', struct('PodsMetricStatus', [...namedMetric(), field('currentAverageValue', 'quantity'), selector('selector')])),
      pointer('resource', struct('ResourceMetricStatus', currentOfResource())),
      pointer('containerResource', struct('ContainerResourceMetricStatus', [...currentOfResource(), field('container', 'string')])),
      pointer(
        'external',
        struct('ExternalMetricStatus', [
          ...namedMetric(),
          selector('metricSelector'),
          field('currentValue', 'quantity'),
          pointer('currentAverageValue', 'quantity'),
        ]),
      ),
    ]),
  );
}

/** Returns the conditions of an autoscaler: as in v2. */
export function conditionList(): ListSchema {
  return listOf(structNamed('autoscaling/v2.HorizontalPodAutoscalerCondition'));
}

/** Returns the scaling behavior as the internal type writes it: Go's names, no field omitted. */
export function internalBehavior(): StructSchema {
  const policy = struct('HPAScalingPolicy', [field('Type', 'string'), field('Value', 'int32'), field('PeriodSeconds', 'int32')]);
  const rules = struct('HPAScalingRules', [
    always('StabilizationWindowSeconds', 'int32'),
    always('SelectPolicy', 'string'),
    field('Policies', listOf(policy)),
    always('Tolerance', 'quantity'),
  ]);
  return struct('HorizontalPodAutoscalerBehavior', [always('ScaleUp', rules), always('ScaleDown', rules)]);
}

function namedMetric(): FieldSchema[] {
  return [field('metricName', 'string')];
}

function targetOfResource(): FieldSchema[] {
  return [field('name', 'string'), pointer('targetAverageUtilization', 'int32'), pointer('targetAverageValue', 'quantity')];
}

function currentOfResource(): FieldSchema[] {
  return [field('name', 'string'), pointer('currentAverageUtilization', 'int32'), field('currentAverageValue', 'quantity')];
}

function selector(name: string): FieldSchema {
  return pointer(name, structNamed('meta/v1.LabelSelector'));
}

function struct(name: string, fields: readonly FieldSchema[]): StructSchema {
  const fieldsByName = new Map(fields.map(f => [f.name, f]));
  return { type: 'struct', name: `autoscaling/v1.${name}`, goName: `v1.${name}`, fields, fieldsByName };
}

function listOf(items: Schema): ListSchema {
  return { type: 'list', items, pointer: false };
}

function field(name: string, type: LeafName | Schema): FieldSchema {
  const schema: Schema = typeof type === 'string' ? { type: 'leaf', leaf: type } : type;
  return { name, goName: name, declaredBy: '', schema, omitEmpty: false, omitZero: false, pointer: false };
}

function pointer(name: string, type: LeafName | Schema): FieldSchema {
  return { ...field(name, type), pointer: true, omitEmpty: true };
}

function always(name: string, type: LeafName | Schema): FieldSchema {
  return { ...field(name, type), pointer: true };
}
