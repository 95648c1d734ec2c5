import type { Authorizer, AuthorizerAnswer, AuthorizerQuestion } from '../../cel/library/authorizer.js';
import { stringAt, type ValueMap } from '../../go/value.js';
import type { ClusterState, UserInfo } from '../../kubernetes/api-call.js';
import { addNote, type CallNotes } from '../../kubernetes/call-notes.js';
import type { Storage } from '../../kubernetes/storage.js';
import type { Attributes } from '../admission/attributes.js';
import { aggregate } from '../admission/name-in-refusal.js';
import { defaultRules } from './default-roles.js';
import { rbacAuthorizer, rbacGroup, ruleAllows } from './rbac.js';
import type { PolicyRule } from './role.js';

/** Sources of the authorization decisions, and the recorder of notes. */
export interface AuthorizerParts {
  readonly state: ClusterState;
  readonly storage: Storage;
  readonly record: Pick<CallNotes, 'notes'>;
}

declare module '../../kubernetes/api-call.js' {
  interface ClusterState {
    /** Authorizers of modes that ask files or servers, by mode. They may throw PendingAnswer. */
    readonly otherAuthorizers?: ReadonlyMap<string, OtherAuthorizer> | undefined;
  }
}

/** An authorizer of a mode that asks files or servers. */
export interface OtherAuthorizer extends Authorizer {
  /** Returns the rules of a user in a namespace; undefined for an authorizer that cannot list them. */
  readonly rulesOf?: ((user: UserInfo, namespace: string) => readonly PolicyRule[]) | undefined;
}

const kinds = ['Role', 'RoleBinding', 'ClusterRole', 'ClusterRoleBinding'];

/** What a call writes or removes: one object, or a collection if the name is empty and nothing is created. */
export type Called = Pick<Attributes, 'operation' | 'kind' | 'namespace' | 'name'>;

/**
 * Returns the authorizer for expressions: that of `--authorization-mode`, or the roles of the state when there are any or a cluster has them. Otherwise
 * everything is allowed, with a note. A role or binding that the call itself is about does not show how the cluster authorizes: a state that holds nothing
 * else has it as the object to update or delete.
 */
export function authorizerOf({ state, storage, record }: AuthorizerParts, called?: Called): Authorizer {
  const modes = state.options.authorizationModes;
  if (modes.size > 0)
    return authorizerByModes([...modes].map(mode => state.otherAuthorizers?.get(mode) ?? authorizerOfMode(mode, storage)));
  if (state.source !== undefined) return rbacAuthorizer(storage);
  const hasRoles = kinds.some(kind => storage.list({ group: rbacGroup, kind }).some(role => !isCalled(role, kind, called)));
  if (hasRoles) return rbacAuthorizer(storage);
  return {
    authorize: () => {
      addNote(record, 'authorizer: all requests are allowed, because the state has no roles and bindings');
      return { allowed: true, reason: '', error: undefined };
    },
  };
}

function isCalled(object: ValueMap, kind: string, called: Called | undefined): boolean {
  if (called === undefined || called.kind.group !== rbacGroup || called.kind.kind !== kind) return false;
  const isCollection = called.name === '' && called.operation === 'DELETE';
  return (
    stringAt(object, 'metadata', 'namespace') === called.namespace && (isCollection || stringAt(object, 'metadata', 'name') === called.name)
  );
}

/**
 * Returns the authorizer of several: the first that allows or denies decides. Source: kubernetes pkg/kubeapiserver/authorizer/config.go, apiserver
 * authorization/union.
 */
function authorizerByModes(authorizers: readonly Authorizer[]): Authorizer {
  return {
    authorize: question => {
      if (question.user.groups.includes('system:masters')) return { allowed: true, reason: '', error: undefined };
      const answers: AuthorizerAnswer[] = [];
      for (const authorizer of authorizers) {
        const answer = authorizer.authorize(question);
        if (answer.allowed || answer.denied === true) return answer;
        answers.push(answer);
      }
      const reasons = answers.map(({ reason }) => reason).filter(reason => reason !== '');
      const errors = answers.flatMap(({ error }) => error ?? []);
      return { allowed: false, reason: reasons.join('\n'), error: errors.length === 0 ? undefined : aggregate(errors) };
    },
  };
}

function authorizerOfMode(mode: string, storage: Storage): Authorizer {
  if (mode === 'AlwaysAllow') return { authorize: () => ({ allowed: true, reason: '', error: undefined }) };
  if (mode === 'AlwaysDeny') return { authorize: () => ({ allowed: false, reason: 'Everything is forbidden.', error: undefined }) };
  return mode === 'Node' ? { authorize: question => nodeAnswer(question, storage) } : rbacAuthorizer(storage);
}

/**
 * Allows nodes what the role `system:node` allows. Which objects belong to the pods of a node is not checked. Source: kubernetes
 * plugin/pkg/auth/authorizer/node/node_authorizer.go.
 */
function nodeAnswer(question: AuthorizerQuestion, storage: Storage): AuthorizerAnswer {
  const { username, groups } = question.user;
  const isNode = groups.includes('system:nodes') && username.startsWith('system:node:') && username.length > 'system:node:'.length;
  const rules = isNode ? (defaultRules('system:node', storage) ?? []) : [];
  return { allowed: rules.some(rule => ruleAllows(rule, question)), reason: '', error: undefined };
}
