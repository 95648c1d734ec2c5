import { forbiddenMessage } from '../../../apiserver/authorization/forbidden-message.js';
import { sanitized } from '../../../apiserver/filters/plain-text-error.js';
import { semanticallyEqual } from '../../../apiserver/objects/semantic-equality.js';
import type { StrategyContext } from '../../../apiserver/registry/strategy.js';
import type { AuthorizerQuestion } from '../../../cel/library/authorizer.js';
import { writeValue } from '../../../go/json/write.js';
import { isMap, listAt, stringAt, type Value, type ValueMap, valueAt } from '../../../go/value.js';
import { type FieldError, forbiddenField } from '../../../kubernetes/field-error.js';
import { forbidden } from '../../../kubernetes/status-errors.js';

/** What a user may do with all claims, or with the devices of one driver. */
interface Asked {
  readonly verb: string;
  readonly subresource: 'binding' | 'driver';
  readonly namespace: string;
  readonly name: string;
}

/** Returns the errors of a user who may not write the parts of a claim's status that change. Source: kubernetes pkg/registry/resource/utils.go. */
export function statusPermissionErrors(claim: ValueMap, old: ValueMap, context: StrategyContext): FieldError[] {
  if (!context.server.isEnabled('DRAResourceClaimGranularStatusAuthorization')) return [];
  const hasDevices = context.server.isEnabled('DRAResourceClaimDeviceStatus') && valueAt(claim, 'status', 'allocation') !== undefined;
  return [...bindingErrors(claim, old, context), ...(hasDevices ? deviceErrors(claim, old, context) : [])];
}

/** Source: AuthorizedForBinding. */
function bindingErrors(claim: ValueMap, old: ValueMap, context: StrategyContext): FieldError[] {
  const bound = (object: ValueMap): [string, Value][] =>
    ['allocation', 'reservedFor'].flatMap((name): [string, Value][] => {
      const value = valueAt(object, 'status', name);
      return value === undefined ? [] : [[name, value]];
    });
  if (isSameStatus(bound(claim), bound(old), context)) return [];
  const refused = refusal({ verb: context.verb, subresource: 'binding', namespace: '', name: '' }, context);
  if (refused === undefined) return [];
  const needed = `requires resource="resourceclaims/binding", verb="${context.verb}" permission`;
  return [forbiddenField('status.allocation', `changing status.allocation or status.reservedFor ${needed}: ${refused}`)];
}

/** Source: AuthorizedForDeviceStatus. */
function deviceErrors(claim: ValueMap, old: ValueMap, context: StrategyContext): FieldError[] {
  const isOfNode = isAccountOfNode(nodeOfAllocation(claim), context);
  const verbs = [...(isOfNode ? ['associated-node:'] : []), 'arbitrary-node:'].map(prefix => `${prefix}${context.verb}`);
  const namespace = stringAt(claim, 'metadata', 'namespace');
  return changedDrivers(claim, old, context).flatMap(name => {
    const refusals = verbs.map(verb => refusal({ verb, subresource: 'driver', namespace, name }, context));
    if (refusals.includes(undefined)) return [];
    const needed = `requires resource="resourceclaims/driver", verb="[${verbs.join(' ')}]" permission`;
    return [forbiddenField('status.devices', `changing status.devices ${needed}: ${refusals[0]}`)];
  });
}

/** Returns the drivers with devices that are added, removed or changed, sorted. Source: getModifiedDrivers. */
function changedDrivers(claim: ValueMap, old: ValueMap, context: StrategyContext): string[] {
  const keyOf = (device: Value): string => ['driver', 'pool', 'device', 'shareID'].map(name => stringAt(device, name)).join('/');
  const devicesOf = (object: ValueMap) => new Map(listAt(object, 'status', 'devices').map(device => [keyOf(device), device]));
  const [devices, before] = [devicesOf(claim), devicesOf(old)];
  const changed = [...devices].filter(([key, device]) => {
    const known = before.get(key);
    return known === undefined || !isSameDevice(device, known, context);
  });
  const removed = [...before].filter(([key]) => !devices.has(key));
  return [...new Set([...changed, ...removed].map(([, device]) => stringAt(device, 'driver')))].sort();
}

/** Compares the driver's own data as JSON: the text may be formatted differently. */
function isSameDevice(device: Value, known: Value, context: StrategyContext): boolean {
  const dataOf = (each: Value): string => JSON.stringify(JSON.parse(writeValue(valueAt(each, 'data') ?? null, 'kept')));
  const others = (each: Value): Value => new Map([...(isMap(each) ? each : [])].filter(([name]) => name !== 'data'));
  return dataOf(device) === dataOf(known) && isSameStatus([['devices', [others(device)]]], [['devices', [others(known)]]], context);
}

function isSameStatus(a: readonly [string, Value][], b: readonly [string, Value][], { server }: StrategyContext): boolean {
  const claimOf = (status: readonly [string, Value][]): ValueMap => new Map([['status', new Map(status)]]);
  const kind = { group: 'resource.k8s.io', version: 'v1', kind: 'ResourceClaim' };
  return semanticallyEqual(server, claimOf(a), claimOf(b), { kind });
}

/** Returns the error of the user who may not do this; undefined if it is allowed. */
function refusal(asked: Asked, { authorizer, user }: StrategyContext): string | undefined {
  const target = { group: 'resource.k8s.io', resource: 'resourceclaims' };
  const question: AuthorizerQuestion = { ...asked, ...target, user, fieldSelector: '', labelSelector: '' };
  const { allowed, reason, error } = authorizer().authorize(question);
  if (allowed) return undefined;
  const why = error === undefined ? reason : [error, ...(reason === '' ? [] : [reason])].join(': ');
  const message = `${sanitized(forbiddenMessage(question))}${why === '' ? '' : `: ${why}`}`;
  return forbidden(target, asked.name, message).status.message;
}

/** Returns the only node that a claim's allocation selects by name; empty for others. Source: nodeNameFromAllocation. */
function nodeOfAllocation(claim: ValueMap): string {
  const terms = listAt(claim, 'status', 'allocation', 'nodeSelector', 'nodeSelectorTerms');
  const fields = listAt(terms[0], 'matchFields');
  const values = listAt(fields[0], 'values');
  const isOne = terms.length === 1 && listAt(terms[0], 'matchExpressions').length === 0 && fields.length === 1 && values.length === 1;
  return isOne && stringAt(fields[0], 'key') === 'metadata.name' && stringAt(fields[0], 'operator') === 'In' ? String(values[0]) : '';
}

/** Source: saAssociatedWithAllocatedNode. */
function isAccountOfNode(node: string, { user }: StrategyContext): boolean {
  const isAccount = /^system:serviceaccount:[^:]+:[^:]+$/.test(user.username);
  const nodes = user.extra.get('authentication.kubernetes.io/node-name') ?? [];
  return node !== '' && isAccount && nodes.length === 1 && nodes[0] === node;
}
