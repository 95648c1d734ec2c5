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
  const stored = new Map<AdmittedRequest['served'], ValueMap>();
  for (const request of requestsOf(webhook, storage)) {
    const existing = stored.get(request.served) ?? (await createProbe(server, request));
    stored.set(request.served, existing);
    for (const { call, existing: others, shape } of callsOf(request, existing)) {
      const state: ClusterState = { server, objects: [configuration, ...others], presumesNamespaces: true, options: withoutPlugins };
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

/** Returns the object of a request as it is stored after its creation, with what the strategy and the defaults of its kind set. */
async function createProbe(server: ApiServer, request: AdmittedRequest): Promise<ValueMap> {
  const data = sampleOf(request, { name: 'probe' });
  const call = sending('POST', baseOf(request), data);
  const state: ClusterState = { server, objects: [], presumesNamespaces: true, options: withoutPlugins };
  const { decision } = await answerWithEffects(call, state, () => effectsFor(allowWithoutSending));
  return decision.object ?? simulatedObject(data);
}

function sampleOf(request: AdmittedRequest, metadata: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const { kind, namespaced } = request.served;
  const namespace = namespaced ? { namespace: 'default' } : {};
  return {
    apiVersion: apiVersionOf(kind),
    kind: kind.kind,
    ...sampleObjects.get(nameOf(request)),
    metadata: { ...metadata, ...namespace },
  };
}

function baseOf({ served: { group, version, namespaced, resource } }: AdmittedRequest): string {
  return `${group === '' ? '/api' : `/apis/${group}`}/${version}${namespaced ? '/namespaces/default' : ''}/${resource}`;
}

function callsOf(request: AdmittedRequest, stored: ValueMap): Trial[] {
  const { operation, subresource } = request;
  const existing = [stored];
  const base = baseOf(request);
  const path = `${base}/probe${subresource === '' ? '' : `/${subresource}`}`;
  switch (operation) {
    case 'CREATE': {
      if (subresource !== '') {
        const body = ownMember(sampleSubresources, subresource);
        return body === undefined ? [] : [{ call: sending('POST', path, body), existing, shape: '' }];
      }
      const named = { call: sending('POST', base, sampleOf(request, { name: 'probe' })), existing: [], shape: '' };
      const generated = {
        call: sending('POST', base, sampleOf(request, { generateName: 'probe-' })),
        existing: [],
        shape: 'with generateName',
      };
      return [named, generated];
    }
    case 'UPDATE': {
      const unchanged = { call: sending('PATCH', path, {}), existing, shape: '' };
      // A Scale without replicas has no field for them.
      const toZero = { call: sending('PATCH', path, { spec: { replicas: 0 } }), existing, shape: 'to 0 replicas' };
      if (subresource !== '') return subresource === 'scale' ? [unchanged, toZero] : [unchanged];
      const changes = [{ labels: { probe: '' } }, { annotations: { probe: '' } }];
      return changes.map(metadata => ({ call: sending('PATCH', path, { metadata }), existing, shape: '' }));
    }
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
