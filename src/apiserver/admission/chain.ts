import type { ClusterState } from '../../kubernetes/api-call.js';
import type { ApiServer } from '../../kubernetes/api-server.js';
import type { Effects } from '../../kubernetes/effects.js';
import type { GroupVersionKind } from '../../kubernetes/group-version.js';
import type { Resource } from '../../kubernetes/resource-table.js';
import type { ApiServerOptions } from '../../kubernetes/server-options.js';
import type { Storage } from '../../kubernetes/storage.js';
import type { ApiObject } from '../objects/api-object.js';
import { encodedObject } from '../objects/encoded-object.js';
import type { Attributes, Operation } from './attributes.js';
import type { CallRecord } from './call-record.js';
import { whenAnswered } from './pending-answer.js';

/** Context that a plugin reads and writes. */
export interface AdmissionContext {
  readonly server: ApiServer;
  readonly state: ClusterState;
  readonly storage: Storage;
  /** All resources that this API server serves. */
  readonly resources: readonly Resource[];
  readonly effects: Effects;
  readonly record: CallRecord;
  /** Converts the object to another version of its kind; throws the API server's error when that fails. */
  readonly convert: (object: ApiObject, to: GroupVersionKind) => Promise<ApiObject>;
  /** Converts a mutated object back to the request's version; throws when a patch changed its kind. */
  readonly toRequestVersion: (object: ApiObject, own: ApiObject) => Promise<ApiObject>;
  /** Set by a plugin whose change requires a second pass. */
  readonly reinvocation: Reinvocation;
  /** Remaining time of the request in milliseconds; Infinity without a deadline. */
  readonly remainingMs: () => number;
}

export interface Reinvocation {
  /** True during the second pass. */
  isReinvoke: boolean;
  shouldReinvoke: boolean;
}

/**
 * Admission plugin. Refusals are thrown (StatusError, PlainError). Source: apiserver admission.MutationInterface,
 * admission.ValidationInterface.
 */
export interface AdmissionPlugin {
  readonly name: string;
  readonly operations: readonly Operation[];
  readonly admit?: (attributes: Attributes, context: AdmissionContext) => Promise<void> | void;
  readonly validate?: (attributes: Attributes, context: AdmissionContext) => Promise<void> | void;
}

/** The method of a plugin for a phase. */
export type AdmissionPhase = 'admit' | 'validate';

/** Requests that some of the plugins handle. */
export interface HandledRequests {
  readonly operation: Operation;
  readonly phase: AdmissionPhase;
}

/** Plugins of one API call, with the state they keep between the phases. */
export interface AdmissionChain {
  admit(attributes: Attributes): Promise<void>;
  validate(attributes: Attributes): Promise<void>;
}

/**
 * Runs the plugins in order; the first refusal ends a phase. The whole mutating phase runs a second time after a webhook changed the
 * object. Source: apiserver admission/chain.go, admission/reinvocation.go.
 */
export function admissionChain(
  pluginsFor: (handled: HandledRequests) => readonly AdmissionPlugin[],
  context: AdmissionContext,
): AdmissionChain {
  const { steps } = context.effects;
  const pass = async (given: Attributes, phase: AdmissionPhase): Promise<void> => {
    const attributes = context.effects.reviewsAreDryRuns === true ? { ...given, dryRun: true } : given;
    // Validating plugins do not change the object.
    const object = phase === 'admit' ? encodedObject(attributes.object) : undefined;
    const round = context.reinvocation.isReinvoke && phase === 'admit' ? 2 : 1;
    for (const plugin of pluginsFor({ operation: attributes.operation, phase })) {
      steps?.enter({ kind: 'plugin', phase: phase === 'admit' ? 'mutating' : 'validating', name: plugin.name, round }, object);
      const evaluated = context.record.policies.length;
      const ends = runPlugin(plugin, phase, attributes, context);
      // Most plugins are synchronous, and awaiting dozens of them would take longer than running them.
      if (ends !== undefined) await ends;
      if (context.record.policies.length > evaluated) steps?.keep();
    }
  };
  return {
    admit: async attributes => {
      context.reinvocation.isReinvoke = false;
      context.reinvocation.shouldReinvoke = false;
      await pass(attributes, 'admit');
      if (context.reinvocation.shouldReinvoke) {
        context.reinvocation.isReinvoke = true;
        await pass(attributes, 'admit');
      }
      steps?.enter({ kind: 'prepare', phase: 'object' }, encodedObject(attributes.object));
    },
    validate: async attributes => {
      await pass(attributes, 'validate');
      steps?.enter({ kind: 'storage', phase: 'answer' });
    },
  };
}

/** Runs a plugin, again while authorizers that it asks wait for the answers of others. */
function runPlugin(
  plugin: AdmissionPlugin,
  phase: AdmissionPhase,
  attributes: Attributes,
  context: AdmissionContext,
): Promise<void> | void {
  if (context.state.otherAuthorizers === undefined) return plugin[phase]?.(attributes, context);
  const { policies, warnings } = context.record;
  const [policiesBefore, warningsBefore] = [policies.length, warnings.length];
  return whenAnswered(() => {
    policies.length = policiesBefore;
    warnings.length = warningsBefore;
    return plugin[phase]?.(attributes, context);
  });
}

/** The two plugins that call webhooks, created for each call. */
export interface WebhookPlugins {
  readonly mutating: AdmissionPlugin;
  readonly validating: AdmissionPlugin;
}

/** Returns the plugins that run, in the API server's order, by the API server's options; with `handled`, those that handle such requests. */
type EnabledPlugins = (
  server: ApiServer,
  options: ApiServerOptions,
  webhooks: WebhookPlugins,
  handled?: HandledRequests,
) => readonly AdmissionPlugin[];

declare module '../../kubernetes/api-server.js' {
  interface ApiServer {
    /** The in-tree plugins. Source: kubernetes pkg/kubeapiserver/options/plugins.go RegisterAllAdmissionPlugins. */
    readonly plugins: EnabledPlugins;
  }
}
