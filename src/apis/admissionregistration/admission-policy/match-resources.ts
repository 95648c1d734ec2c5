import { labelSelectorErrors } from '../../../apiserver/registry/label-selector.js';
import { declared } from '../../../apiserver/registry/validation/declared.js';
import { notOneOf } from '../../../apiserver/registry/validation/one-of.js';
import {
  addDuplicate,
  addForbidden,
  addInvalid,
  addProblems,
  addRequired,
  addUnsupported,
  at,
  indexed,
  isSet,
  itemsAt,
  lengthOf,
  type Place,
  textOf,
  textsOf,
} from '../../../apiserver/registry/validation/place.js';
import { checkName } from '../../../apiserver/registry/validation/rules.js';
import { goString } from '../../../go/json/write.js';
import { dns1035LabelProblems, dns1123SubdomainProblems, pathSegmentProblems } from '../../../kubernetes/name-rules.js';
import { webhookRuleErrors } from '../webhook-configuration/webhook-rule.js';

/** Validates a required value that must be one of a few. */
export function checkWord(place: Place, choices: readonly string[]): void {
  if (isSet(place)) place.errors.push(...notOneOf(choices, place.value, place.path));
  else addRequired(place);
}

/** Validates the match resources of a policy or binding. Source: admissionregistration/validation validateMatchResources. */
export function checkMatchResources(match: Place): void {
  checkWord(at(match, 'matchPolicy'), ['Equivalent', 'Exact']);
  for (const name of ['namespaceSelector', 'objectSelector']) {
    const selector = at(match, name);
    if (isSet(selector)) selector.errors.push(...labelSelectorErrors(match.server, selector.value, selector.path));
    else addRequired(selector);
  }
  for (const list of ['resourceRules', 'excludeResourceRules']) for (const rule of itemsAt(match, list)) checkRule(rule);
}

function checkRule(rule: Place): void {
  const seen = new Set<string>();
  for (const name of itemsAt(rule, 'resourceNames')) {
    checkName(name, pathSegmentProblems);
    if (seen.has(textOf(name))) addDuplicate(name);
    seen.add(textOf(name));
  }
  rule.errors.push(...webhookRuleErrors(rule.value ?? null, rule.path));
}

const mutatedOperations = ['*', 'CONNECT', 'CREATE', 'UPDATE'];

/** Refuses DELETE for mutations; the error's path has no index of a rule. */
export function checkMutatedOperations(match: Place): void {
  const shown = at(match, 'resourceRules', 'operations');
  const operations = itemsAt(match, 'resourceRules').flatMap(rule => textsOf(at(rule, 'operations')));
  for (const operation of operations) if (!mutatedOperations.includes(operation)) addUnsupported(shown, mutatedOperations, operation);
}

/** Validates the kind of a policy's parameters. Source: admissionregistration/validation validateParamKind. */
export function checkParamKind(kind: Place): void {
  const [apiVersion, name] = [at(kind, 'apiVersion'), at(kind, 'kind')];
  if (textOf(apiVersion) === '') addRequired(apiVersion);
  else checkApiVersion(apiVersion);
  const problems = dns1035LabelProblems(textOf(name).toLowerCase());
  if (textOf(name) === '') addRequired(name);
  else if (problems.length > 0) addInvalid(name, `may have mixed case, but should otherwise match: ${problems.join(',')}`);
}

function checkApiVersion(place: Place): void {
  const parts = textOf(place) === '/' ? ['', ''] : textOf(place).split('/');
  if (parts.length > 2) {
    addInvalid(place, `unexpected GroupVersion string: ${textOf(place)}`);
    return;
  }
  const [group, version] = parts.length === 1 ? ['', parts[0] ?? ''] : [parts[0] ?? '', parts[1] ?? ''];
  const [ofGroup, ofVersion] = [dns1123SubdomainProblems(group), dns1035LabelProblems(version)];
  if (group !== '' && ofGroup.length > 0) addInvalid(place, ofGroup.join(','), group);
  if (version === '') addInvalid(place, 'version must be specified');
  else if (ofVersion.length > 0) addInvalid(place, ofVersion.join(','), version);
}

/** Validates the parameter reference of a binding. Source: admissionregistration/validation validateParamRef. */
function checkParamRef(reference: Place): void {
  if (!isSet(reference)) return;
  const [name, selector, action] = [at(reference, 'name'), at(reference, 'selector'), at(reference, 'parameterNotFoundAction')];
  const isNamed = textOf(name) !== '';
  const message = 'name and selector are mutually exclusive';
  if (isNamed) addProblems(name, pathSegmentProblems(textOf(name)));
  if (isNamed && isSet(selector)) addForbidden(name, message);
  if (isSet(selector)) selector.errors.push(...labelSelectorErrors(reference.server, selector.value, selector.path));
  if (isNamed && isSet(selector)) addForbidden(selector, message);
  if (!isNamed && !isSet(selector)) addRequired(reference, 'one of name or selector must be specified');
  if (textOf(action) === '') addRequired(action);
  else if (!['Deny', 'Allow'].includes(textOf(action))) addUnsupported(action, ['Deny', 'Allow']);
}

/** Validates a binding's policy name, parameters and match resources. Only validating bindings are also validated declaratively. */
export function checkBindingSpec(spec: Place, old: Place | undefined, isDeclared: boolean): void {
  const policyName = at(spec, 'policyName');
  if (textOf(policyName) !== '') checkName(policyName, dns1123SubdomainProblems);
  else if (isDeclared) declared(policyName, old && at(old, 'policyName'), () => addRequired(policyName));
  else addRequired(policyName);
  checkParamRef(at(spec, 'paramRef'));
  if (isSet(at(spec, 'matchResources'))) checkMatchResources(at(spec, 'matchResources'));
}

/** Validates the actions for a failed validation. Source: admissionregistration/validation validateValidationActions. */
export function checkActions(actions: Place, old: Place | undefined): void {
  const seen = new Set<string>();
  for (const action of indexed(actions)) {
    action.errors.push(...notOneOf(['Audit', 'Deny', 'Warn'], action.value, action.path));
    if (seen.has(textOf(action))) addDuplicate(action, { rawJson: goString(textOf(action)) });
    seen.add(textOf(action));
  }
  if (seen.has('Deny') && seen.has('Warn'))
    addInvalid(
      actions,
      'must not contain both Deny and Warn (repeating the same validation failure information in the API response and headers serves no purpose)',
    );
  if (lengthOf(actions) === 0)
    declared(actions, old, isDeclared => addRequired(actions, isDeclared ? '' : 'at least one validation action is required'));
}
