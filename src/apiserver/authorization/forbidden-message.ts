import type { AuthorizerQuestion } from '../../cel/library/authorizer.js';
import { quote } from '../../go/quote.js';

/** Returns what a user may not do, as a 403 says it. Source: apiserver endpoints/handlers/responsewriters/errors.go forbiddenMessage. */
export function forbiddenMessage(question: AuthorizerQuestion): string {
  const user = `User ${quote(question.user.username)}`;
  if ('path' in question) return `${user} cannot ${question.verb} path ${quote(question.path)}`;
  const { group, resource, subresource, namespace, verb } = question;
  const what = quote(subresource === '' ? resource : `${resource}/${subresource}`);
  const where = namespace === '' ? 'at the cluster scope' : `in the namespace ${quote(namespace)}`;
  return `${user} cannot ${verb} resource ${what} in API group ${quote(group)} ${where}`;
}
