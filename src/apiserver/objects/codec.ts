import type { JsonNode } from '../../go/json/node.js';
import type { ValueMap } from '../../go/value.js';
import type { ApiServer } from '../../kubernetes/api-server.js';
import type { GroupVersionKind } from '../../kubernetes/group-version.js';

/**
 * Reads and writes the objects of one kind in one version, built-in or custom. The rules differ (Go structs or maps), the interface does
 * not.
 */
export interface Codec {
  readonly kind: GroupVersionKind;
  readonly server: ApiServer;

  /**
   * Reads JSON text as the API server reads a body of this kind: unknown fields dropped, leaves in canonical form, no defaults. Throws
   * DecodeError for text that is not an object of this kind. `node` is the parsed text, when available.
   */
  decode(text: string, node?: JsonNode): Decoded;

  /**
   * Applies the version's defaults in place, by conversion to the internal version and back where that has an effect. One default, the time
   * when a device was tainted, is the current time; without a clock it stays absent.
   */
  applyDefaults(value: ValueMap, now?: Date): void;

  /**
   * Applies only the version's defaults, in place, as the API server does between a webhook's patch and the next webhook of the same
   * version.
   */
  setDefaults(value: ValueMap, now?: Date): void;

  /** Applies, in place, the changes of conversion to the internal version and back. Throws DecodeError where a conversion fails. */
  throughInternal(value: ValueMap): void;

  /** Returns the value as Go writes it: struct order or sorted keys, omission rules, escapes; compact, no newline. */
  encode(value: ValueMap): string;

  /** Returns the value as read from that text without a type; shares no mutable values. */
  toUnstructured(value: ValueMap): ValueMap;

  /**
   * Codec of the object after a webhook's patch, if it is another one: an endpoint of a custom resource creates only untyped objects, even
   * for a Scale.
   */
  readonly patched?: Codec;
}

export interface Decoded {
  readonly value: ValueMap;
  /** Errors of strict field validation, in the API server's words and order: `unknown field "spec.foo"`. At most 100. */
  readonly strictErrors: readonly string[];
}

/** Text that is not an object of the kind; the message is Go's own. */
export class DecodeError extends Error {
  override readonly name = 'DecodeError';
}
