import type { KindDefinition } from '../../../apiserver/registry/kind-definition.js';
import type { Refinement } from '../../../apiserver/registry/strategy.js';
import type { FieldPath } from '../../../apiserver/registry/validation/field-path.js';
import type { KindRules } from '../../../apiserver/registry/validation/kind-rules.js';
import { checkMetaConditions } from '../../../apiserver/registry/validation/meta-conditions.js';
import { checkName } from '../../../apiserver/registry/validation/rules.js';
import { mapAt, stringAt } from '../../../go/value.js';
import { dns1123LabelProblems } from '../../../kubernetes/name-rules.js';
import { timestampOf } from '../../../kubernetes/timestamp.js';
import { checkDriverName } from '../../core/pod/validation/volume-sources.js';
import { checkDeviceTaint } from '../claimed-devices.js';
import { checkPoolName } from '../device-names.js';

/** Source: resource/validation ValidateDeviceTaintRule. */
const deviceTaintRuleRules: KindRules = {
  create: rule => checkTaintRule(rule),
  update: ['changes', checkTaintRule],
  warnings: rule => {
    const selector = rule.child('spec', 'deviceSelector');
    const selectsAll = selector.isSet() && !['driver', 'pool', 'device'].some(name => selector.has(name));
    if (!rule.server.since('v1.38') || !selectsAll) return [];
    return ['spec.deviceSelector: an empty selector matches every device from every driver in the cluster'];
  },
};

function checkTaintRule(rule: FieldPath, old?: FieldPath): void {
  const selector = rule.child('spec', 'deviceSelector');
  const [driver, pool, device] = [selector.child('driver'), selector.child('pool'), selector.child('device')];
  if (driver.isSet()) checkDriverName(driver);
  if (pool.isSet()) checkPoolName(pool);
  if (device.isSet()) checkName(device, dns1123LabelProblems);
  checkDeviceTaint(rule.child('spec', 'taint'), old?.child('spec', 'taint'));
}

const maxConditions = 8;

/** Source: resource/validation ValidateDeviceTaintRuleStatusUpdate. */
function checkStatus(rule: FieldPath): void {
  const conditions = rule.child('status', 'conditions');
  checkMetaConditions(conditions);
  if (conditions.length() > maxConditions) conditions.tooMany(conditions.length(), maxConditions);
}

/** Strategy: another effect gets a new time unless the client gave one. Source: kubernetes pkg/registry/resource/devicetaintrule/strategy.go. */
const deviceTaintRule: Refinement = base => ({
  ...base,
  prepareForUpdate: (object, old, context) => {
    const [taint, before] = [object, old].map(each => mapAt(each, 'spec', 'taint'));
    const isKept = (name: string): boolean => stringAt(taint, name) === stringAt(before, name);
    if (context.subresource === '' && !isKept('effect') && isKept('timeAdded')) taint?.set('timeAdded', timestampOf(context.effects.now()));
    base.prepareForUpdate(object, old, context);
  },
});

/** DeviceTaintRule. */
export const deviceTaintRuleKind: KindDefinition = {
  refine: deviceTaintRule,
  hasNoStatusTables: true,
  validation: deviceTaintRuleRules,
  subresources: { status: { update: ['changes', checkStatus] } },
  keepsMetadataInStatus: true,
  hasGeneration: true,
  resetsStatus: true,
  deletion: { returnsObject: true },
  resetFields: { status: ['spec', 'metadata'] },
};
