import type { OtherAuthorizer } from '../../apiserver/authorization/authorizer-of.js';
import type { PolicyRule } from '../../apiserver/authorization/role.js';
import { DecodeError } from '../../apiserver/objects/codec.js';
import { interpretDocument } from '../../apiserver/objects/interpret-document.js';
import { notRegistered } from '../../apiserver/objects/not-registered.js';
import type { AuthorizerQuestion } from '../../cel/library/authorizer.js';
import { flagField, readGoFields, type Struct, textField } from '../../cli/work/apiserver/go-fields.js';
import { readGiven, StartError } from '../../cli/work/apiserver/start-error.js';
import { parsePlain } from '../../encoding/plain-json.js';
import { YamlError, yamlToJson } from '../../encoding/yaml.js';
import type { UserInfo } from '../../kubernetes/api-call.js';
import type { ApiServer } from '../../kubernetes/api-server.js';

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
export function abacAuthorizer(server: ApiServer, file: string, cwd: string): OtherAuthorizer {
  const policies = readPolicies(server, file, readPolicyFile(file, cwd));
  return {
    authorize: question => {
      const allowed = policies.some(policy => allows(policy, question));
      return { allowed, reason: allowed ? '' : 'No policy matched.', error: undefined };
    },
    rulesOf: (user, namespace) =>
      policies.filter(policy => isMeant(policy, user) && ['*', namespace].includes(policy.namespace)).flatMap(rulesOfPolicy),
  };
}

function readPolicyFile(file: string, cwd: string): string {
  try {
    return readGiven(file, cwd);
  } catch (error) {
    throw error instanceof StartError ? new StartError(`${invalidConfiguration}${error.message}`) : error;
  }
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

function readPolicies(server: ApiServer, file: string, text: string): Policy[] {
  return text.split(/\r?\n/).flatMap((line, index) => {
    if (line.trim() === '' || line.trim().startsWith('#')) return [];
    try {
      return [policyOf(readPolicy(server, line))];
    } catch (error) {
      if (!(error instanceof DecodeError) && !(error instanceof YamlError)) throw error;
      throw new StartError(`${invalidConfiguration}error reading policy file ${file}, line ${index + 1}: ${line}: ${error.message}`);
    }
  });
}

const invalidConfiguration = 'invalid authorization config: ';
const policyGroup = 'abac.authorization.kubernetes.io';

const v0Fields = { user: textField, group: textField, readonly: flagField, resource: textField, namespace: textField };
const v0: Struct = { goType: 'v0.Policy', fields: v0Fields };
const spec: Struct = { goType: 'v1beta1.PolicySpec', fields: { ...v0Fields, apiGroup: textField, nonResourcePath: textField } };
const v1beta1: Struct = { goType: 'v1beta1.Policy', fields: { spec } };

interface PolicyFields {
  readonly user?: string;
  readonly group?: string;
  readonly readonly?: boolean;
  readonly resource?: string;
  readonly namespace?: string;
  readonly apiGroup?: string;
  readonly nonResourcePath?: string;
}

/** Fields of a policy; one without a version is of v0. */
type ReadPolicy = { readonly isVersioned: boolean; readonly fields: PolicyFields };

function readPolicy(server: ApiServer, line: string): ReadPolicy {
  const json = line.trimStart().startsWith('{') ? line : yamlToJson(line);
  const { kind } = interpretDocument(json, server);
  const isNamed = kind.kind !== '' && kind.version !== '';
  const isKnown = kind.group === policyGroup && kind.kind === 'Policy' && ['v0', 'v1beta1'].includes(kind.version);
  if (isNamed && !isKnown) throw new DecodeError(notRegistered(server, kind));
  const isVersioned = isNamed && kind.version === 'v1beta1';
  const read = readGoFields(Object(parsePlain(json)), isVersioned ? v1beta1 : v0);
  if ('error' in read) throw new DecodeError(read.error);
  const value = read.value as PolicyFields & { readonly spec?: PolicyFields };
  return { isVersioned, fields: isVersioned ? (value.spec ?? {}) : value };
}

const everybody = 'system:authenticated';

/** Source: kubernetes pkg/apis/abac/v1beta1 and v0 conversion.go. */
function policyOf({ isVersioned, fields }: ReadPolicy): Policy {
  const { user = '', group = '', namespace = '', resource = '', readonly = false, apiGroup = '', nonResourcePath = '' } = fields;
  const isForAll = user === '*' || group === '*' || (!isVersioned && user === '' && group === '');
  const subject = isForAll ? { user: '', group: everybody } : { user, group };
  if (isVersioned) return { ...subject, readonly, namespace, resource, apiGroup, nonResourcePath };
  const anyPath = namespace === '' && resource === '' ? '*' : '';
  return { ...subject, readonly, namespace: namespace || '*', resource: resource || '*', apiGroup: '*', nonResourcePath: anyPath };
}

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
