import type { Fault } from '../../apiserver/admission/webhook-report.js';
import type { ValueMap } from '../../go/value.js';
import type { FailureClass } from '../../kubernetes/webhook-call.js';
import type { ConversionFinding } from './checks.js';

/** What became of one object in another version. */
export type ReportedConversion = {
  /** `Lamp team/w1` */
  readonly object: string;
  /** Versions without their group. */
  readonly from: string;
  readonly to: string;
  /** The object as the API server holds it before. */
  readonly stored: ValueMap;
} & (
  | {
      readonly outcome: 'converted';
      /** False where nothing but the version had to change. */
      readonly calledWebhook: boolean;
      /** As a client gets it. */
      readonly converted: ValueMap;
    }
  | {
      readonly outcome: 'failed';
      /** The API server's words. */
      readonly message: string;
      /** Undefined: the definition itself allows no such conversion. */
      readonly failure?: ConversionFailure | undefined;
    }
);

/** Why a conversion failed, and what can be done about it. */
export interface ConversionFailure {
  /** Undefined: the webhook itself says that it cannot be. */
  readonly class?: FailureClass | undefined;
  /** Of the table of causes. */
  readonly cause: string;
  readonly fault: Fault;
  readonly why: string;
  readonly try: string;
}

/** What conversions led to: those that were asked for, and what checks of the webhook found. */
export interface ConversionRun {
  readonly conversions: readonly ReportedConversion[];
  /** Undefined: nobody asked for the checks. */
  readonly findings?: readonly ConversionFinding[] | undefined;
  readonly notes: readonly string[];
}
