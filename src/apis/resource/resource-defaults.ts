import { constants, type DefaultRule, type DefaultRules, isAbsent, setDefault } from '../../apiserver/objects/default-rules.js';
import { setOwnMember } from '../../go/own-members.js';
import { isMap, type ValueMap } from '../../go/value.js';

/** Source: kubernetes pkg/apis/resource defaults.go and the markers in its types. */
export const resourceDefaults: DefaultRules = {
  ...inVersion('v1'),
  ...inVersion('v1beta2'),
  ...inVersion('v1beta1'),
  'resource/v1beta1.DeviceRequest': request => {
    // A request without a class has subrequests instead, and no count of its own.
    if (!isAbsent(request, 'deviceClassName')) allocateOne(request);
  },
  'resource/v1beta1.BasicDevice': multiplyByOne,
  'resource/v1alpha3.DeviceTaint': addedNow,
  'resource/v1alpha3.ResourcePoolStatusRequestSpec': constants({ limit: 100n }),
};

function inVersion(version: string): DefaultRules {
  const rules: Record<string, DefaultRule> = {
    [`resource/${version}.ExactDeviceRequest`]: allocateOne,
    [`resource/${version}.DeviceSubRequest`]: allocateOne,
    [`resource/${version}.DeviceToleration`]: constants({ operator: 'Equal' }),
    [`resource/${version}.DeviceTaint`]: addedNow,
  };
  if (version !== 'v1beta1') setOwnMember(rules, `resource/${version}.Device`, multiplyByOne);
  return rules;
}

function allocateOne(request: ValueMap): void {
  setDefault(request, 'allocationMode', 'ExactCount');
  if (request.get('allocationMode') === 'ExactCount') setDefault(request, 'count', 1n);
}

/** Sets the only default that needs a clock; without one the time stays absent. */
function addedNow(taint: ValueMap, now: Date | undefined): void {
  if (now !== undefined) setDefault(taint, 'timeAdded', now.toISOString().replace(/\.\d+Z$/, 'Z'));
}

function multiplyByOne(device: ValueMap): void {
  const mappings = device.get('nodeAllocatableResourceMappings');
  if (!isMap(mappings)) return;
  for (const mapping of mappings.values()) if (isMap(mapping)) setDefault(mapping, 'allocationMultiplier', '1');
}
