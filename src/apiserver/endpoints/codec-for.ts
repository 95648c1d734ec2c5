import type { ValueMap } from '../../go/value.js';
import { apiVersionOf, type GroupVersionKind } from '../../kubernetes/group-version.js';
import { NotReproduced } from '../admission/not-reproduced.js';
import { builtInCodec } from '../objects/built-in-codec.js';
import type { Codec } from '../objects/codec.js';
import { customCodec } from '../objects/custom/custom-codec.js';

/** Returns the codec of a kind: from the table of Go types, or from its definition. */
export function codecFor(kind: GroupVersionKind, definition: ValueMap | undefined): Codec {
  const builtIn = builtInCodec(kind);
  if (builtIn !== undefined) return builtIn;
  if (definition === undefined) throw new NotReproduced(`unknown type ${kind.kind} of ${apiVersionOf(kind)}`);
  return customCodec(kind, definition);
}
