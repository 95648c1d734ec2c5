import type { StrategyContext } from '../../../apiserver/registry/strategy.js';
import { isMap, listAt, numberAt, stringAt, type ValueMap } from '../../../go/value.js';
import { invalidValue } from '../../../kubernetes/field-error.js';
import { internalError, invalid, unknownError } from '../../../kubernetes/status-errors.js';

const firstNodePort = 30000n;
const lastNodePort = 32767n;

/** Ports that one write takes from the cluster's range. Source: core/service/portallocator operation.go. */
interface PortOperation {
  /** Takes a port; returns the reason when that is not possible, else undefined. */
  readonly take: (port: bigint) => string | undefined;
  /** Takes any free port; a dry run returns a number outside the range. */
  readonly takeNext: () => bigint;
}

/**
 * Allocates the node ports of a new service; ports with the same number share theirs. Throws a 422. Source: core/service/storage
 * initNodePorts.
 */
export function allocateNodePorts(service: ValueMap, context: StrategyContext): void {
  const spec = specOf(service);
  const operation = startOperation(context);
  const givesPorts = shouldAllocate(spec);
  const given = new Map<bigint, bigint>();
  const ports = usesNodePorts(spec) ? listAt(spec, 'ports').filter(isMap) : [];
  for (const [index, port] of ports.entries()) {
    const [number, asked] = [numberAt(port, 'port'), numberAt(port, 'nodePort')];
    if (asked === 0n && !givesPorts) continue;
    const shared = given.get(number);
    const wanted = shared === undefined ? requestedFor(number, ports) : asked;
    if (wanted !== 0n && wanted !== shared) takeFor(wanted, { service, index }, operation, context);
    const taken = wanted !== 0n ? wanted : (shared ?? operation.takeNext());
    port.set('nodePort', taken);
    if (shared === undefined) given.set(number, taken);
  }
  if (needsHealthCheckPort(spec)) takeHealthCheckPort(spec, operation);
}

/** Allocates the node ports of a changed service, which keeps its own. Source: core/service/storage updateNodePorts. */
export function updateNodePorts(service: ValueMap, old: ValueMap, context: StrategyContext): void {
  const [spec, before] = [specOf(service), specOf(old)];
  const operation = startOperation(context);
  const own = new Set(listAt(before, 'ports').map(port => numberAt(port, 'nodePort')));
  const seen = new Set<string>();
  const ports = usesNodePorts(spec) ? listAt(spec, 'ports').filter(isMap) : [];
  for (const [index, port] of ports.entries()) {
    const asked = numberAt(port, 'nodePort');
    if (asked === 0n && !shouldAllocate(spec)) continue;
    if (asked === 0n) port.set('nodePort', operation.takeNext());
    else if (!own.has(asked)) {
      takeFor(asked, { service, index }, operation, context);
      own.add(asked);
    }
    const shown = `{${stringAt(port, 'protocol')} ${numberAt(port, 'nodePort')}}`;
    if (seen.has(shown)) throw unknownError(`duplicate nodePort: ${shown}`);
    seen.add(shown);
  }
  if (needsHealthCheckPort(spec) && !needsHealthCheckPort(before)) takeHealthCheckPort(spec, operation);
}

/** Reports whether the type has node ports. */
export function usesNodePorts(spec: ValueMap): boolean {
  return ['NodePort', 'LoadBalancer'].includes(stringAt(spec, 'type'));
}

/** Reports whether the load balancer has a health check for local endpoints. */
export function needsHealthCheckPort(spec: ValueMap): boolean {
  return stringAt(spec, 'type') === 'LoadBalancer' && stringAt(spec, 'externalTrafficPolicy') === 'Local';
}

function specOf(service: ValueMap): ValueMap {
  const spec = service.get('spec');
  return isMap(spec) ? spec : new Map();
}

function shouldAllocate(spec: ValueMap): boolean {
  return stringAt(spec, 'type') === 'NodePort' || (usesNodePorts(spec) && spec.get('allocateLoadBalancerNodePorts') !== false);
}

function requestedFor(number: bigint, ports: readonly ValueMap[]): bigint {
  const port = ports.find(p => numberAt(p, 'port') === number && numberAt(p, 'nodePort') !== 0n);
  return numberAt(port, 'nodePort');
}

function takeFor(
  nodePort: bigint,
  { service, index }: { readonly service: ValueMap; readonly index: number },
  operation: PortOperation,
  { resource }: StrategyContext,
): void {
  const problem = operation.take(nodePort);
  if (problem === undefined) return;
  const error = invalidValue(`spec.ports[${index}].nodePort`, nodePort, problem);
  throw invalid(resource.kind, stringAt(service, 'metadata', 'name'), [error]);
}

function takeHealthCheckPort(spec: ValueMap, operation: PortOperation): void {
  const asked = numberAt(spec, 'healthCheckNodePort');
  if (asked === 0n) {
    spec.set('healthCheckNodePort', operation.takeNext());
    return;
  }
  const problem = operation.take(asked);
  if (problem !== undefined) throw internalError(`failed to allocate requested HealthCheck NodePort ${asked}: ${problem}`);
}

function startOperation(context: StrategyContext): PortOperation {
  const taken: bigint[] = [];
  const isTaken = (port: bigint): boolean => taken.includes(port) || isAllocated(port, context);
  let highest = 0n;
  const remember = (port: bigint): bigint => {
    taken.push(port);
    if (port > highest) highest = port;
    return port;
  };
  return {
    take: port => {
      if (!context.dryRun && (port < firstNodePort || port > lastNodePort))
        return `provided port is not in the valid range. The range of valid ports is ${firstNodePort}-${lastNodePort}`;
      if (isTaken(port)) return 'provided port is already allocated';
      remember(port);
      return undefined;
    },
    takeNext: () => {
      if (context.dryRun) return remember((taken.length === 0 ? 32_768n : highest) + 1n);
      const random = (): bigint => firstNodePort + BigInt(Math.floor(context.effects.random() * Number(lastNodePort - firstNodePort + 1n)));
      let port = random();
      while (isTaken(port)) port = random();
      return remember(port);
    },
  };
}

function isAllocated(port: bigint, { storage }: StrategyContext): boolean {
  const services = storage.list({ group: '', kind: 'Service' });
  return services.some(
    s => numberAt(s, 'spec', 'healthCheckNodePort') === port || listAt(s, 'spec', 'ports').some(p => numberAt(p, 'nodePort') === port),
  );
}
