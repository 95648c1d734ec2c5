import type { OtherAuthorizer } from '../../apiserver/authorization/authorizer-of.js';
import type { PolicyRule } from '../../apiserver/authorization/role.js';
import type { AuthorizerQuestion } from '../../cel/library/authorizer.js';
import { readGiven, StartError } from '../../cli/work/apiserver/start-error.js';
import { readUnstructured } from '../../encoding/unstructured.js';
import { JsonSyntaxError } from '../../go/json/reader.js';
import { isMap, mapAt, stringAt, type ValueMap, valueAt } from '../../go/value.js';
import type { UserInfo } from '../../kubernetes/api-call.js';

/** One line of a policy file. */
interface Policy {
  readonly user: string;
  readonly group: string;
  readonly readonly: boolean;
  readonly apiGroup: string;
  readonly resource: string;
  readonly namespace: string;
  readonly nonResourcePath: string;
}

/** Returns the authorizer of `--authorization-policy-file`. Throws StartError. Source: kubernetes pkg/auth/authorizer/abac/abac.go. */
export function abacAuthorizer(file: string, cwd: string): OtherAuthorizer {
  const policies = readPolicies(file, readGiven(file, cwd));
  return {
    authorize: question => {
      const allowed = policies.some(policy => allows(policy, question));
      return { allowed, reason: allowed ? '' : 'No policy matched.', error: undefined };
    },
    rulesOf: (user, namespace) =>
      policies.filter(policy => isMeant(policy, user) && ['*', namespace].includes(policy.namespace)).flatMap(rulesOfPolicy),
  };
}

/** Source: RulesFor. */
function rulesOfPolicy({ readonly, apiGroup, resource, nonResourcePath }: Policy): PolicyRule[] {
  const verbs = readonly ? ['get', 'list', 'watch'] : ['*'];
  const nothing = { verbs, apiGroups: [], resources: [], resourceNames: [], nonResourceUrls: [] };
  return [
    ...(resource === '' ? [] : [{ ...nothing, apiGroups: [apiGroup], resources: [resource] }]),
    ...(nonResourcePath === '' ? [] : [{ ...nothing, nonResourceUrls: [nonResourcePath] }]),
  ];
}

function readPolicies(file: string, text: string): Policy[] {
  return text.split(/\r?\n/).flatMap((line, index) => {
    if (line.trim() === '' || line.trim().startsWith('#')) return [];
    const fail = (reason: string): StartError => new StartError(`error reading policy file ${file}, line ${index + 1}: ${line}: ${reason}`);
    try {
      const object = readUnstructured(line);
      if (!isMap(object)) throw fail('expected a JSON object');
      return [policyIn(object, fail)];
    } catch (error) {
      if (error instanceof JsonSyntaxError) throw fail(`couldn't get version/kind; json parse error: ${error.message}`);
      throw error;
    }
  });
}

const everybody = 'system:authenticated';

/** Source: kubernetes pkg/apis/abac/v1beta1 and v0 conversion.go. */
function policyIn(object: ValueMap, fail: (reason: string) => StartError): Policy {
  const version = stringAt(object, 'apiVersion');
  const isVersioned = version === 'abac.authorization.kubernetes.io/v1beta1' && stringAt(object, 'kind') === 'Policy';
  const spec = isVersioned ? (mapAt(object, 'spec') ?? new Map()) : object;
  for (const [name, value] of spec) {
    const isWrong = name === 'readonly' ? typeof value !== 'boolean' : textFields.includes(name) && typeof value !== 'string';
    if (isWrong) throw fail(`invalid ${name}: expected ${name === 'readonly' ? 'true or false' : 'a string'}`);
  }
  const [user, group, namespace, resource] = ['user', 'group', 'namespace', 'resource'].map(name => stringAt(spec, name)) as [
    string,
    string,
    string,
    string,
  ];
  const isForAll = user === '*' || group === '*' || (!isVersioned && user === '' && group === '');
  const subject = isForAll ? { user: '', group: everybody } : { user, group };
  const readonly = valueAt(spec, 'readonly') === true;
  if (isVersioned)
    return {
      ...subject,
      readonly,
      namespace,
      resource,
      apiGroup: stringAt(spec, 'apiGroup'),
      nonResourcePath: stringAt(spec, 'nonResourcePath'),
    };
  const nonResourcePath = namespace === '' && resource === '' ? '*' : '';
  return { ...subject, readonly, namespace: namespace || '*', resource: resource || '*', apiGroup: '*', nonResourcePath };
}

const textFields = ['user', 'group', 'namespace', 'resource', 'apiGroup', 'nonResourcePath'];

function allows(policy: Policy, question: AuthorizerQuestion): boolean {
  const isRead = ['get', 'list', 'watch'].includes(question.verb);
  if (!isMeant(policy, question.user) || (policy.readonly && !isRead)) return false;
  if ('path' in question) return matchesPath(policy.nonResourcePath, question.path);
  const { namespace, resource, group } = question;
  return [
    [policy.namespace, namespace],
    [policy.resource, resource],
    [policy.apiGroup, group],
  ].every(([ruled, asked]) => ruled === '*' || ruled === asked);
}

function isMeant({ user, group }: Policy, { username, groups }: UserInfo): boolean {
  if (user !== '' && user !== username) return false;
  if (group !== '' && !groups.includes(group)) return false;
  return user !== '' || group !== '';
}

function matchesPath(ruled: string, path: string): boolean {
  return ruled === '*' || ruled === path || (ruled.endsWith('*') && path.startsWith(ruled.replace(/\*+$/, '')));
}
