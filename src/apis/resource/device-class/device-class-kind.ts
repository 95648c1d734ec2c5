import type { KindDefinition } from '../../../apiserver/registry/kind-definition.js';
import { deviceClassRules } from './device-class-validation.js';

/** DeviceClass. */
export const deviceClassKind: KindDefinition = {
  validation: deviceClassRules,
  gatedFields: [{ gates: ['DRAExtendedResource'], paths: ['spec.extendedResourceName'] }],
  hasGeneration: true,
  anyGenerateNameSince: 'v1.35',
  deletion: { returnsObject: true },
};
