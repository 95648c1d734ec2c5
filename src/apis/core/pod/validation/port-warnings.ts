import { itemsAt, numberAt, type Place, textAt } from '../../../../apiserver/registry/validation/place.js';
import { quote } from '../../../../go/quote.js';

/** Returns warnings about conflicting ports of a pod. Source: pkg/api/pod/warnings.go. */
export function portWarnings(containers: readonly Place[]): string[] {
  const ports = containers.flatMap(container => itemsAt(container, 'ports'));
  return [...ports.flatMap((port, index) => [...lonelyHostIp(port), ...clashes(port, ports.slice(0, index))]), ...sameNames(ports)];
}

function lonelyHostIp(port: Place): string[] {
  if (textAt(port, 'hostIP') === '' || numberAt(port, 'hostPort') !== 0n) return [];
  const printed = `{Name:${textAt(port, 'name')} HostPort:0 ContainerPort:${numberAt(port, 'containerPort')} Protocol:${textAt(port, 'protocol')} HostIP:${textAt(port, 'hostIP')}}`;
  return [`${port.path}: hostIP set without hostPort: ${printed}`];
}

function clashes(port: Place, before: readonly Place[]): string[] {
  const same = before.filter(
    other => numberAt(other, 'containerPort') === numberAt(port, 'containerPort') && textAt(other, 'protocol') === textAt(port, 'protocol'),
  );
  return same.flatMap(other => {
    const word = clashOf(port, other);
    return word === undefined ? [] : [`${port.path}: ${word} port definition with ${other.path}`];
  });
}

function clashOf(port: Place, other: Place): string | undefined {
  const [host, otherHost] = [numberAt(port, 'hostPort'), numberAt(other, 'hostPort')];
  const [ip, otherIp] = [textAt(port, 'hostIP'), textAt(other, 'hostIP')];
  if (ip === otherIp && host === otherHost) return 'duplicate';
  if (host === 0n || otherHost === 0n) return 'overlapping';
  return host === otherHost && (ip === '') !== (otherIp === '') ? 'dangerously ambiguous' : undefined;
}

function sameNames(ports: readonly Place[]): string[] {
  const first = new Map<string, string>();
  return ports.flatMap(port => {
    const name = textAt(port, 'name');
    const other = first.get(name);
    if (name !== '' && other === undefined) first.set(name, port.path);
    return name === '' || other === undefined
      ? []
      : [`${port.path}: duplicate port name ${quote(name)} with ${other}, services and probes that select ports by name will use ${other}`];
  });
}
