import type { FieldPath } from '../../../apiserver/registry/validation/field-path.js';
import { internalValue } from '../../../apiserver/registry/validation/go-value.js';
import type { KindRules } from '../../../apiserver/registry/validation/kind-rules.js';
import { checkName } from '../../../apiserver/registry/validation/rules.js';
import { dns1123LabelProblems, dns1123SubdomainProblems } from '../../../kubernetes/name-rules.js';
import { checkFixedSpec } from '../fixed-flow-control.js';

/** Source: flowcontrol/validation ValidateFlowSchema. */
export const flowSchemaRules: KindRules = { create: checkSchema, update: ['metadata', checkSchema] };

function checkSchema(schema: FieldPath): void {
  const spec = schema.child('spec');
  checkPrecedence(spec.child('matchingPrecedence'), schema.text('metadata', 'name'));
  const method = spec.child('distinguisherMethod');
  if (method.isSet() && !['ByNamespace', 'ByUser'].includes(method.text('type')))
    method
      .child('type')
      .notSupported(internalValue(schema.server, 'flowcontrol/v1.FlowDistinguisherMethod', method.value), ['ByNamespace', 'ByUser']);
  const level = spec.child('priorityLevelConfiguration', 'name');
  if (level.text() === '') level.required('must reference a priority level');
  else checkName(level, dns1123SubdomainProblems);
  for (const rule of spec.items('rules')) checkRule(rule);
  checkFixedSpec(schema, 'FlowSchema');
  checkFlowConditions(schema);
}

/** Validates the conditions, the only check of a flow control status. Source: flowcontrol/validation ValidateFlowSchemaStatus. */
export function checkFlowConditions(object: FieldPath): void {
  const seen = new Set<string>();
  for (const type of object.items('status', 'conditions').map(condition => condition.child('type'))) {
    if (seen.has(type.text())) type.duplicate();
    seen.add(type.text());
    if (type.text() === '') type.required();
  }
}

function checkPrecedence(precedence: FieldPath, name: string): void {
  const value = precedence.number();
  if (value <= 0n) precedence.invalid(value, 'must be a positive value');
  if (value > 10_000n) precedence.invalid('must not be greater than 10000');
  if (value === 1n && name !== 'exempt') precedence.invalid("only the schema named 'exempt' may have matchingPrecedence 1");
}

function checkRule(rule: FieldPath): void {
  const subjects = rule.child('subjects');
  for (const subject of subjects.items()) checkSubject(subject);
  if (subjects.length() === 0) subjects.required('subjects must contain at least one value');
  const [resources, others] = [rule.child('resourceRules'), rule.child('nonResourceRules')];
  if (resources.length() === 0 && others.length() === 0)
    rule.required('at least one of resourceRules and nonResourceRules has to be non-empty');
  for (const resource of resources.items()) checkResourceRule(resource);
  for (const other of others.items()) checkUrlRule(other);
}

/** Member with the subject, by kind. */
const subjectMembers = { ServiceAccount: 'serviceAccount', User: 'user', Group: 'group' } as const;

function checkSubject(subject: FieldPath): void {
  const kind = subject.child('kind');
  const own = Object.entries(subjectMembers).find(([name]) => name === kind.text())?.[1];
  if (own === undefined) {
    kind.notSupported(kind.text(), ['Group', 'ServiceAccount', 'User']);
    return;
  }
  const who = subject.child(own);
  if (!who.isSet()) who.required(`${own} is required when subject kind is '${kind.text()}'`);
  else checkWho(who, own === 'serviceAccount');
  for (const [name, member] of Object.entries(subjectMembers))
    if (member !== own && subject.child(member).isSet())
      subject.child(member).forbidden(`${member} is forbidden when subject kind is not '${name}'`);
}

function checkWho(who: FieldPath, isAccount: boolean): void {
  const [name, namespace] = [who.child('name'), who.child('namespace')];
  if (name.text() === '') name.required();
  else if (isAccount && name.text() !== '*') checkName(name, dns1123SubdomainProblems);
  if (!isAccount) return;
  if (namespace.text() === '') namespace.required('must specify namespace for service account');
  else checkName(namespace, dns1123LabelProblems);
}

const verbs = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'proxy', 'update', 'watch'];

function checkVerbs(list: FieldPath): void {
  const texts = list.texts();
  if (texts.length === 0) list.required('verbs must contain at least one value');
  else if (texts.includes('*')) checkAlone(list, 'verbs');
  else if (!texts.every(verb => verbs.includes(verb))) list.notSupported(verbs);
}

function checkAlone(list: FieldPath, what: string): void {
  if (list.texts().includes('*') && list.length() > 1) list.invalid(`if '*' is present, must not specify other ${what}`);
}

function checkResourceRule(rule: FieldPath): void {
  checkVerbs(rule.child('verbs'));
  for (const [name, what, one] of [
    ['apiGroups', 'api groups', 'api group'],
    ['resources', 'resources', 'resource'],
  ] as const) {
    const list = rule.child(name);
    if (list.length() === 0) list.required(`resource rules must supply at least one ${one}`);
    checkAlone(list, what);
  }
  const namespaces = rule.child('namespaces');
  if (namespaces.length() === 0 && !rule.flag('clusterScope'))
    namespaces.required('resource rules that are not cluster scoped must supply at least one namespace');
  else if (namespaces.texts().includes('*')) checkAlone(namespaces, 'namespaces');
  else {
    const message = "each member of this list must be '*' or a DNS-1123 label; ";
    for (const namespace of namespaces.items()) checkName(namespace, text => dns1123LabelProblems(text).map(problem => message + problem));
  }
}

function checkUrlRule(rule: FieldPath): void {
  checkVerbs(rule.child('verbs'));
  const urls = rule.child('nonResourceURLs');
  if (urls.length() === 0) urls.required('nonResourceURLs must contain at least one value');
  else if (urls.texts().includes('*')) checkAlone(urls, 'non-resource URLs');
  else
    for (const url of urls.items()) {
      const problem = urlProblem(url.text());
      if (problem !== undefined) url.invalid(url.text(), problem);
    }
}

/** Source: ValidateNonResourceURLPath. */
function urlProblem(path: string): string | undefined {
  if (path === '') return 'must not be empty';
  if (path === '/') return undefined;
  if (!path.startsWith('/')) return 'must start with slash';
  if (path.includes(' ')) return 'must not contain white-space';
  if (path.includes('//')) return 'must not contain double slash';
  return /^[^*]*(?:\/\*)?$/.test(path) ? undefined : 'wildcard can only do suffix matching';
}
