import type { AnswerPath } from '../client/field-path.js';
import type { CheckName } from '../client/options/call-checks.js';
import type { ApiCallFlags, InputFlags, PodOptions, ServerFlags } from '../client/options/call-options.js';
import type { ConversionOptions } from '../client/options/conversion-options.js';
import type { WebhookFlagOptions } from '../client/options/webhook-options.js';
import type { Value } from '../go/value.js';
import type { KubernetesMinor } from '../kubernetes/kubernetes-version.js';
import type { FailureClass } from '../kubernetes/webhook-call.js';
import type { SuitePlace } from './place.js';
import type { Recording } from './recording.js';
import type { ScenarioName } from './scenarios/scenario.js';
import type { SnapshotScope } from './snapshot-folder.js';

/** Options of a step: those of its call, and the files that it reads. */
export type StepOptions = ApiCallFlags & InputFlags;

/** Options of a case: of its calls or conversions, and of the cluster they are made in. It may be about some of the suite's webhooks only. */
export type CaseOptions = StepOptions & ServerFlags & PodOptions & ConversionOptions & Pick<WebhookFlagOptions, 'webhook'>;

/** A file of test cases, or a folder of manifests without suite files, ready to run. Plain data, which can be copied to threads. */
export interface Suite {
  readonly name: string;
  /** The suite file or folder, as given by the user. */
  readonly file: string;
  /** The folder of its snapshots, relative to the working directory, and the suites whose snapshots are known. */
  readonly snapshots: { readonly folder: string; readonly scope: SnapshotScope };
  /** Which webhooks exist and how to reach them. */
  readonly webhook: Omit<WebhookFlagOptions, 'webhook'>;
  /**
   * The process to start before; `${PORT}` and `${CERTS}` in it and in the options above are replaced by a free port and a folder of
   * certificates.
   */
  readonly process?: SuiteProcess;
  /** The API server of that process; `${KUBECONFIG}` in it is replaced by the file that names it. */
  readonly apiserver?: SuiteApiserver;
  readonly cases: readonly SuiteCase[];
  /** Versions of the API server to run it for, sequentially. */
  readonly kubernetesVersions?: readonly KubernetesMinor[];
}

/** The process of a webhook under test. */
export interface SuiteProcess {
  /** A shell command line, or a program with its arguments. */
  readonly command: string | readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Relative to the working directory if the suite file was given so. */
  readonly cwd: string;
  /** Timeout until it is ready. */
  readonly readyTimeoutMs: number;
  /** When it is ready; by default when it answers a review. */
  readonly ready?: Readiness;
  /** Time allowed to exit. */
  readonly stopGraceMs: number;
}

/** An API server in memory for the clients of the process under test. */
export interface SuiteApiserver {
  /** Files and folders of what it holds; undefined: the state of each case. */
  readonly state?: readonly string[];
}

/** Conditions of a ready process, all of which have to hold. */
export interface Readiness {
  /** Path of a GET request, over HTTPS at the webhook's port and over HTTP at another one. */
  readonly path?: string;
  /** A number, or `${PORT2}`; the webhook's port by default. */
  readonly port?: string;
  /** Expected HTTP status; 200 by default. */
  readonly status?: number;
  /** Matches a line of its output. */
  readonly log?: TextPattern;
  /** It takes connections at the webhook's port. */
  readonly isListening?: boolean;
}

