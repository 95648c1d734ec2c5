import { listAt, stringAt, type ValueMap } from '../../../go/value.js';
import { unknownError } from '../../../kubernetes/status-errors.js';

/** Default of `--kubelet-preferred-address-types`. */
const preferredTypes = ['Hostname', 'InternalDNS', 'InternalIP', 'ExternalDNS', 'ExternalIP'];

/** Returns the address at which the API server reaches a node; throws a 500 without one. Source: kubernetes pkg/util/node GetPreferredNodeAddress. */
export function preferredAddress(node: ValueMap): string {
  const known = listAt(node, 'status', 'addresses').map(each => ({ type: stringAt(each, 'type'), address: stringAt(each, 'address') }));
  const found = preferredTypes.map(type => known.find(each => each.type === type)).find(each => each !== undefined);
  if (found !== undefined) return found.address;
  throw unknownError(
    `no preferred addresses found; known addresses: [${known.map(({ type, address }) => `{${type} ${address}}`).join(' ')}]`,
  );
}
