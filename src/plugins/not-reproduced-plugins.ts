import type { Attributes, Operation } from '../apiserver/admission/attributes.js';
import type { AdmissionPlugin } from '../apiserver/admission/chain.js';
import { addNote } from '../kubernetes/call-notes.js';
import type { KubernetesMinor } from '../kubernetes/kubernetes-version.js';
import { concernsMainObject } from './objects/main-object.js';

const all: readonly Operation[] = ['CREATE', 'UPDATE', 'DELETE', 'CONNECT'];

/** NodeRestriction: limits the writes of nodes. Source: kubernetes plugin/pkg/admission/noderestriction. */
export const nodeRestriction = saying('NodeRestriction', all, ({ user }) => user.groups.includes('system:nodes'));

/** EventRateLimit: counts events over time. Source: kubernetes plugin/pkg/admission/eventratelimit. */
export const eventRateLimit = saying('EventRateLimit', ['CREATE', 'UPDATE'], ({ kind }) => kind.kind === 'Event');

/** ImagePolicyWebhook: calls a server that is named in a file of the API server. Source: kubernetes plugin/pkg/admission/imagepolicy. */
export const imagePolicyWebhook = saying('ImagePolicyWebhook', ['CREATE', 'UPDATE'], attributes => concernsMainObject(attributes, 'pods.'));

/** Returns a plugin whose behavior is not reproduced: it adds a note for the calls it would check. */
function saying(name: string, operations: readonly Operation[], looksAt: (attributes: Attributes) => boolean): AdmissionPlugin {
  return {
    name,
    operations,
    validate: (attributes, { record }) => {
      if (looksAt(attributes)) addNote(record, `admission plugin ${name} is not reproduced: its decision on this call is missing`);
    },
  };
}

/** Plugins that do nothing in the one minor that has them: they depend on disabled feature gates. */
export const inert: readonly { readonly plugin: AdmissionPlugin; readonly minor: KubernetesMinor }[] = (
  [
    ['PodGroupWorkloadExists', 'v1.36'],
    ['JobValidation', 'v1.36'],
    ['AuthorizationConditionsEnforcer', 'v1.38'],
  ] as const
).map(([name, minor]) => ({ plugin: { name, operations: [] }, minor }));
