import type { FieldPath } from '../../../../apiserver/registry/validation/field-path.js';
import { checkLabelName, checkLabelSelector, checkName } from '../../../../apiserver/registry/validation/rules.js';
import { dns1123LabelProblems, dns1123SubdomainProblems, labelKeyProblems, labelValueProblems } from '../../../../kubernetes/name-rules.js';

/** Validates affinities. Source: validateAffinity. */
export function checkAffinity(affinity: FieldPath): void {
  const nodes = affinity.child('nodeAffinity');
  if (nodes.child(required).isSet()) checkNodeSelector(nodes.child(required));
  for (const term of nodes.items(preferred)) {
    checkWeight(term.child('weight'));
    checkTerm(term.child('preference'), true);
  }
  for (const kind of ['podAffinity', 'podAntiAffinity']) {
    for (const term of affinity.items(kind, required)) checkPodTerm(term);
    for (const term of affinity.items(kind, preferred)) {
      checkWeight(term.child('weight'));
      checkPodTerm(term.child('podAffinityTerm'));
    }
  }
}

const required = 'requiredDuringSchedulingIgnoredDuringExecution';
const preferred = 'preferredDuringSchedulingIgnoredDuringExecution';

function checkWeight(weight: FieldPath): void {
  if (weight.number() <= 0n || weight.number() > 100n) weight.invalid(weight.number(), 'must be in the range 1-100');
}

/** Source: ValidateNodeSelector. */
export function checkNodeSelector(selector: FieldPath): void {
  const terms = selector.child('nodeSelectorTerms');
  if (terms.length() === 0) terms.required('must have at least one node selector term');
  for (const term of terms.items()) checkTerm(term, false);
}

function checkTerm(term: FieldPath, anyValue: boolean): void {
  for (const requirement of term.items('matchExpressions')) checkRequirement(requirement, anyValue);
  for (const requirement of term.items('matchFields')) checkFieldRequirement(requirement);
}

function checkRequirement(requirement: FieldPath, anyValue: boolean): void {
  const [operator, values] = [requirement.child('operator'), requirement.child('values')];
  const word = operator.text();
  const count = values.length();
  if (word === 'In' || word === 'NotIn') {
    if (count === 0) values.required("must be specified when `operator` is 'In' or 'NotIn'");
  } else if (word === 'Exists' || word === 'DoesNotExist') {
    if (count > 0) values.forbidden("may not be specified when `operator` is 'Exists' or 'DoesNotExist'");
  } else if (word === 'Gt' || word === 'Lt') {
    if (count !== 1) values.required("must be specified single value when `operator` is 'Lt' or 'Gt'");
  } else operator.invalidName('not a valid selector operator');
  checkLabelName(requirement.child('key'));
  if (!anyValue) for (const value of values.items()) checkName(value, text => labelValueProblems(requirement.server, text));
}

function checkFieldRequirement(requirement: FieldPath): void {
  const [operator, values, key] = [requirement.child('operator'), requirement.child('values'), requirement.child('key')];
  if (operator.text() !== 'In' && operator.text() !== 'NotIn') operator.invalidName('not a valid selector operator');
  else if (values.length() !== 1) values.required("must be only one value when `operator` is 'In' or 'NotIn' for node field selector");
  if (key.text() !== 'metadata.name') key.invalid('not a valid field selector key');
  else for (const value of values.items()) checkName(value, dns1123SubdomainProblems);
}

function checkPodTerm(term: FieldPath): void {
  checkLabelSelector(term.child('labelSelector'));
  checkLabelSelector(term.child('namespaceSelector'));
  for (const name of term.child('namespaces').texts()) term.child('namespace').invalidEach(name, dns1123LabelProblems(name));
  checkMatchLabelKeys(term);
  const key = term.child('topologyKey');
  if (key.text() === '') key.required('can not be empty');
  key.invalidEach(key.text(), labelKeyProblems(term.server, key.text()));
}

/** Validates label keys whose values come from the pod itself. Source: ValidateMatchLabelKeysAndMismatchLabelKeys. */
export function checkMatchLabelKeys(term: FieldPath): void {
  const selector = term.child('labelSelector');
  const [match, mismatch] = [term.child('matchLabelKeys'), term.child('mismatchLabelKeys')];
  for (const keys of [match, mismatch]) {
    if (keys.length() === 0) continue;
    if (!selector.isSet()) keys.forbidden('must not be specified when labelSelector is not set');
    else for (const key of keys.items()) checkLabelName(key);
  }
  const known = new Set(selector.child('matchLabels').members().keys());
  for (const expression of selector.items('matchExpressions')) {
    const key = expression.text('key');
    const index = match.texts().lastIndexOf(key);
    if (index >= 0 && known.has(key)) term.index(index).invalid(key, 'exists in both matchLabelKeys and labelSelector');
    known.add(key);
  }
  const others = new Set(mismatch.texts());
  for (const key of match.items()) if (others.has(key.text())) key.invalid('exists in both matchLabelKeys and mismatchLabelKeys');
}
