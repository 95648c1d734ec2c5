import type { ValueMap } from '../go/value.js';
import type { ClusterState } from '../kubernetes/api-call.js';
import { versionsOfDefinition } from '../kubernetes/definition-resources.js';
import type { Effects } from '../kubernetes/effects.js';
import { newCallRecord } from './admission/call-record.js';
import type { CallContext, Serving } from './call/call-context.js';
import { servedBy } from './call/served-resources.js';
import { callContextAt } from './call-context-at.js';
import { noDeadlines } from './filters/deadlines.js';
import { deleteCollection } from './handlers/delete-collection.js';
import { storageVersion } from './storage/custom-storage.js';
import { listPage } from './storage/list-objects.js';
import { listOptionsOf } from './storage/list-options.js';

/** Watch caches of the server. */
type Caches = Pick<Serving, 'watchCache' | 'cachesSettled'>;

/** Objects of a definition, as the storage of its storage version shows them, without admission. */
export interface Instances {
  /** Returns all objects. Throws the error of a list. */
  readonly list: () => Promise<readonly ValueMap[]>;
  /** Deletes the objects of a namespace; those with finalizers are only marked. Throws the first error. */
  readonly deleteIn: (namespace: string) => Promise<void>;
}

/**
 * Returns the objects of a definition for the API server itself, whether it serves them or not. Source: apiextensions-apiserver
 * pkg/apiserver/customresource_handler.go GetCustomResourceListerCollectionDeleter.
 */
export function instancesOf(
  definition: ValueMap,
  state: ClusterState,
  world: { readonly effects: () => Effects; readonly caches?: Caches },
): Instances {
  const at = (namespace: string): CallContext => contextIn(namespace, definition, state, world);
  return {
    list: async () => {
      const context = at('');
      const { objects } = await listPage(listOptionsOf(context.server, context.query), context);
      return objects.map(object => object.value);
    },
    deleteIn: async namespace => {
      await deleteCollection(at(namespace));
    },
  };
}

const unchecked = { admit: () => Promise.resolve(), validate: () => Promise.resolve() };

/** Returns the context of a deletion of the collection in the storage version; an empty namespace stands for all. */
export function contextIn(
  namespace: string,
  definition: ValueMap,
  state: ClusterState,
  { effects, caches }: { readonly effects: () => Effects; readonly caches?: Caches },
  version = storageVersion(definition),
): CallContext {
  const resource = versionsOfDefinition(definition).find(known => known.version === version);
  if (resource === undefined) throw new Error(`a definition without the version ${version}`);
  const { group, resource: plural } = resource;
  const context = callContextAt(
    {
      call: { method: 'DELETE', path: '', headers: {}, contentType: undefined, userAgent: undefined, body: undefined, user: undefined },
      info: {
        type: 'resource',
        group,
        version,
        namespace,
        resource: plural,
        name: '',
        subresource: '',
        rest: '',
        inNamespace: namespace !== '',
        watches: false,
      },
      endpoint: { resource, subresource: undefined, verb: 'deletecollection' },
      served: servedBy(state),
      definition,
    },
    state,
    { effects: effects(), record: newCallRecord(), serving: undefined, deadlines: noDeadlines },
  );
  const watch = (): Promise<never> => Promise.reject(new Error('nothing is watched'));
  return { ...context, chain: unchecked, serving: { negotiate: () => undefined, watch, ...caches } };
}
