import { labelSelectorErrors } from '../../../apiserver/registry/label-selector.js';
import type { FieldPath } from '../../../apiserver/registry/validation/field-path.js';
import { notOneOf } from '../../../apiserver/registry/validation/one-of.js';
import { checkName } from '../../../apiserver/registry/validation/rules.js';
import { goString } from '../../../go/json/write.js';
import { dns1035LabelProblems, dns1123SubdomainProblems, pathSegmentProblems } from '../../../kubernetes/name-rules.js';
import { webhookRuleErrors } from '../webhook-configuration/webhook-rule.js';

/** Validates a required value that must be one of a few. */
export function checkWord(field: FieldPath, choices: readonly string[]): void {
  if (field.isSet()) field.add(notOneOf(choices, field.value, field.path));
  else field.required();
}

/** Validates the match resources of a policy or binding. Source: admissionregistration/validation validateMatchResources. */
export function checkMatchResources(match: FieldPath): void {
  checkWord(match.child('matchPolicy'), ['Equivalent', 'Exact']);
  for (const name of ['namespaceSelector', 'objectSelector']) {
    const selector = match.child(name);
    if (selector.isSet()) selector.add(labelSelectorErrors(match.server, selector.value, selector.path));
    else selector.required();
  }
  for (const list of ['resourceRules', 'excludeResourceRules']) for (const rule of match.items(list)) checkRule(rule);
}

function checkRule(rule: FieldPath): void {
  const seen = new Set<string>();
  for (const name of rule.items('resourceNames')) {
    checkName(name, pathSegmentProblems);
    if (seen.has(name.text())) name.duplicate();
    seen.add(name.text());
  }
  rule.add(webhookRuleErrors(rule.value ?? null, rule.path));
}

const mutatedOperations = ['*', 'CONNECT', 'CREATE', 'UPDATE'];

/** Refuses DELETE for mutations; the error's path has no index of a rule. */
export function checkMutatedOperations(match: FieldPath): void {
  const shown = match.child('resourceRules', 'operations');
  const operations = match.items('resourceRules').flatMap(rule => rule.child('operations').texts());
  for (const operation of operations) if (!mutatedOperations.includes(operation)) shown.notSupported(operation, mutatedOperations);
}

/** Validates the kind of a policy's parameters. Source: admissionregistration/validation validateParamKind. */
export function checkParamKind(kind: FieldPath): void {
  const [apiVersion, name] = [kind.child('apiVersion'), kind.child('kind')];
  if (apiVersion.text() === '') apiVersion.required();
  else checkApiVersion(apiVersion);
  const problems = dns1035LabelProblems(name.text().toLowerCase());
  if (name.text() === '') name.required();
  else if (problems.length > 0) name.invalid(`may have mixed case, but should otherwise match: ${problems.join(',')}`);
}

function checkApiVersion(field: FieldPath): void {
  const parts = field.text() === '/' ? ['', ''] : field.text().split('/');
  if (parts.length > 2) {
    field.invalid(`unexpected GroupVersion string: ${field.text()}`);
    return;
  }
  const [group, version] = parts.length === 1 ? ['', parts[0] ?? ''] : [parts[0] ?? '', parts[1] ?? ''];
  const [ofGroup, ofVersion] = [dns1123SubdomainProblems(group), dns1035LabelProblems(version)];
  if (group !== '' && ofGroup.length > 0) field.invalid(group, ofGroup.join(','));
  if (version === '') field.invalid('version must be specified');
  else if (ofVersion.length > 0) field.invalid(version, ofVersion.join(','));
}

/** Validates the parameter reference of a binding. Source: admissionregistration/validation validateParamRef. */
function checkParamRef(reference: FieldPath): void {
  if (!reference.isSet()) return;
  const [name, selector, action] = [reference.child('name'), reference.child('selector'), reference.child('parameterNotFoundAction')];
  const isNamed = name.text() !== '';
  const message = 'name and selector are mutually exclusive';
  if (isNamed) name.invalidEach(pathSegmentProblems(name.text()));
  if (isNamed && selector.isSet()) name.forbidden(message);
  if (selector.isSet()) selector.add(labelSelectorErrors(reference.server, selector.value, selector.path));
  if (isNamed && selector.isSet()) selector.forbidden(message);
  if (!isNamed && !selector.isSet()) reference.required('one of name or selector must be specified');
  if (action.text() === '') action.required();
  else if (!['Deny', 'Allow'].includes(action.text())) action.notSupported(['Deny', 'Allow']);
}

/** Validates a binding's policy name, parameters and match resources. */
export function checkBindingSpec(spec: FieldPath): void {
  const policyName = spec.child('policyName');
  if (policyName.text() !== '') checkName(policyName, dns1123SubdomainProblems);
  else policyName.required();
  checkParamRef(spec.child('paramRef'));
  if (spec.child('matchResources').isSet()) checkMatchResources(spec.child('matchResources'));
}

/** Validates the actions for a failed validation. Source: admissionregistration/validation validateValidationActions. */
export function checkActions(actions: FieldPath): void {
  const seen = new Set<string>();
  for (const action of actions.items()) {
    action.add(notOneOf(['Audit', 'Deny', 'Warn'], action.value, action.path));
    if (seen.has(action.text())) action.duplicate({ rawJson: goString(action.text()) });
    seen.add(action.text());
  }
  if (seen.has('Deny') && seen.has('Warn'))
    actions.invalid(
      'must not contain both Deny and Warn (repeating the same validation failure information in the API response and headers serves no purpose)',
    );
  if (actions.length() === 0) actions.required('at least one validation action is required');
}
