import type { ValueMap } from '../../go/value.js';
import type { ApiServer } from '../../kubernetes/api-server.js';
import { apiVersionOf, type GroupVersionKind } from '../../kubernetes/group-version.js';
import { NotReproduced } from '../admission/not-reproduced.js';
import { builtInCodec } from '../objects/built-in-codec.js';
import type { Codec } from '../objects/codec.js';
import { customCodec } from '../objects/custom-codec.js';

/**
 * Returns the codec of a kind: from the table of Go types, or from its definition. With a definition, a built-in kind is the Scale of custom
 * resources. Source: apiextensions-apiserver pkg/apiserver/customresource_handler.go, the scope of scale.
 */
export function codecFor(server: ApiServer, kind: GroupVersionKind, definition: ValueMap | undefined): Codec {
  const builtIn = builtInCodec(server, kind);
  if (builtIn !== undefined) return definition === undefined ? builtIn : scaleCodec(builtIn, definition);
  if (definition === undefined) throw new NotReproduced(`unknown type ${kind.kind} of ${apiVersionOf(kind)}`);
  return customCodec(server, kind, definition);
}

/** A Scale of a custom resource has no internal version: it is neither converted nor gets a type that it does not name. */
function scaleCodec(builtIn: Codec, definition: ValueMap): Codec {
  const { setDefaults } = builtIn;
  return {
    ...builtIn,
    applyDefaults: setDefaults,
    throughInternal: () => undefined,
    patched: customCodec(builtIn.server, builtIn.kind, definition),
  };
}
