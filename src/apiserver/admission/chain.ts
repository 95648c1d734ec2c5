import type { ClusterState } from '../../kubernetes/api-call.js';
import type { Effects } from '../../kubernetes/effects.js';
import type { GroupVersionKind } from '../../kubernetes/group-version.js';
import type { Resource } from '../../kubernetes/resource-table.js';
import type { Storage } from '../../kubernetes/storage.js';
import type { ApiObject } from '../objects/api-object.js';
import type { Attributes, Operation } from './attributes.js';
import type { CallRecord } from './call-record.js';

/** What a plugin may look at and write to. */
export interface AdmissionContext {
  readonly state: ClusterState;
  readonly storage: Storage;
  /** Every resource this API server serves. */
  readonly resources: readonly Resource[];
  readonly effects: Effects;
  readonly record: CallRecord;
  /** The object in another version of its kind; throws what the API server answers when that is not possible. */
  readonly convert: (object: ApiObject, to: GroupVersionKind) => Promise<ApiObject>;
  /** A mutated object taken back into the version of the request's own; throws when a patch made something else of it. */
  readonly toRequestVersion: (object: ApiObject, own: ApiObject) => Promise<ApiObject>;
  /** Set by whoever changed the object in a way that asks for a second pass. */
  readonly reinvocation: Reinvocation;
  /** Milliseconds that are left of the request's time; Infinity without a deadline. */
  readonly remainingMs: () => number;
}

export interface Reinvocation {
  /** The second pass is running. */
  isReinvoke: boolean;
  shouldReinvoke: boolean;
}

/**
 * One admission plugin, in the API server's sense. Refusals are thrown (StatusError, PlainError).
 * Source: apiserver admission.MutationInterface, admission.ValidationInterface.
 */
export interface AdmissionPlugin {
  readonly name: string;
  readonly operations: readonly Operation[];
  readonly admit?: (attributes: Attributes, context: AdmissionContext) => Promise<void> | void;
  readonly validate?: (attributes: Attributes, context: AdmissionContext) => Promise<void> | void;
}

/** The plugins of one API call, with what they remember between the phases. */
export interface AdmissionChain {
  admit(attributes: Attributes): Promise<void>;
  validate(attributes: Attributes): Promise<void>;
}

/**
 * Runs the plugins in their order; the first refusal ends a phase. Mutation runs a second time, all of it, when a
 * webhook changed the object. Source: apiserver admission/chain.go, admission/reinvocation.go.
 */
export function admissionChain(plugins: readonly AdmissionPlugin[], context: AdmissionContext): AdmissionChain {
  const pass = async (attributes: Attributes, phase: 'admit' | 'validate'): Promise<void> => {
    for (const plugin of plugins) {
      if (!plugin.operations.includes(attributes.operation)) continue;
      const ends = plugin[phase]?.(attributes, context);
      // Most plugins are done at once: there are dozens, and waiting for them takes longer than they do.
      if (ends !== undefined) await ends;
    }
  };
  return {
    admit: async attributes => {
      context.reinvocation.isReinvoke = false;
      context.reinvocation.shouldReinvoke = false;
      await pass(attributes, 'admit');
      if (!context.reinvocation.shouldReinvoke) return;
      context.reinvocation.isReinvoke = true;
      await pass(attributes, 'admit');
    },
    validate: attributes => pass(attributes, 'validate'),
  };
}
