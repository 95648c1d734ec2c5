import type { WebhookFault } from '../../apiserver/admission/webhook-report.js';
import type { ValueMap } from '../../go/value.js';
import type { FailureClass } from '../../kubernetes/webhook-call.js';
import type { ConversionFinding } from './checks.js';

/** Result of converting one object to another version. */
export type ReportedConversion = {
  /** `Lamp team/w1` */
  readonly object: string;
  /** Versions without their group. */
  readonly from: string;
  readonly to: string;
  /** The stored object, before the conversion. */
  readonly stored: ValueMap;
} & (
  | {
      readonly outcome: 'converted';
      /** False if only the apiVersion had to change. */
      readonly calledWebhook: boolean;
      /** As returned to a client. */
      readonly converted: ValueMap;
    }
  | {
      readonly outcome: 'failed';
      /** The API server's message. */
      readonly message: string;
      /** Undefined if the definition does not allow the conversion. */
      readonly failure?: ConversionFailure | undefined;
    }
);

/** Why a conversion failed, and how to fix it. */
export interface ConversionFailure {
  /** Undefined if the webhook itself refused. */
  readonly class?: FailureClass | undefined;
  /** Id of a cause in the table of causes. */
  readonly cause: string;
  readonly fault: WebhookFault;
  readonly why: string;
  readonly try: string;
}

/** Result of the requested conversions and of the webhook's checks. */
export interface ConversionRun {
  readonly conversions: readonly ReportedConversion[];
  /** Undefined if no checks were requested. */
  readonly findings?: readonly ConversionFinding[] | undefined;
  readonly notes: readonly string[];
}
