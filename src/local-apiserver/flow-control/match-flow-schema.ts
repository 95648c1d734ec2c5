import type { AuthorizerQuestion } from '../../cel/library/authorizer.js';
import { listAt, stringAt, type Value, type ValueMap, valueAt } from '../../go/value.js';
import type { UserInfo } from '../../kubernetes/api-call.js';

/** Reports whether one of the rules of a flow schema matches a request. Source: apiserver util/flowcontrol/rule.go. */
export function matchesFlowSchema(question: AuthorizerQuestion, rules: readonly ValueMap[]): boolean {
  return rules.some(
    rule => listAt(rule, 'subjects').some(subject => matchesSubject(question.user, subject)) && matchesRule(question, rule),
  );
}

function matchesSubject({ username, groups }: UserInfo, subject: Value): boolean {
  const named = (wanted: string, name: string): boolean => wanted === '*' || wanted === name;
  switch (stringAt(subject, 'kind')) {
    case 'User':
      return named(stringAt(subject, 'user', 'name'), username);
    case 'Group': {
      const wanted = stringAt(subject, 'group', 'name');
      return wanted === '*' || groups.includes(wanted);
    }
    case 'ServiceAccount': {
      const [name, namespace] = [stringAt(subject, 'serviceAccount', 'name'), stringAt(subject, 'serviceAccount', 'namespace')];
      const prefix = `system:serviceaccount:${namespace}:`;
      return name === '*' ? username.startsWith(prefix) : username === `${prefix}${name}`;
    }
    default:
      return false;
  }
}

function matchesRule(question: AuthorizerQuestion, rule: ValueMap): boolean {
  if ('path' in question) {
    return listAt(rule, 'nonResourceRules').some(
      part => includes(part, 'verbs', question.verb) && listAt(part, 'nonResourceURLs').some(url => matchesUrl(String(url), question.path)),
    );
  }
  const { verb, group, resource, subresource, namespace } = question;
  return listAt(rule, 'resourceRules').some(
    part =>
      includes(part, 'verbs', verb) &&
      includes(part, 'resources', subresource === '' ? resource : `${resource}/${subresource}`) &&
      includes(part, 'apiGroups', group) &&
      (namespace === '' ? valueAt(part, 'clusterScope') === true : includes(part, 'namespaces', namespace)),
  );
}

/** Reports whether a list has a value, or only the one that stands for all. */
function includes(part: Value, key: string, value: string): boolean {
  const list = listAt(part, key);
  return (list.length === 1 && list[0] === '*') || list.includes(value);
}

function matchesUrl(url: string, path: string): boolean {
  if (url === '*' || url === path) return true;
  const prefix = url.replace(/\*$/, '');
  return path.startsWith(prefix.endsWith('/') ? prefix : `${prefix}/`);
}
