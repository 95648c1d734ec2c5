import type { KindDefinition } from '../../../apiserver/registry/kind-definition.js';
import type { KindRules } from '../../../apiserver/registry/validation/kind-rules.js';
import type { Place } from '../../../apiserver/registry/validation/place.js';
import { addInvalid, at, isSet, textOf } from '../../../apiserver/registry/validation/place.js';
import { labelKeyProblems } from '../../../kubernetes/name-rules.js';
import { isExtendedResourceName } from '../../core/pod/validation/container-resources.js';
import { checkConfiguration, checkSelectors } from '../claimed-devices.js';
import { checkItems } from '../device-names.js';

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
  if (isSet(name)) checkExtendedResourceName(name);
}

/** Source: resource ValidateDeviceClass; in v1.35 and since v1.37 apimachinery validate.ExtendedResourceName. */
function checkExtendedResourceName(name: Place): void {
  const { server } = name;
  const text = textOf(name);
  if (server.minor !== 'v1.35' && !server.since('v1.37')) {
    if (!isExtendedResourceName(server, text)) addInvalid(name, 'must be a valid extended resource name');
    return;
  }
  if (!text.includes('/')) addInvalid(name, "a name must be a domain-prefixed path, such as 'example.com/my-prop'");
  else if (text.includes('kubernetes.io/')) addInvalid(name, 'must not have "kubernetes.io/" domain');
  if (text.startsWith('requests.')) addInvalid(name, 'must not have "requests." prefix');
  for (const problem of labelKeyProblems(server, `requests.${text}`)) addInvalid(name, problem);
}

/** DeviceClass. */
export const deviceClassKind: KindDefinition = {
  validation: deviceClassRules,
  gatedFields: [{ gates: ['DRAExtendedResource'], paths: ['spec.extendedResourceName'] }],
  hasGeneration: true,
  anyGenerateNameSince: 'v1.35',
  deletion: { returnsObject: true },
};
