import type { JsonNode } from '../../go/json/node.js';
import type { ValueMap } from '../../go/value.js';
import type { GroupVersionKind } from '../../kubernetes/group-version.js';

/**
 * Reads and writes the objects of one kind in one version, built-in or custom.
 * The rules differ (Go structs here, maps there), what the line asks of them does not.
 */
export interface Codec {
  readonly kind: GroupVersionKind;

  /**
   * Reads JSON text as the API server reads a body of this kind: unknown members dropped, leaves in canonical form.
   * No defaults yet. Throws DecodeError when the text is no object of this kind. `node` is what the text holds, where it was read before.
   */
  decode(text: string, node?: JsonNode): Decoded;

  /** Fills in the version's defaults, in place, through the internal version and back where that shows. One default, when a device was
   * tainted, is the present time; without it that stays absent. */
  applyDefaults(value: ValueMap, now?: Date): void;

  /** Only the version's defaults, in place: what the API server does after a webhook's patch, before the next webhook of the same version. */
  setDefaults(value: ValueMap, now?: Date): void;

  /** What conversion to the internal version and back changes, in place. Throws DecodeError where a conversion fails. */
  throughInternal(value: ValueMap): void;

  /** The value as Go writes it: struct order or sorted keys, omission rules, escapes; compact, no newline. */
  encode(value: ValueMap): string;

  /** The value as reading that text without a type would give it; shares nothing that can change. */
  toUnstructured(value: ValueMap): ValueMap;
}

export interface Decoded {
  readonly value: ValueMap;
  /** What strict field validation would refuse, in the API server's words and order: `unknown field "spec.foo"`. At most 100. */
  readonly strictErrors: readonly string[];
}

/** The text is no object of the kind; the message is Go's own. */
export class DecodeError extends Error {
  override readonly name = 'DecodeError';
}
