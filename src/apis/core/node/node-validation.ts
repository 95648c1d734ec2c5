import type { SubresourceRules } from '../../../apiserver/registry/kind-definition.js';
import { internalValue } from '../../../apiserver/registry/validation/go-value.js';
import type { KindRules } from '../../../apiserver/registry/validation/kind-rules.js';
import {
  addDuplicate,
  addForbidden,
  addInvalid,
  addRequired,
  addUnsupported,
  at,
  entriesAt,
  indexed,
  itemsAt,
  type Place,
  textAt,
  textOf,
  textsOf,
} from '../../../apiserver/registry/validation/place.js';
import { checkLabelName, checkName } from '../../../apiserver/registry/validation/rules.js';
import { compareKeys } from '../../../go/key-order.js';
import { quote } from '../../../go/quote.js';
import { internalFieldError } from '../../../kubernetes/field-error.js';
import { cidrProblems } from '../../../kubernetes/ip-rules.js';
import { labelValueProblems } from '../../../kubernetes/name-rules.js';
import { checkCidr } from '../endpoints/endpoint-address.js';
import { networkWarnings } from '../pod/validation/address-warnings.js';
import { checkResourceAmount } from '../pod/validation/container-resources.js';
import { taintEffects } from '../pod/validation/scheduling.js';

/** Source: core/validation ValidateNodeUpdate. */
export const nodeStatusRules: SubresourceRules = { update: ['changes', checkNodeChange] };

/** Source: core/validation ValidateNode. */
export const nodeRules: KindRules = {
  create: checkNode,
  update: ['metadata', checkNode, ...nodeStatusRules.update],
  warnings: node => [
    ...(textAt(node, 'spec', 'externalID') === '' ? [] : ['spec.externalID: this field is deprecated, and is unused by Kubernetes']),
    ...itemsAt(node, 'spec', 'podCIDRs').flatMap(networkWarnings),
  ],
};

function checkNode(node: Place): void {
  checkTaints({ ...at(node, 'spec', 'taints'), path: 'metadata.taints' });
  checkNodeStatus(node);
  checkPodCidrs(at(node, 'spec', 'podCIDRs'));
}

/** Validates pod CIDRs: one, or one of each family. */
function checkPodCidrs(cidrs: Place): void {
  for (const cidr of indexed(cidrs)) checkCidr(cidr);
  const texts = textsOf(cidrs);
  if (texts.length < 2) return;
  const wrong = texts.findIndex(text => cidrProblems(cidrs.server, text).length > 0);
  if (wrong >= 0) {
    const why = `invalid CIDR[${wrong}]: <nil> (invalid CIDR address: ${texts[wrong]})`;
    cidrs.errors.push(internalFieldError(cidrs.path, `invalid PodCIDRs. failed to check with dual stack with error:${why}`));
  }
  const families = new Set(texts.map(text => text.includes(':')));
  if (wrong >= 0 || families.size < 2 || texts.length > 2) addInvalid(cidrs, 'may specify no more than one CIDR for each IP family');
}

function checkTaints(taints: Place): void {
  const seen = new Set<string>();
  for (const taint of indexed(taints)) {
    checkLabelName(at(taint, 'key'));
    const problems = labelValueProblems(taints.server, textAt(taint, 'value'));
    if (problems.length > 0) addInvalid(at(taint, 'value'), problems.join(';'));
    const effect = at(taint, 'effect');
    if (textOf(effect) === '') addRequired(effect);
    else if (!taintEffects.includes(textOf(effect))) addUnsupported(effect, taintEffects);
    const key = `${textOf(effect)} ${textAt(taint, 'key')}`;
    if (seen.has(key))
      taint.errors.push({
        type: 'FieldValueDuplicate',
        field: taint.path,
        badValue: internalValue(taints.server, 'core/v1.Taint', taint.value),
        detail: 'taints must be unique by key and effect pair',
      });
    seen.add(key);
  }
}

function checkNodeStatus(node: Place): void {
  for (const list of ['capacity', 'allocatable'])
    for (const [name, place] of entriesAt(node, 'status', list)) checkResourceAmount({ ...place, path: `status.${list}.${name}` }, name);
  checkFeatures(itemsAt(node, 'status', 'declaredFeatures'));
}

/** Features are sorted and unique. Source: core/validation validateNodeDeclaredFeatures. */
function checkFeatures(features: readonly Place[]): void {
  for (const [index, feature] of features.entries()) {
    checkName(feature, featureProblems);
    const next = features[index + 1];
    if (next === undefined) continue;
    const order = compareKeys(textOf(feature), textOf(next));
    if (order === 0) addDuplicate(next);
    else if (order > 0) addInvalid(next, 'list must be sorted alphabetically');
  }
}

/**
 * Validates node changes: assigned values are immutable; the status is part of every update. Source: core/validation ValidateNodeUpdate.
 */
function checkNodeChange(node: Place, old: Place): void {
  checkNodeStatus(node);
  const seen = new Set<string>();
  for (const address of itemsAt(node, 'status', 'addresses')) {
    const text = JSON.stringify([textAt(address, 'type'), textAt(address, 'address')]);
    if (seen.has(text)) addDuplicate(address, internalValue(node.server, 'core/v1.NodeAddress', address.value));
    seen.add(text);
  }
  const cidrs = at(node, 'spec', 'podCIDRs');
  const [now, before] = [textsOf(cidrs), textsOf(at(old, 'spec', 'podCIDRs'))];
  const messageOn = (what: string): string => `node updates may not change ${what} except from "" to valid`;
  if (before.length > 0) {
    const changed = now.length === before.length ? before.filter((cidr, index) => cidr !== now[index]).length : 1;
    for (let i = 0; i < changed; i += 1) addForbidden(cidrs, messageOn('podCIDR'));
  }
  const provider = at(node, 'spec', 'providerID');
  const given = textAt(old, 'spec', 'providerID');
  if (given !== '' && given !== textOf(provider)) {
    if (provider.server.since('v1.37'))
      addInvalid(provider, `field cannot be ${textOf(provider) === '' ? 'cleared' : 'modified'} once set`, null);
    else addForbidden(provider, messageOn('providerID'));
  }
  checkTaints({ ...at(node, 'spec', 'taints'), path: 'metadata.taints' });
  const external = at(node, 'spec', 'externalID');
  if (textOf(external) !== textAt(old, 'spec', 'externalID')) addForbidden(external, 'may not be updated');
}

function featureProblems(name: string): string[] {
  if (Buffer.byteLength(name) > 253) return [`invalid feature name ${quote(name)}: must be no more than 253 characters`];
  if (/^([A-Z][a-zA-Z0-9]*)(\/[a-zA-Z0-9]+)*$/.test(name)) return [];
  return [
    `invalid feature name ${quote(name)}: must start with an UpperCamelCase segment, with subsequent segments separated by '/' (e.g., MyFeature or MyFeature/mySubFeature), and contain only alphanumeric characters and slashes`,
  ];
}
