import type { Attributes, Operation } from '../apiserver/admission/attributes.js';
import type { AdmissionPlugin } from '../apiserver/admission/chain.js';
import { addNote } from '../kubernetes/call-notes.js';
import { concerns } from './main-object.js';

const all: readonly Operation[] = ['CREATE', 'UPDATE', 'DELETE', 'CONNECT'];

/** What a node may write. Source: kubernetes plugin/pkg/admission/noderestriction. */
export const nodeRestriction = saying('NodeRestriction', all, ({ user }) => user.groups.includes('system:nodes'));

/** Counts events over time. Source: kubernetes plugin/pkg/admission/eventratelimit. */
export const eventRateLimit = saying('EventRateLimit', ['CREATE', 'UPDATE'], ({ kind }) => kind.kind === 'Event');

/** Asks a server of its own, which a file of the API server names. Source: kubernetes plugin/pkg/admission/imagepolicy. */
export const imagePolicyWebhook = saying('ImagePolicyWebhook', ['CREATE', 'UPDATE'], attributes => concerns(attributes, 'pods.'));

/** Returns a plugin whose behaviour is not reproduced: it says so for the calls it would look at. */
function saying(name: string, operations: readonly Operation[], looksAt: (attributes: Attributes) => boolean): AdmissionPlugin {
  return {
    name,
    operations,
    validate: (attributes, { record }) => {
      if (looksAt(attributes)) addNote(record, `admission plugin ${name} is not reproduced: what it would say about this call is missing`);
    },
  };
}

/** Plugins that do nothing in this version: what they are for is behind feature gates that are off, or needs what kubelets report. */
export const inert: readonly AdmissionPlugin[] = [
  'PodGroupProtection',
  'PodGroupWorkloadExists',
  'NodeDeclaredFeatureValidator',
  'JobValidation',
].map(name => ({ name, operations: [] }));
