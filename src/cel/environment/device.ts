import type { ApiServer } from '../../kubernetes/api-server.js';
import { memoize } from '../../kubernetes/memoize.js';
import { fn, member } from '../check/declarations.js';
import { QUANTITY } from '../library/quantity.js';
import { bindingMacros } from '../syntax/extension-macros.js';
import { ANY, BOOL, DYN, mapType, STRING, structType, type Type } from '../values/type.js';
import { type Environment, kubernetesEnvironment } from './environment.js';

const device = structType('kubernetes.DRADevice');

/** Environment of device selectors, which are new expressions. Source: dynamic-resource-allocation cel/compile.go newCompiler. */
export const deviceEnvironment: (server: ApiServer) => Environment = memoize(server => {
  const hasLists = server.isEnabled('DRAListTypeAttributes');
  return kubernetesEnvironment(server, {
    use: 'new',
    variables: [{ name: 'device', type: device }],
    structs: [[device.name, { type: device, fields: new Map(Object.entries(fieldsOf(server, hasLists))) }]],
    macros: bindingMacros,
    functions: hasLists ? [fn('includes', member('dra_includes_dyn_dyn', [DYN, DYN], BOOL))] : [],
  });
});

/** Attributes and capacities are grouped by domain and name. */
function fieldsOf(server: ApiServer, hasLists: boolean): Readonly<Record<string, Type>> {
  return {
    driver: STRING,
    attributes: mapType(STRING, mapType(STRING, hasLists ? DYN : ANY)),
    capacity: mapType(STRING, mapType(STRING, QUANTITY)),
    ...(server.isEnabled('DRAConsumableCapacity') ? { allowMultipleAllocations: BOOL } : {}),
  };
}
