import { aggregate } from '../../apiserver/admission/name-in-refusal.js';
import { authorizerOf } from '../../apiserver/authorization/authorizer-of.js';
import { anything } from '../../apiserver/authorization/bootstrap-roles.js';
import { rulesFor } from '../../apiserver/authorization/rbac.js';
import type { CallContext } from '../../apiserver/call/call-context.js';
import type { RestStorage } from '../../apiserver/handlers/rest-storage.js';
import type { AuthorizerQuestion } from '../../cel/library/authorizer.js';
import { isMap, listAt, mapAt, stringAt, toValue, type Value, type ValueMap } from '../../go/value.js';
import type { UserInfo } from '../../kubernetes/api-call.js';
import { badRequest } from '../../kubernetes/status-errors.js';
import { reviewStorage } from './review-storage.js';
import { selectorErrors, selectorTexts } from './selector-errors.js';

/** SubjectAccessReviews, of others and of the user. */
export const accessReview: RestStorage = reviewStorage((review, context) => review.set('status', accessStatus(review, context)));

/** SelfSubjectRulesReviews of a namespace. The answer is a new object with only a status. */
export const rulesReview: RestStorage = reviewStorage(
  (review, context) => {
    review.set('status', rulesStatus(review, context));
    return review.set('metadata', new Map()).set('spec', new Map());
  },
  review => {
    if (stringAt(review, 'spec', 'namespace') === '') throw badRequest('no namespace on request');
  },
);

/**
 * Returns the status of an access review. Without live storage everything is allowed, because the cluster's authorizer is unknown. Source:
 * kubernetes pkg/registry/authorization.
 */
function accessStatus(review: ValueMap, context: CallContext): Value {
  const { state, storage, record } = context;
  if (state.live === undefined) return toValue({ allowed: true });
  const user = context.codec.kind.kind.startsWith('Self') ? context.user : userOf(mapAt(review, 'spec'));
  const question = questionIn(mapAt(review, 'spec'), user);
  const { allowed, denied = false, reason, error } = authorizerOf({ state, storage, record }).authorize(question);
  const errors = [error, selectorErrors(context.server, mapAt(review, 'spec', 'resourceAttributes'))].flatMap(text => text ?? []);
  return toValue({
    allowed,
    ...(denied ? { denied } : {}),
    ...(reason === '' ? {} : { reason }),
    ...(errors.length === 0 ? {} : { evaluationError: errors.join('; ') }),
  });
}

function userOf(spec: ValueMap | undefined): UserInfo {
  const extra = [...(mapAt(spec, 'extra') ?? [])].map(([key, values]) => [key, Array.isArray(values) ? values.map(String) : []] as const);
  return {
    username: stringAt(spec, 'user'),
    uid: stringAt(spec, 'uid'),
    groups: listAt(spec, 'groups').map(String),
    extra: new Map(extra),
  };
}

function questionIn(spec: ValueMap | undefined, user: UserInfo): AuthorizerQuestion {
  const url = mapAt(spec, 'nonResourceAttributes');
  if (isMap(url)) return { user, verb: stringAt(url, 'verb'), path: stringAt(url, 'path') };
  const of = (key: string): string => stringAt(spec, 'resourceAttributes', key);
  return {
    user,
    verb: of('verb'),
    group: of('group'),
    version: of('version') || '*',
    resource: of('resource'),
    subresource: of('subresource'),
    namespace: of('namespace'),
    name: of('name'),
    ...selectorTexts(mapAt(spec, 'resourceAttributes')),
  };
}

/**
 * Returns the status of a SelfSubjectRulesReview: all rules of the user in a namespace. Without live storage and with `AlwaysAllow` everything is
 * allowed, besides what the roles grant. Source: apiserver authorization/authorizerfactory/builtin.go, union.
 */
function rulesStatus(review: ValueMap, { state, storage, user }: CallContext): Value {
  const modes = state.options.authorizationModes;
  const hasRoles = state.live === undefined || modes.size === 0 || modes.has('RBAC');
  const granted = hasRoles ? rulesFor(user, stringAt(review, 'spec', 'namespace'), storage) : { rules: [], errors: [] };
  const others = [...(state.otherAuthorizers?.values() ?? [])].flatMap(
    authorizer => authorizer.rulesOf?.(user, stringAt(review, 'spec', 'namespace')) ?? [],
  );
  const rules = [...granted.rules, ...others, ...(state.live === undefined || modes.has('AlwaysAllow') ? anything : [])];
  const isIncomplete = [...modes].some(mode => /^Webhook\b/.test(mode));
  const errors = [...granted.errors, ...(isIncomplete ? ['webhook authorizer does not support user rule resolution'] : [])];
  const optional = (key: string, values: readonly string[]) => (values.length === 0 ? {} : { [key]: [...values] });
  return toValue({
    resourceRules: rules
      .filter(rule => rule.resources.length > 0)
      .map(rule => ({
        verbs: [...rule.verbs],
        ...optional('apiGroups', rule.apiGroups),
        ...optional('resources', rule.resources),
        ...optional('resourceNames', rule.resourceNames),
      })),
    nonResourceRules: rules
      .filter(rule => rule.nonResourceUrls.length > 0)
      .map(rule => ({ verbs: [...rule.verbs], ...optional('nonResourceURLs', rule.nonResourceUrls) })),
    incomplete: isIncomplete,
    ...(errors.length === 0 ? {} : { evaluationError: aggregate(errors) }),
  });
}
