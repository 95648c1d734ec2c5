import { QUANTITY } from '../library/quantity.js';
import { bindingMacros } from '../syntax/extension-macros.js';
import { ANY, BOOL, mapType, STRING, structType } from '../values/type.js';
import { type Environment, kubernetesEnvironment } from './environment.js';

const device = structType('kubernetes.DRADevice');

/**
 * Environment of device selectors. Source: dynamic-resource-allocation cel/compile.go newCompiler, with the feature gates of version 1.36.
 */
export function deviceEnvironment(): Environment {
  known ??= kubernetesEnvironment({
    variables: [{ name: 'device', type: device }],
    structs: [[device.name, { type: device, fields: new Map(Object.entries(fields)) }]],
    macros: bindingMacros,
  });
  return known;
}

/** By domain and name. */
const fields = {
  driver: STRING,
  attributes: mapType(STRING, mapType(STRING, ANY)),
  capacity: mapType(STRING, mapType(STRING, QUANTITY)),
  allowMultipleAllocations: BOOL,
};

let known: Environment | undefined;
