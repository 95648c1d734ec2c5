import type { SubresourceRules } from '../../../apiserver/registry/kind-definition.js';
import type { FieldPath } from '../../../apiserver/registry/validation/field-path.js';
import { internalValue } from '../../../apiserver/registry/validation/go-value.js';
import type { KindRules } from '../../../apiserver/registry/validation/kind-rules.js';
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
    ...(node.text('spec', 'externalID') === '' ? [] : ['spec.externalID: this field is deprecated, and is unused by Kubernetes']),
    ...node.items('spec', 'podCIDRs').flatMap(networkWarnings),
  ],
};

function checkNode(node: FieldPath): void {
  checkTaints(node.child('spec', 'taints').shownAt('metadata.taints'));
  checkNodeStatus(node);
  checkPodCidrs(node.child('spec', 'podCIDRs'));
}

/** Validates pod CIDRs: one, or one of each family. */
function checkPodCidrs(cidrs: FieldPath): void {
  for (const cidr of cidrs.items()) checkCidr(cidr);
  const texts = cidrs.texts();
  if (texts.length < 2) return;
  const wrong = texts.findIndex(text => cidrProblems(cidrs.server, text).length > 0);
  if (wrong >= 0) {
    const why = `invalid CIDR[${wrong}]: <nil> (invalid CIDR address: ${texts[wrong]})`;
    cidrs.errors.push(internalFieldError(cidrs.path, `invalid PodCIDRs. failed to check with dual stack with error:${why}`));
  }
  const families = new Set(texts.map(text => text.includes(':')));
  if (wrong >= 0 || families.size < 2 || texts.length > 2) cidrs.invalid('may specify no more than one CIDR for each IP family');
}

function checkTaints(taints: FieldPath): void {
  const seen = new Set<string>();
  for (const taint of taints.items()) {
    checkLabelName(taint.child('key'));
    const problems = labelValueProblems(taints.server, taint.text('value'));
    if (problems.length > 0) taint.child('value').invalid(problems.join(';'));
    const effect = taint.child('effect');
    if (effect.text() === '') effect.required();
    else if (!taintEffects.includes(effect.text())) effect.notSupported(taintEffects);
    const key = `${effect.text()} ${taint.text('key')}`;
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

function checkNodeStatus(node: FieldPath): void {
  for (const list of ['capacity', 'allocatable'])
    for (const [name, field] of node.entries('status', list)) checkResourceAmount(field.shownAt(`status.${list}.${name}`), name);
  checkFeatures(node.items('status', 'declaredFeatures'));
}

/** Features are sorted and unique. Source: core/validation validateNodeDeclaredFeatures. */
function checkFeatures(features: readonly FieldPath[]): void {
  for (const [index, feature] of features.entries()) {
    checkName(feature, featureProblems);
    const next = features[index + 1];
    if (next === undefined) continue;
    const order = compareKeys(feature.text(), next.text());
    if (order === 0) next.duplicate();
    else if (order > 0) next.invalid('list must be sorted alphabetically');
  }
}

/**
 * Validates node changes: assigned values are immutable; the status is part of every update. Source: core/validation ValidateNodeUpdate.
 */
function checkNodeChange(node: FieldPath, old: FieldPath): void {
  checkNodeStatus(node);
  const seen = new Set<string>();
  for (const address of node.items('status', 'addresses')) {
    const text = JSON.stringify([address.text('type'), address.text('address')]);
    if (seen.has(text)) address.duplicate(internalValue(node.server, 'core/v1.NodeAddress', address.value));
    seen.add(text);
  }
  const cidrs = node.child('spec', 'podCIDRs');
  const [now, before] = [cidrs.texts(), old.child('spec', 'podCIDRs').texts()];
  const messageOn = (what: string): string => `node updates may not change ${what} except from "" to valid`;
  if (before.length > 0) {
    const changed = now.length === before.length ? before.filter((cidr, index) => cidr !== now[index]).length : 1;
    for (let i = 0; i < changed; i += 1) cidrs.forbidden(messageOn('podCIDR'));
  }
  const provider = node.child('spec', 'providerID');
  const given = old.text('spec', 'providerID');
  if (given !== '' && given !== provider.text()) {
    if (provider.server.since('v1.37'))
      provider.invalid(null, `field cannot be ${provider.text() === '' ? 'cleared' : 'modified'} once set`);
    else provider.forbidden(messageOn('providerID'));
  }
  checkTaints(node.child('spec', 'taints').shownAt('metadata.taints'));
  const external = node.child('spec', 'externalID');
  if (external.text() !== old.text('spec', 'externalID')) external.forbidden('may not be updated');
}

function featureProblems(name: string): string[] {
  if (Buffer.byteLength(name) > 253) return [`invalid feature name ${quote(name)}: must be no more than 253 characters`];
  if (/^([A-Z][a-zA-Z0-9]*)(\/[a-zA-Z0-9]+)*$/.test(name)) return [];
  return [
    `invalid feature name ${quote(name)}: must start with an UpperCamelCase segment, with subsequent segments separated by '/' (e.g., MyFeature or MyFeature/mySubFeature), and contain only alphanumeric characters and slashes`,
  ];
}
