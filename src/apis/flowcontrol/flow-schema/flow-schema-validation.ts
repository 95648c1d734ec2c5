import { internalValue } from '../../../apiserver/registry/validation/go-value.js';
import type { KindRules } from '../../../apiserver/registry/validation/kind-rules.js';
import {
  addDuplicate,
  addForbidden,
  addInvalid,
  addRequired,
  addUnsupported,
  at,
  flagAt,
  indexed,
  isSet,
  itemsAt,
  lengthOf,
  numberOf,
  type Place,
  textAt,
  textOf,
  textsOf,
} from '../../../apiserver/registry/validation/place.js';
import { checkName } from '../../../apiserver/registry/validation/rules.js';
import { dns1123LabelProblems, dns1123SubdomainProblems } from '../../../kubernetes/name-rules.js';
import { checkFixedSpec } from '../fixed-flow-control.js';

/** Source: flowcontrol/validation ValidateFlowSchema. */
export const flowSchemaRules: KindRules = { create: checkSchema, update: ['metadata', checkSchema] };

function checkSchema(schema: Place): void {
  const spec = at(schema, 'spec');
  checkPrecedence(at(spec, 'matchingPrecedence'), textAt(schema, 'metadata', 'name'));
  const method = at(spec, 'distinguisherMethod');
  if (isSet(method) && !['ByNamespace', 'ByUser'].includes(textAt(method, 'type')))
    addUnsupported(
      at(method, 'type'),
      ['ByNamespace', 'ByUser'],
      internalValue(schema.server, 'flowcontrol/v1.FlowDistinguisherMethod', method.value),
    );
  const level = at(spec, 'priorityLevelConfiguration', 'name');
  if (textOf(level) === '') addRequired(level, 'must reference a priority level');
  else checkName(level, dns1123SubdomainProblems);
  for (const rule of itemsAt(spec, 'rules')) checkRule(rule);
  checkFixedSpec(schema, 'FlowSchema');
  checkFlowConditions(schema);
}

/** Validates the conditions, the only check of a flow control status. Source: flowcontrol/validation ValidateFlowSchemaStatus. */
export function checkFlowConditions(object: Place): void {
  const seen = new Set<string>();
  for (const type of itemsAt(object, 'status', 'conditions').map(condition => at(condition, 'type'))) {
    if (seen.has(textOf(type))) addDuplicate(type);
    seen.add(textOf(type));
    if (textOf(type) === '') addRequired(type);
  }
}

function checkPrecedence(precedence: Place, name: string): void {
  const value = numberOf(precedence);
  if (value <= 0n) addInvalid(precedence, 'must be a positive value', value);
  if (value > 10_000n) addInvalid(precedence, 'must not be greater than 10000');
  if (value === 1n && name !== 'exempt') addInvalid(precedence, "only the schema named 'exempt' may have matchingPrecedence 1");
}

function checkRule(rule: Place): void {
  const subjects = at(rule, 'subjects');
  for (const subject of indexed(subjects)) checkSubject(subject);
  if (lengthOf(subjects) === 0) addRequired(subjects, 'subjects must contain at least one value');
  const [resources, others] = [at(rule, 'resourceRules'), at(rule, 'nonResourceRules')];
  if (lengthOf(resources) === 0 && lengthOf(others) === 0)
    addRequired(rule, 'at least one of resourceRules and nonResourceRules has to be non-empty');
  for (const resource of indexed(resources)) checkResourceRule(resource);
  for (const other of indexed(others)) checkUrlRule(other);
}

/** Member with the subject, by kind. */
const subjectMembers = { ServiceAccount: 'serviceAccount', User: 'user', Group: 'group' } as const;

function checkSubject(subject: Place): void {
  const kind = at(subject, 'kind');
  const own = Object.entries(subjectMembers).find(([name]) => name === textOf(kind))?.[1];
  if (own === undefined) {
    addUnsupported(kind, ['Group', 'ServiceAccount', 'User'], textOf(kind));
    return;
  }
  const who = at(subject, own);
  if (!isSet(who)) addRequired(who, `${own} is required when subject kind is '${textOf(kind)}'`);
  else checkWho(who, own === 'serviceAccount');
  for (const [name, member] of Object.entries(subjectMembers))
    if (member !== own && isSet(at(subject, member)))
      addForbidden(at(subject, member), `${member} is forbidden when subject kind is not '${name}'`);
}

function checkWho(who: Place, isAccount: boolean): void {
  const [name, namespace] = [at(who, 'name'), at(who, 'namespace')];
  if (textOf(name) === '') addRequired(name);
  else if (isAccount && textOf(name) !== '*') checkName(name, dns1123SubdomainProblems);
  if (!isAccount) return;
  if (textOf(namespace) === '') addRequired(namespace, 'must specify namespace for service account');
  else checkName(namespace, dns1123LabelProblems);
}

const verbs = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'proxy', 'update', 'watch'];

function checkVerbs(list: Place): void {
  const texts = textsOf(list);
  if (texts.length === 0) addRequired(list, 'verbs must contain at least one value');
  else if (texts.includes('*')) checkAlone(list, 'verbs');
  else if (!texts.every(verb => verbs.includes(verb))) addUnsupported(list, verbs);
}

function checkAlone(list: Place, what: string): void {
  if (textsOf(list).includes('*') && lengthOf(list) > 1) addInvalid(list, `if '*' is present, must not specify other ${what}`);
}

function checkResourceRule(rule: Place): void {
  checkVerbs(at(rule, 'verbs'));
  for (const [name, what, one] of [
    ['apiGroups', 'api groups', 'api group'],
    ['resources', 'resources', 'resource'],
  ] as const) {
    const list = at(rule, name);
    if (lengthOf(list) === 0) addRequired(list, `resource rules must supply at least one ${one}`);
    checkAlone(list, what);
  }
  const namespaces = at(rule, 'namespaces');
  if (lengthOf(namespaces) === 0 && !flagAt(rule, 'clusterScope'))
    addRequired(namespaces, 'resource rules that are not cluster scoped must supply at least one namespace');
  else if (textsOf(namespaces).includes('*')) checkAlone(namespaces, 'namespaces');
  else {
    const message = "each member of this list must be '*' or a DNS-1123 label; ";
    for (const namespace of indexed(namespaces)) checkName(namespace, text => dns1123LabelProblems(text).map(problem => message + problem));
  }
}

function checkUrlRule(rule: Place): void {
  checkVerbs(at(rule, 'verbs'));
  const urls = at(rule, 'nonResourceURLs');
  if (lengthOf(urls) === 0) addRequired(urls, 'nonResourceURLs must contain at least one value');
  else if (textsOf(urls).includes('*')) checkAlone(urls, 'non-resource URLs');
  else
    for (const url of indexed(urls)) {
      const problem = urlProblem(textOf(url));
      if (problem !== undefined) addInvalid(url, problem, textOf(url));
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
