import type { KindDefinition } from '../../../apiserver/registry/kind-definition.js';
import type { FieldPath } from '../../../apiserver/registry/validation/field-path.js';
import type { KindRules } from '../../../apiserver/registry/validation/kind-rules.js';
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

function checkDeviceClass(object: FieldPath): void {
  const spec = object.child('spec');
  checkSelectors(spec.child('selectors'));
  checkItems(spec.child('config'), 32, checkConfiguration);
  const name = spec.child('extendedResourceName');
  if (name.isSet()) checkExtendedResourceName(name);
}

/** Source: resource ValidateDeviceClass; in v1.35 and since v1.37 apimachinery validate.ExtendedResourceName. */
function checkExtendedResourceName(name: FieldPath): void {
  const { server } = name;
  const text = name.text();
  if (server.minor !== 'v1.35' && !server.since('v1.37')) {
    if (!isExtendedResourceName(server, text)) name.invalid('must be a valid extended resource name');
    return;
  }
  if (!text.includes('/')) name.invalid("a name must be a domain-prefixed path, such as 'example.com/my-prop'");
  else if (text.includes('kubernetes.io/')) name.invalid('must not have "kubernetes.io/" domain');
  if (text.startsWith('requests.')) name.invalid('must not have "requests." prefix');
  for (const problem of labelKeyProblems(server, `requests.${text}`)) name.invalid(problem);
}

/** DeviceClass. */
export const deviceClassKind: KindDefinition = {
  validation: deviceClassRules,
  gatedFields: [{ gates: ['DRAExtendedResource'], paths: ['spec.extendedResourceName'] }],
  hasGeneration: true,
  anyGenerateNameSince: 'v1.35',
  deletion: { returnsObject: true },
};
