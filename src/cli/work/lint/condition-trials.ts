import { allowWithoutSending } from '../../../client/run/allowing-webhook.js';
import { answerWithEffects } from '../../../client/run/run-calls.js';
import { writeValue } from '../../../go/json/write.js';
import { ownMember } from '../../../go/own-members.js';
import { toValue, type Value, type ValueMap } from '../../../go/value.js';
import type { ApiCall, ClusterState } from '../../../kubernetes/api-call.js';
import type { ApiServer } from '../../../kubernetes/api-server.js';
import { apiVersionOf } from '../../../kubernetes/group-version.js';
import type { Storage } from '../../../kubernetes/storage.js';
import { type AdmittedRequest, admittedRequests, ruleMatches } from '../../../lint/requests.js';
import type { ConditionTrial, LintedWebhook } from '../../../lint/rule.js';
import { sampleObjects, sampleSubresources } from '../../../lint/sample-objects.js';
import { effectsFor } from '../../shell/effects.js';
import { onlyWebhook, simulatedObject, toMap, withoutPlugins } from './simulated-calls.js';

/** Kinds on which the conditions of a rule for all resources are evaluated. */
const maxResources = 8;

/**
 * Evaluates the conditions of a webhook on small objects of the built-in kinds that its rules match, for every operation on them and on
 * their subresources; with other expressions if they are given. Returns the errors.
 */
export async function tryConditions(
  server: ApiServer,
  webhook: LintedWebhook,
  { storage, expressions }: { readonly storage: Storage; readonly expressions?: readonly string[] | undefined },
): Promise<ConditionTrial[]> {
  const conditions = webhook.matchConditions.map(({ name, expression }, i) =>
    toValue({ name, expression: expressions?.[i] ?? expression }),
  );
  const anything: Value = new Map();
  // Selectors decide before conditions; with Ignore, an error is reported with its condition.
  const changes = { failurePolicy: 'Ignore', matchConditions: conditions, namespaceSelector: anything, objectSelector: anything };
  const configuration = onlyWebhook(webhook, changes);
  const failed: ConditionTrial[] = [];
  for (const request of requestsOf(webhook, storage)) {
    for (const { call, existing, shape } of callsOf(request)) {
      const state: ClusterState = { server, objects: [configuration, ...existing], presumesNamespaces: true, options: withoutPlugins };
      const { webhooks } = await answerWithEffects(call, state, () => effectsFor(allowWithoutSending));
      const { operation, resource, subresource } = request;
      const place = { operation, resource: subresource === '' ? resource.resource : `${resource.resource}/${subresource}`, shape };
      for (const { skipReason } of webhooks)
        for (const { index, error } of skipReason?.conditions ?? []) if (error !== undefined) failed.push({ ...place, index, error });
    }
  }
  return failed;
}

/** Returns the requests that the rules match, of the resources that have a sample, the most frequent ones first. */
function requestsOf({ rules, matchPolicy }: LintedWebhook, storage: Storage): AdmittedRequest[] {
  const matched = admittedRequests(storage).filter(
    request => !request.served.custom && rules.some(rule => ruleMatches(rule, request, matchPolicy)),
  );
  const names = [...sampleObjects.keys()].filter(name => matched.some(request => nameOf(request) === name)).slice(0, maxResources);
  return matched.filter(request => names.includes(nameOf(request)));
}

function nameOf({ resource: { group, resource } }: AdmittedRequest): string {
  return `${group}/${resource}`;
}

interface Trial {
  readonly call: ApiCall;
  readonly existing: readonly ValueMap[];
  /** What is special about the object; empty for the smallest one. */
  readonly shape: string;
}

function callsOf(request: AdmittedRequest): Trial[] {
  const { operation, subresource, served } = request;
  const namespace = served.namespaced ? 'default' : undefined;
  const own = { apiVersion: apiVersionOf(served.kind), kind: served.kind.kind, ...sampleObjects.get(nameOf(request)) };
  const object = (metadata: Record<string, unknown>) => ({ ...own, metadata: { ...metadata, namespace } });
  const existing = [simulatedObject(object({ name: 'probe' }))];
  const { group, version } = served;
  const base = `${group === '' ? '/api' : `/apis/${group}`}/${version}${namespace === undefined ? '' : `/namespaces/${namespace}`}/${served.resource}`;
  const path = `${base}/probe${subresource === '' ? '' : `/${subresource}`}`;
  switch (operation) {
    case 'CREATE': {
      if (subresource !== '') {
        const body = ownMember(sampleSubresources, subresource);
        return body === undefined ? [] : [{ call: sending('POST', path, body), existing, shape: '' }];
      }
      const named = { call: sending('POST', base, object({ name: 'probe' })), existing: [], shape: '' };
      const generated = { call: sending('POST', base, object({ generateName: 'probe-' })), existing: [], shape: 'with generateName' };
      return [named, generated];
    }
    case 'UPDATE':
      return [{ call: sending('PATCH', path, subresource === '' ? { metadata: { labels: { probe: '' } } } : {}), existing, shape: '' }];
    case 'DELETE':
      return [{ call: { method: 'DELETE', path }, existing, shape: '' }];
    default:
      return [{ call: { method: 'GET', path: `${path}?command=a` }, existing, shape: '' }];
  }
}

function sending(method: 'POST' | 'PATCH', path: string, body: object): ApiCall {
  const contentType = method === 'POST' ? 'application/json' : 'application/merge-patch+json';
  return { method, path, contentType, body: Buffer.from(writeValue(toMap({ ...body }), 'kept')) };
}
