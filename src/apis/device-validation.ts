import { checkImmutable } from '../apiserver/registry/validation/immutable.js';
import type { KindRules } from '../apiserver/registry/validation/kind-rules.js';
import { annotationErrors, labelErrors } from '../apiserver/registry/validation/object-meta.js';
import { addInvalid, at, isSet, mapOf, type Place, textOf } from '../apiserver/registry/validation/place.js';
import { checkName } from '../apiserver/registry/validation/rules.js';
import { dns1123LabelProblems } from '../kubernetes/name-rules.js';
import { isExtendedResourceName } from './core/pod/validation/container-resources.js';
import { checkDriverName } from './core/pod/validation/volume-sources.js';
import { checkTemplateMeta } from './core/pod/validation/volumes.js';
import { checkItems, checkPoolName } from './resource/device-names.js';
import { checkClaimedDevices, checkConfiguration, checkDeviceTaint, checkSelectors } from './resource/resource-claim/claimed-devices.js';

/** Source: resource/validation ValidateResourceClaim. */
export const resourceClaimRules: KindRules = {
  create: claim => checkClaimedDevices(at(claim, 'spec')),
  update: ['metadata', 'changes', (now, old) => checkImmutable(now, old, { type: 'resource/v1.ResourceClaim', name: 'spec' })],
};

/** Source: resource/validation ValidateResourceClaimTemplate. */
export const resourceClaimTemplateRules: KindRules = {
  create: checkTemplate,
  update: [
    'metadata',
    checkTemplate,
    'changes',
    (now, old) => checkImmutable(now, old, { type: 'resource/v1.ResourceClaimTemplate', name: 'spec' }),
  ],
};

/** Source: resource/validation ValidateDeviceClass. */
export const deviceClassRules: KindRules = {
  create: checkDeviceClass,
  update: ['metadata', 'changes', checkDeviceClass],
};

/** Source: resource/validation ValidateDeviceTaintRule. */
export const deviceTaintRuleRules: KindRules = { create: rule => checkTaintRule(rule), update: ['changes', checkTaintRule] };

function checkTemplate(template: Place): void {
  const metadata = at(template, 'spec', 'metadata');
  template.errors.push(
    ...annotationErrors(mapOf(at(metadata, 'annotations')), `${metadata.path}.annotations`),
    ...labelErrors(mapOf(at(metadata, 'labels')), `${metadata.path}.labels`),
  );
  checkTemplateMeta(metadata);
  checkClaimedDevices(at(template, 'spec', 'spec'));
}

function checkDeviceClass(object: Place): void {
  const spec = at(object, 'spec');
  checkSelectors(at(spec, 'selectors'));
  checkItems(at(spec, 'config'), 32, checkConfiguration);
  const name = at(spec, 'extendedResourceName');
  if (isSet(name) && !isExtendedResourceName(textOf(name))) addInvalid(name, 'must be a valid extended resource name');
}

function checkTaintRule(rule: Place, old?: Place): void {
  const selector = at(rule, 'spec', 'deviceSelector');
  const [driver, pool, device] = [at(selector, 'driver'), at(selector, 'pool'), at(selector, 'device')];
  if (isSet(driver)) checkDriverName(driver);
  if (isSet(pool)) checkPoolName(pool);
  if (isSet(device)) checkName(device, dns1123LabelProblems);
  checkDeviceTaint(at(rule, 'spec', 'taint'), old === undefined ? undefined : at(old, 'spec', 'taint'));
}