/** One case: options of `review` or `convert`, and the expectations. */
export interface SuiteCase {
  /** Unique in its suite. */
  readonly name: string;
  readonly place: SuitePlace;
  /** Paths are relative to the working directory. */
  readonly options: CaseOptions;
  /** Lifecycle step of the manifest, in place of the call described by the options. */
  readonly scenario?: { readonly name: ScenarioName; readonly dryRun: boolean };
  /** Calls in order, each in the state that the calls before it left; its own options override those of the case. */
  readonly steps?: readonly SuiteStep[];
  /** Checks of its webhooks. */
  readonly checks: readonly CheckName[];
  readonly expect: Expectation;
  /**
   * For a case that converts objects instead of making API calls: its options are those of `convert`, and these expectations apply instead.
   */
  readonly conversion?: ConversionExpectation;
  /** The recorded answer that the webhook's answer is compared with. */
  readonly recording?: Recording;
  /** Name of its snapshot in the suite's folder; undefined if it has none. */
  readonly snapshot: string | undefined;
  /** Used instead of the snapshot if that file does not exist. */
  readonly sharedSnapshot?: string;
  readonly redactions: readonly Redaction[];
  /** Reason why it is skipped. */
  readonly skip: string | undefined;
  /** Only such cases are run. */
  readonly only: boolean;
}

/** One step of a case. */
export interface SuiteStep {
  /** The name that the suite file gives it, or its operation. */
  readonly name: string;
  readonly place: SuitePlace;
  /** Options of its calls other than those of the case. */
  readonly options: StepOptions;
  /** A step without expectations has to be allowed. */
  readonly expect: Expectation;
}

/** Expectations for every call of a case; absent ones are not checked. */
export interface Expectation {
  readonly allowed?: Expected<boolean>;
  /** HTTP status of the answer. */
  readonly code?: Expected<number>;
  /** `reason` and `message` of the Status returned to the client. */
  readonly reason?: Expected<string>;
  readonly message?: Expected<TextMatcher>;
  /** All Warning headers, in order. */
  readonly warnings?: Expected<readonly TextMatcher[]>;
  /** The patch operations of all mutating webhooks, in order. */
  readonly patch?: Expected<Value>;
  /** Fields of the object returned to the client. */
  readonly object?: readonly Expected<FieldMatcher>[];
  /** Names of the called webhooks, in order; a webhook that is called twice is listed twice. */
  readonly called?: Expected<readonly string[]>;
  /** Other keys are allowed. */
  readonly auditAnnotations?: readonly Expected<{ readonly key: string; readonly matcher: TextMatcher }>[];
  /** The failure of every failed webhook call, of which there is at least one. */
  readonly failure?: Expected<FailureExpectation>;
}

/** Expectation about a webhook that cannot be called, or whose answer is invalid. */
export interface FailureExpectation {
  readonly class?: FailureClass;
  readonly message?: TextMatcher;
}

/** Expectations for every conversion of a case and the findings of its round trips; absent ones are not checked. */
export interface ConversionExpectation {
  readonly converted?: Expected<boolean>;
  /** The API server's message for a failure. */
  readonly message?: Expected<TextMatcher>;
  /** The failure of every webhook call. */
  readonly failure?: Expected<FailureExpectation>;
  /** Fields of the converted objects: of all, or of those of one version, without its group. */
  readonly object?: readonly Expected<FieldMatcher & { readonly to?: string }>[];
  /** All fields lost or changed in a round trip; a field includes all fields below it. None when absent. */
  readonly lost?: readonly Expected<AnswerPath>[];
  /** Messages of all other findings of the round trips. None when absent. */
  readonly findings?: readonly Expected<TextMatcher>[];
}

/** An expectation and its position. */
export interface Expected<T> {
  readonly value: T;
  readonly place: SuitePlace;
}

/** The exact text, or a pattern that matches a part of it. */
export type TextMatcher = { readonly exact: string } | { readonly pattern: TextPattern };

/** A valid regular expression in Go's syntax, which matches in linear time: see `regexOf`. */
export type TextPattern = string;

/** Expectation about a field of an object. */
export interface FieldMatcher {
  readonly path: AnswerPath;
  readonly matcher: { readonly equals: Value } | { readonly absent: true } | { readonly text: TextMatcher };
}

/** A volatile part of a snapshot, which is ignored. */
export type Redaction =
  /** A field of the objects that webhooks receive and patch. */
  | { readonly path: AnswerPath; readonly as: string }
  /** Every match in any string. */
  | { readonly pattern: TextPattern; readonly as: string };
