import {
  addForbidden,
  addInvalid,
  addInvalidName,
  addProblems,
  addRequired,
  at,
  indexed,
  isSet,
  itemsAt,
  lengthOf,
  mapOf,
  numberOf,
  type Place,
  textAt,
  textOf,
  textsOf,
} from '../../../../apiserver/registry/validation/place.js';
import { checkLabelName, checkLabelSelector, checkName } from '../../../../apiserver/registry/validation/rules.js';
import { dns1123LabelProblems, dns1123SubdomainProblems, labelKeyProblems, labelValueProblems } from '../../../../kubernetes/name-rules.js';

/** Validates affinities. Source: validateAffinity. */
export function checkAffinity(affinity: Place): void {
  const nodes = at(affinity, 'nodeAffinity');
  if (isSet(at(nodes, required))) checkNodeSelector(at(nodes, required));
  for (const term of itemsAt(nodes, preferred)) {
    checkWeight(at(term, 'weight'));
    checkTerm(at(term, 'preference'), true);
  }
  for (const kind of ['podAffinity', 'podAntiAffinity']) {
    for (const term of itemsAt(affinity, kind, required)) checkPodTerm(term);
    for (const term of itemsAt(affinity, kind, preferred)) {
      checkWeight(at(term, 'weight'));
      checkPodTerm(at(term, 'podAffinityTerm'));
    }
  }
}

const required = 'requiredDuringSchedulingIgnoredDuringExecution';
const preferred = 'preferredDuringSchedulingIgnoredDuringExecution';

function checkWeight(weight: Place): void {
  if (numberOf(weight) <= 0n || numberOf(weight) > 100n) addInvalid(weight, 'must be in the range 1-100', numberOf(weight));
}

/** Source: ValidateNodeSelector. */
export function checkNodeSelector(selector: Place): void {
  const terms = at(selector, 'nodeSelectorTerms');
  if (lengthOf(terms) === 0) addRequired(terms, 'must have at least one node selector term');
  for (const term of indexed(terms)) checkTerm(term, false);
}

function checkTerm(term: Place, anyValue: boolean): void {
  for (const requirement of itemsAt(term, 'matchExpressions')) checkRequirement(requirement, anyValue);
  for (const requirement of itemsAt(term, 'matchFields')) checkFieldRequirement(requirement);
}

function checkRequirement(requirement: Place, anyValue: boolean): void {
  const [operator, values] = [at(requirement, 'operator'), at(requirement, 'values')];
  const word = textOf(operator);
  const count = lengthOf(values);
  if (word === 'In' || word === 'NotIn') {
    if (count === 0) addRequired(values, "must be specified when `operator` is 'In' or 'NotIn'");
  } else if (word === 'Exists' || word === 'DoesNotExist') {
    if (count > 0) addForbidden(values, "may not be specified when `operator` is 'Exists' or 'DoesNotExist'");
  } else if (word === 'Gt' || word === 'Lt') {
    if (count !== 1) addRequired(values, "must be specified single value when `operator` is 'Lt' or 'Gt'");
  } else addInvalidName(operator, 'not a valid selector operator');
  checkLabelName(at(requirement, 'key'));
  if (!anyValue) for (const value of indexed(values)) checkName(value, text => labelValueProblems(requirement.server, text));
}

function checkFieldRequirement(requirement: Place): void {
  const [operator, values, key] = [at(requirement, 'operator'), at(requirement, 'values'), at(requirement, 'key')];
  if (textOf(operator) !== 'In' && textOf(operator) !== 'NotIn') addInvalidName(operator, 'not a valid selector operator');
  else if (lengthOf(values) !== 1) addRequired(values, "must be only one value when `operator` is 'In' or 'NotIn' for node field selector");
  if (textOf(key) !== 'metadata.name') addInvalid(key, 'not a valid field selector key');
  else for (const value of indexed(values)) checkName(value, dns1123SubdomainProblems);
}

function checkPodTerm(term: Place): void {
  checkLabelSelector(at(term, 'labelSelector'));
  checkLabelSelector(at(term, 'namespaceSelector'));
  for (const name of textsOf(at(term, 'namespaces')))
    addProblems({ ...term, path: `${term.path}.namespace` }, dns1123LabelProblems(name), name);
  checkMatchLabelKeys(term);
  const key = at(term, 'topologyKey');
  if (textOf(key) === '') addRequired(key, 'can not be empty');
  addProblems(key, labelKeyProblems(term.server, textOf(key)), textOf(key));
}

/** Validates label keys whose values come from the pod itself. Source: ValidateMatchLabelKeysAndMismatchLabelKeys. */
export function checkMatchLabelKeys(term: Place): void {
  const selector = at(term, 'labelSelector');
  const [match, mismatch] = [at(term, 'matchLabelKeys'), at(term, 'mismatchLabelKeys')];
  for (const keys of [match, mismatch]) {
    if (lengthOf(keys) === 0) continue;
    if (!isSet(selector)) addForbidden(keys, 'must not be specified when labelSelector is not set');
    else for (const key of indexed(keys)) checkLabelName(key);
  }
  const known = new Set(mapOf(at(selector, 'matchLabels')).keys());
  for (const expression of itemsAt(selector, 'matchExpressions')) {
    const key = textAt(expression, 'key');
    const index = textsOf(match).lastIndexOf(key);
    if (index >= 0 && known.has(key))
      addInvalid({ ...term, path: `${term.path}[${index}]` }, 'exists in both matchLabelKeys and labelSelector', key);
    known.add(key);
  }
  const others = new Set(textsOf(mismatch));
  for (const key of indexed(match)) if (others.has(textOf(key))) addInvalid(key, 'exists in both matchLabelKeys and mismatchLabelKeys');
}
