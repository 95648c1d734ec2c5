import type { ApiServer } from '../../kubernetes/api-server.js';
import type { FieldSchema, LeafName, ListSchema, Schema, StructSchema } from '../../kubernetes/schema.js';
import { structNamed } from '../../kubernetes/type-table.js';

/**
 * Returns the Go types of autoscaling/v1 that only occur in annotations and are therefore not in the table of types: metrics in the form
 * before v2. Source: k8s.io/api/autoscaling/v1/types.go.
 */
export function metricSpecList(server: ApiServer): ListSchema {
  return listOf(
    struct(server, 'MetricSpec', [
      field('type', 'string'),
      pointer(
        'object',
        struct(server, 'ObjectMetricSource', [
          field('target', structNamed(server, 'autoscaling/v1.CrossVersionObjectReference')),
          field('metricName', 'string'),
          field('targetValue', 'quantity'),
          pointer('selector', structNamed(server, 'meta/v1.LabelSelector')),
          pointer('averageValue', 'quantity'),
        ]),
      ),
      pointer(
        'pods',
        struct(server, 'PodsMetricSource', [...namedMetric(), field('targetAverageValue', 'quantity'), selector(server, 'selector')]),
      ),
      pointer('resource', struct(server, 'ResourceMetricSource', targetOfResource())),
      pointer('containerResource', struct(server, 'ContainerResourceMetricSource', [...targetOfResource(), field('container', 'string')])),
      pointer(
        'external',
        struct(server, 'ExternalMetricSource', [
          ...namedMetric(),
          selector(server, 'metricSelector'),
          pointer('targetValue', 'quantity'),
          pointer('targetAverageValue', 'quantity'),
        ]),
      ),
    ]),
  );
}

/** Returns the Go types of the metrics' status. */
export function metricStatusList(server: ApiServer): ListSchema {
  return listOf(
    struct(server, 'MetricStatus', [
      field('type', 'string'),
      pointer(
        'object',
        struct(server, 'ObjectMetricStatus', [
          field('target', structNamed(server, 'autoscaling/v1.CrossVersionObjectReference')),
          field('metricName', 'string'),
          field('currentValue', 'quantity'),
          selector(server, 'selector'),
          pointer('averageValue', 'quantity'),
        ]),
      ),
      pointer(
        'pods',
        struct(server, 'PodsMetricStatus', [...namedMetric(), field('currentAverageValue', 'quantity'), selector(server, 'selector')]),
      ),
      pointer('resource', struct(server, 'ResourceMetricStatus', currentOfResource())),
      pointer('containerResource', struct(server, 'ContainerResourceMetricStatus', [...currentOfResource(), field('container', 'string')])),
      pointer(
        'external',
        struct(server, 'ExternalMetricStatus', [
          ...namedMetric(),
          selector(server, 'metricSelector'),
          field('currentValue', 'quantity'),
          pointer('currentAverageValue', 'quantity'),
        ]),
      ),
    ]),
  );
}

/** Returns the conditions of an autoscaler: as in v2. */
export function conditionList(server: ApiServer): ListSchema {
  return listOf(structNamed(server, 'autoscaling/v2.HorizontalPodAutoscalerCondition'));
}

/** Returns the scaling behavior as the internal type writes it: Go's names, no field omitted. */
export function internalBehavior(server: ApiServer): StructSchema {
  const policy = struct(server, 'HPAScalingPolicy', [field('Type', 'string'), field('Value', 'int32'), field('PeriodSeconds', 'int32')]);
  const rules = struct(server, 'HPAScalingRules', [
    always('StabilizationWindowSeconds', 'int32'),
    always('SelectPolicy', 'string'),
    field('Policies', listOf(policy)),
    always('Tolerance', 'quantity'),
  ]);
  return struct(server, 'HorizontalPodAutoscalerBehavior', [always('ScaleUp', rules), always('ScaleDown', rules)]);
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

function selector(server: ApiServer, name: string): FieldSchema {
  return pointer(name, structNamed(server, 'meta/v1.LabelSelector'));
}

function struct(server: ApiServer, name: string, fields: readonly FieldSchema[]): StructSchema {
  const fieldsByName = new Map(fields.map(f => [f.name, f]));
  return { type: 'struct', server, name: `autoscaling/v1.${name}`, goName: `v1.${name}`, fields, fieldsByName };
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
