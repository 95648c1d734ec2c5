import { webhooksOf } from '../../../apiserver/webhooks/webhook.js';
import type { Manifest } from '../../../client/manifests/manifests.js';
import { mapAt, stringAt, type ValueMap } from '../../../go/value.js';
import type { ApiServer } from '../../../kubernetes/api-server.js';
import { isDefinition } from '../../../kubernetes/definition-resources.js';
import { memoize } from '../../../kubernetes/memoize.js';
import { defaultServerOptions } from '../../../kubernetes/server-options.js';
import { storageOf } from '../../../kubernetes/storage.js';
import { lintedBindings, lintedPolicies } from '../../../lint/policies.js';
import type { LintedDefinition, LintSubject } from '../../../lint/rule.js';
import { isApiService, isConfiguration } from '../webhooks/configurations.js';

/** Returns the input of the lint rules for the objects of files. */
export function lintSubjectOf(server: ApiServer, manifests: readonly Manifest[], now: Date): LintSubject {
  const objects = manifests.map(({ object }) => (stringAt(object, 'kind') === 'Namespace' ? storedNamespace(object) : object));
  const webhooks = objects.filter(isConfiguration).flatMap(object => {
    const phase = stringAt(object, 'kind') === 'MutatingWebhookConfiguration' ? 'mutating' : 'validating';
    const own = webhooksOf(storageOf({ server, objects: [object], presumesNamespaces: false, options: defaultServerOptions }), phase);
    return own.map((webhook, i) => ({ ...webhook, place: { object, pointer: `/webhooks/${i}` } }));
  });
  const named = (object: ValueMap) => ({ name: stringAt(object, 'metadata', 'name'), place: { object, pointer: '' } });
  const definitions = objects.filter(isDefinition).map(named);
  const apiServices = objects.filter(isApiService).map(named);
  const storage = storageOf({ server, objects, presumesNamespaces: false, options: defaultServerOptions });
  const tryWhileDown: LintSubject['refusedWhileDown'] = async (webhook, steps) => {
    const { tryStepsWhileDown } = await import('./outages.js');
    return tryStepsWhileDown(server, webhook, { objects, steps });
  };
  const tryConditionsOf: LintSubject['failedTrials'] = async (webhook, expressions) => {
    const trials = await import('./condition-trials.js');
    return trials.tryConditions(server, webhook, { storage, expressions });
  };
  const tryRulesOf = memoize(async (definition: LintedDefinition) => {
    const trials = await import('./rule-trials.js');
    return trials.tryRules(server, definition);
  });
  const policies = { policies: lintedPolicies(storage), bindings: lintedBindings(storage) };
  return {
    server,
    webhooks,
    definitions,
    apiServices,
    ...policies,
    storage,
    knowsNamespaces: objects.some(
      object => stringAt(object, 'kind') === 'Namespace' && stringAt(object, 'metadata', 'name') === 'kube-system',
    ),
    now,
    failedTrials: tryConditionsOf,
    failedRules: tryRulesOf,
    refusedWhileDown: tryWhileDown,
  };
}

/** Returns a Namespace with the label that the API server sets on each; selectors for it are evaluated. */
function storedNamespace(namespace: ValueMap): ValueMap {
  const metadata: ValueMap = new Map(mapAt(namespace, 'metadata') ?? []);
  const labels: ValueMap = new Map(mapAt(metadata, 'labels') ?? []);
  labels.set('kubernetes.io/metadata.name', stringAt(metadata, 'name'));
  metadata.set('labels', labels);
  return new Map(namespace).set('metadata', metadata);
}
