import type { Effects } from '../../../kubernetes/effects.js';
import { type FieldError, invalidValue } from '../../../kubernetes/field-error.js';
import { isMap, listAt, stringAt, type ValueMap, valueAt } from '../../../kubernetes/value.js';
import type { StrategyContext } from '../strategy.js';

const firstNodePort = 30000;
const lastNodePort = 32767;

/** A free address of the service range 10.0.0.0/16. */
export function randomServiceIp({ random }: Effects): string {
  const offset = 257 + Math.floor(random() * (65534 - 257));
  return `10.0.${offset >> 8}.${offset & 255}`;
}

/** Why a requested address cannot be had; undefined when it can. */
export function serviceIpProblem(address: string, _dryRun: boolean): string | undefined {
  if (/^10\.0\.\d{1,3}\.\d{1,3}$/.test(address)) return undefined;
  return `failed to allocate IP ${address}: the provided network does not match the current range`;
}

/** Gives every port a node port; ports with one number share it. Dry runs get numbers outside the range. */
export function allocateNodePorts(spec: ValueMap, context: StrategyContext): FieldError[] {
  const errors: FieldError[] = [];
  const byPort = new Map<unknown, bigint>();
  let dryRunPort = 32769n;
  for (const [i, port] of listAt(spec, 'ports').entries()) {
    if (!isMap(port)) continue;
    const asked = valueAt(port, 'nodePort');
    if (typeof asked === 'bigint' && asked !== 0n) {
      if (!context.dryRun && (asked < firstNodePort || asked > lastNodePort)) {
        errors.push(
          invalidValue(
            `spec.ports[${i}].nodePort`,
            asked,
            `provided port is not in the valid range. The range of valid ports is ${firstNodePort}-${lastNodePort}`,
          ),
        );
      } else if (!context.dryRun && isTaken(asked, context)) {
        errors.push(invalidValue(`spec.ports[${i}].nodePort`, asked, 'provided port is already allocated'));
      }
      byPort.set(valueAt(port, 'port'), asked);
      continue;
    }
    const shared = byPort.get(valueAt(port, 'port'));
    const fresh = context.dryRun
      ? dryRunPort++
      : BigInt(firstNodePort + Math.floor(context.effects.random() * (lastNodePort - firstNodePort + 1)));
    port.set('nodePort', shared ?? fresh);
    byPort.set(valueAt(port, 'port'), shared ?? fresh);
  }
  const needsCheck = stringAt(spec, 'type') === 'LoadBalancer' && stringAt(spec, 'externalTrafficPolicy') === 'Local';
  if (needsCheck && spec.get('healthCheckNodePort') === undefined) {
    spec.set('healthCheckNodePort', BigInt(firstNodePort + Math.floor(context.effects.random() * (lastNodePort - firstNodePort + 1))));
  }
  return errors;
}

function isTaken(nodePort: bigint, { storage }: StrategyContext): boolean {
  return storage.list({ group: '', kind: 'Service' }).some(s => listAt(s, 'spec', 'ports').some(p => valueAt(p, 'nodePort') === nodePort));
}
