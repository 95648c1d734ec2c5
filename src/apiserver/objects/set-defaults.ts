import { admissionregistrationDefaults } from '../../apis/admissionregistration/admissionregistration-defaults.js';
import { apiextensionsDefaults } from '../../apis/apiextensions/apiextensions-defaults.js';
import { appsDefaults } from '../../apis/apps/apps-defaults.js';
import { autoscalingDefaults } from '../../apis/autoscaling/autoscaling-defaults.js';
import { batchDefaults } from '../../apis/batch/batch-defaults.js';
import { coreDefaults, serviceDefaults } from '../../apis/core/core-defaults.js';
import { podSpecDefaults, volumeDefaults } from '../../apis/core/pod/defaults/pod-spec-defaults.js';
import { podDefaults } from '../../apis/core/pod/defaults/pod-template-defaults.js';
import { flowcontrolDefaults } from '../../apis/flowcontrol/flowcontrol-defaults.js';
import { networkingDefaults } from '../../apis/networking/networking-defaults.js';
import { rbacDefaults } from '../../apis/rbac/rbac-defaults.js';
import { resourceDefaults } from '../../apis/resource/resource-defaults.js';
import { smallerGroupDefaults } from '../../apis/smaller-groups-defaults.js';
import { storageDefaults } from '../../apis/storage/storage-defaults.js';
import { isList, isMap, type Value, type ValueMap } from '../../go/value.js';
import { quantityText, roundedUpQuantity } from '../../kubernetes/quantity.js';
import type { FieldSchema, StructSchema } from '../../kubernetes/schema.js';
import type { DefaultRule } from './default-rules.js';
import { innerVisitor } from './inner-fields.js';
import { rulesByGroup } from './rules-by-group.js';

/**
 * Fills in a version's defaults, in place: a type's own rule first, then its fields' in their order. Never refuses anything. `now` is what
 * the only default that is a time gets. Source: kubernetes pkg/apis zz_generated.defaults.go.
 */
export function setDefaultsOf(schema: StructSchema, value: ValueMap, now?: Date): void {
  if (!withoutDefaulting.test(schema.name)) defaultStruct(schema, value, now);
}

/** Versions that hold types with rules, but register no defaulting for their kinds. */
const withoutDefaulting = /^(node\/|storage\/v1alpha1\.)/;

const ruleOf = rulesByGroup<DefaultRule>({
  admissionregistration: () => [admissionregistrationDefaults],
  apiextensions: () => [apiextensionsDefaults],
  apiregistration: () => [apiextensionsDefaults],
  apps: () => [appsDefaults],
  authentication: () => [smallerGroupDefaults],
  autoscaling: () => [autoscalingDefaults],
  batch: () => [batchDefaults],
  certificates: () => [smallerGroupDefaults],
  core: () => [podDefaults, podSpecDefaults, volumeDefaults, coreDefaults, serviceDefaults],
  discovery: () => [networkingDefaults],
  extensions: () => [appsDefaults, networkingDefaults],
  flowcontrol: () => [flowcontrolDefaults],
  networking: () => [networkingDefaults],
  rbac: () => [rbacDefaults],
  resource: () => [resourceDefaults],
  scheduling: () => [smallerGroupDefaults],
  storage: () => [storageDefaults],
});

function defaultStruct(schema: StructSchema, value: ValueMap, now: Date | undefined): void {
  ruleOf(schema.name)?.(value, now);
  visitInner(schema, value, (field, held) => defaultValue(field, held, now));
}

function defaultValue(field: Pick<FieldSchema, 'schema' | 'goType'>, value: Value, now: Date | undefined): void {
  const { schema } = field;
  if (schema.type === 'struct') {
    if (isMap(value)) defaultStruct(schema, value, now);
  } else if (schema.type === 'list') {
    if (isList(value)) for (const item of value) defaultValue({ schema: schema.items }, item, now);
  } else if (schema.type === 'map' && isMap(value)) {
    if (isResourceList(field)) roundUp(value);
    else for (const entry of value.values()) defaultValue({ schema: schema.values }, entry, now);
  }
}

/** Every quantity of such a map is rounded up to thousandths; other maps of quantities are not. */
function isResourceList({ goType }: Pick<FieldSchema, 'goType'>): boolean {
  return goType === 'v1.ResourceList';
}

function roundUp(list: ValueMap): void {
  for (const [name, quantity] of list) if (typeof quantity === 'string') list.set(name, quantityText(roundedUpQuantity(quantity, -3)));
}

const visitInner = innerVisitor({ struct: schema => ruleOf(schema.name) !== undefined, field: isResourceList });
