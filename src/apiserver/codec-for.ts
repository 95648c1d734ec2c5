import type { ClusterState } from '../kubernetes/api-call.js';
import { apiVersionOf } from '../kubernetes/group-version.js';
import { NotReproduced } from './admission/not-reproduced.js';
import { builtInCodec } from './objects/built-in-codec.js';
import type { Codec } from './objects/codec.js';
import type { Endpoint } from './served-resources.js';

/** How the endpoint's objects are read and written. */
export function codecFor({ resource, subresource }: Endpoint, _state: ClusterState): Codec {
  const kind = subresource?.kind ?? resource.kind;
  const codec = resource.custom && subresource?.name !== 'scale' ? undefined : builtInCodec(kind);
  if (codec === undefined) throw new NotReproduced(`custom resources are not reproduced yet: ${kind.kind} of ${apiVersionOf(kind)}`);
  return codec;
}
