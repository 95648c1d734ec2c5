import type { ValueMap } from '../go/value.js';
import type { StepRecorder } from './call-steps.js';
import type { EvaluatedExpression } from './evaluated-expression.js';
import type { RuleObserver } from './rule-part.js';
import type { ServiceName } from './service-name.js';
import type { CallWebhook, WebhookAddress } from './webhook-call.js';

/** Side effects: webhook call, UUIDs, time, randomness. */
export interface Effects {
  readonly callWebhook: CallWebhook;
  /** Returns a random version 4 UUID in lower case. */
  readonly uid: () => string;
  readonly now: () => Date;
  /** Returns a number in [0, 1). */
  readonly random: () => number;
  /** Returns the address to which the user mapped a service; other services are resolved by the Service objects of the state. */
  readonly serviceAddress?: (service: ServiceName | undefined) => WebhookAddress | undefined;
  /** Nothing is sent: a Service whose spec lets the API server connect to nothing has the address of `serviceAddress`, too. */
  readonly ignoresServiceSpecs?: true;
  /** Reviews say `dryRun: true`, and webhooks are called by the rules of dry runs, also for calls that are none. */
  readonly reviewsAreDryRuns?: boolean | undefined;
  /** Called for every rule, condition and validation that the call reaches; absent without coverage. */
  readonly observer?: RuleObserver | undefined;
  /** Called with the values of every evaluated expression of policies and match conditions; absent when nobody asks for them. */
  readonly onExpression?: ((expression: EvaluatedExpression) => void) | undefined;
  /**
   * `group/version` of objects that nobody knows, because no conversion webhook was called: no match condition is evaluated with them. Absent where conversions are
   * sent.
   */
  readonly unknownVersions?: ReadonlySet<string> | undefined;
  /** Measures the steps of the call; absent when nobody asks for them. */
  readonly steps?: StepRecorder | undefined;
  /**
   * Called where the validating phase refuses a create or an update, with what returns the object that would have been stored without the refusal; absent when
   * nobody asks for it.
   */
  readonly onRefused?: ((proceed: () => Promise<ValueMap | undefined>) => void) | undefined;
  /** Returns the milliseconds since the call arrived, as the API server would count them: mostly those of webhooks. */
  readonly elapsedMs: () => number;
}
