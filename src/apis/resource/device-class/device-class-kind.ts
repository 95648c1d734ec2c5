import type { KindDefinition } from '../../../apiserver/registry/kind-definition.js';
import type { KindRules } from '../../../apiserver/registry/validation/kind-rules.js';
import type { Place } from '../../../apiserver/registry/validation/place.js';
import { addInvalid, at, isSet, textOf } from '../../../apiserver/registry/validation/place.js';
import { isExtendedResourceName } from '../../core/pod/validation/container-resources.js';
import { checkItems } from '../device-names.js';
import { checkConfiguration, checkSelectors } from '../resource-claim/claimed-devices.js';

/** Source: resource/validation ValidateDeviceClass. */
const deviceClassRules: KindRules = {
  create: checkDeviceClass,
  update: [
    'metadata',
    deviceClass => {
      if (deviceClass.server.until('v1.34')) checkDeviceClass(deviceClass);
    },
    'changes',
    checkDeviceClass,
  ],
};

function checkDeviceClass(object: Place): void {
  const spec = at(object, 'spec');
  checkSelectors(at(spec, 'selectors'));
  checkItems(at(spec, 'config'), 32, checkConfiguration);
  const name = at(spec, 'extendedResourceName');
  if (isSet(name) && !isExtendedResourceName(object.server, textOf(name)))
    addInvalid(
      name,
      object.server.minor === 'v1.35' || object.server.since('v1.37')
        ? "a name must be a domain-prefixed path, such as 'example.com/my-prop'"
        : 'must be a valid extended resource name',
    );
}

/** DeviceClass. */
export const deviceClassKind: KindDefinition = {
  validation: deviceClassRules,
  gatedFields: [{ gates: ['DRAExtendedResource'], paths: ['spec.extendedResourceName'] }],
  hasGeneration: true,
  anyGenerateNameSince: 'v1.35',
  deletion: { returnsObject: true },
};
