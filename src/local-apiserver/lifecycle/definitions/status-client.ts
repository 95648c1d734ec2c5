import { handleCall } from '../../../apiserver/handle-call.js';
import { writeValue } from '../../../go/json/write.js';
import { stringAt, type ValueMap } from '../../../go/value.js';
import type { ClusterState } from '../../../kubernetes/api-call.js';
import type { Effects } from '../../../kubernetes/effects.js';

/** Result of a status update: `lost` means that the definition is gone or has changed, so that the controller is called again. */
export type StatusUpdate = 'written' | 'lost';

/**
 * Writes the status of a definition as the API server's own client does: through admission, with `kube-apiserver` as the manager of what
 * changes. Throws an error with the message of any other refusal. Source: apiextensions-apiserver pkg/controller, UpdateStatus.
 */
export async function updateStatus(definition: ValueMap, state: ClusterState, effects: Effects): Promise<StatusUpdate> {
  const name = stringAt(definition, 'metadata', 'name');
  const { answer } = await handleCall(
    {
      method: 'PUT',
      path: `/apis/apiextensions.k8s.io/v1/customresourcedefinitions/${name}/status`,
      contentType: 'application/json',
      userAgent: 'kube-apiserver',
      headers: {},
      body: Buffer.from(writeValue(definition, 'kept')),
      user: loopbackUser,
    },
    state,
    effects,
  );
  if (answer.status < 300) return 'written';
  if (answer.status === 404 || answer.status === 409) return 'lost';
  throw new Error(answer.body);
}

/** Source: apiserver server/config.go AuthorizeClientBearerToken. */
const loopbackUser = { username: 'system:apiserver', uid: '', groups: ['system:authenticated', 'system:masters'], extra: {} };
