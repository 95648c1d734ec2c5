import { isMap, listAt, stringAt, toValue, type Value, type ValueMap } from '../../go/value.js';
import type { ClusterState } from '../../kubernetes/api-call.js';
import { kindOf } from '../../kubernetes/storage.js';

/** A mutating webhook of a state, and the configuration it is in. */
export interface Registered {
  readonly configuration: string;
  readonly entry: ValueMap;
}

/** The mutating webhooks of a state in the order the API server calls them. Source: apiserver configuration/mutating_webhook_manager.go. */
export function mutatingWebhooksOf({ objects }: ClusterState): Registered[] {
  const configurations = objects.filter(object => isWebhooks(object, 'MutatingWebhookConfiguration'));
  const named = configurations.map(object => ({ name: stringAt(object, 'metadata', 'name'), object }));
  const sorted = named.sort((a, b) => Buffer.compare(Buffer.from(a.name), Buffer.from(b.name)));
  return sorted.flatMap(({ name, object }) =>
    listAt(object, 'webhooks')
      .filter(isMap)
      .map(entry => ({ configuration: name, entry })),
  );
}

/**
 * The state with these mutating webhooks in this order, each under the name it is to have in the report, and none that validate:
 * the API server's own way of calling them asks the questions. Nobody is called a second time unasked.
 */
export function withMutatingWebhooks(
  state: ClusterState,
  webhooks: readonly { readonly name: string; readonly entry: ValueMap }[],
): ClusterState {
  const others = state.objects.filter(
    object => !isWebhooks(object, 'MutatingWebhookConfiguration') && !isWebhooks(object, 'ValidatingWebhookConfiguration'),
  );
  const entries = webhooks.map(({ name, entry }) => new Map<string, Value>([...entry, ['name', name], ['reinvocationPolicy', 'Never']]));
  const configuration = toValue({
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'MutatingWebhookConfiguration',
    metadata: { name: 'check' },
    webhooks: entries,
  });
  return { ...state, objects: isMap(configuration) ? [...others, configuration] : others };
}

function isWebhooks(object: ValueMap, kind: string): boolean {
  const own = kindOf(object);
  return own.group === 'admissionregistration.k8s.io' && own.kind === kind;
}
