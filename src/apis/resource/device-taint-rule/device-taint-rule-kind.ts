import type { KindDefinition } from '../../../apiserver/registry/kind-definition.js';
import type { KindRules } from '../../../apiserver/registry/validation/kind-rules.js';
import type { Place } from '../../../apiserver/registry/validation/place.js';
import { at, hasSet, isSet } from '../../../apiserver/registry/validation/place.js';
import { checkName } from '../../../apiserver/registry/validation/rules.js';
import { dns1123LabelProblems } from '../../../kubernetes/name-rules.js';
import { checkDriverName } from '../../core/pod/validation/volume-sources.js';
import { checkDeviceTaint } from '../claimed-devices.js';
import { checkPoolName } from '../device-names.js';

/** Source: resource/validation ValidateDeviceTaintRule. */
const deviceTaintRuleRules: KindRules = {
  create: rule => checkTaintRule(rule),
  update: ['changes', checkTaintRule],
  warnings: rule => {
    const selector = at(rule, 'spec', 'deviceSelector');
    const selectsAll = isSet(selector) && !['driver', 'pool', 'device'].some(name => hasSet(selector, name));
    if (!rule.server.since('v1.38') || !selectsAll) return [];
    return ['spec.deviceSelector: an empty selector matches every device from every driver in the cluster'];
  },
};

function checkTaintRule(rule: Place, old?: Place): void {
  const selector = at(rule, 'spec', 'deviceSelector');
  const [driver, pool, device] = [at(selector, 'driver'), at(selector, 'pool'), at(selector, 'device')];
  if (isSet(driver)) checkDriverName(driver);
  if (isSet(pool)) checkPoolName(pool);
  if (isSet(device)) checkName(device, dns1123LabelProblems);
  checkDeviceTaint(at(rule, 'spec', 'taint'), old === undefined ? undefined : at(old, 'spec', 'taint'));
}

/** DeviceTaintRule. */
export const deviceTaintRuleKind: KindDefinition = {
  hasNoStatusTables: true,
  validation: deviceTaintRuleRules,
  keepsMetadataInStatus: true,
  hasGeneration: true,
  deletion: { returnsObject: true },
  resetFields: { status: ['spec', 'metadata'] },
};
