import type { Pattern } from '../cel/regex.js';
import type { Value } from '../go/value.js';
import type { CheckName } from './checks/check.js';
import type { Place } from './results.js';
import type { ScenarioName } from './scenarios/scenario.js';
import type { Scope } from './snapshots/folder.js';

/** What a flag of the command line is set to, in the form its own parser gives it. */
export type FlagValue = string | number | boolean | Date | readonly string[];

/** Flags by long name. */
export type FlagValues = Readonly<Record<string, FlagValue>>;

/** A file of test cases, or a folder of manifests without any, ready to be run. */
export interface Suite {
  readonly name: string;
  /** The suite file or the folder, as the user named it. */
  readonly file: string;
  /** The folder of its snapshots, relative to the working folder, and whose snapshots in it are known when the suite is. */
  readonly snapshots: { readonly folder: string; readonly scope: Scope };
  /** What says which webhooks there are and how to reach them. */
  readonly webhook: FlagValues;
  /** What is to be started before; `${PORT}` and `${CERTS}` in it and in the flags above stand for a free port and a folder of certificates. */
  readonly process?: SuiteProcess;
  readonly cases: readonly SuiteCase[];
  /** Which API servers to run it for, one after another. */
  readonly kubernetesVersions?: readonly string[];
}

/** The process of a webhook under test. */
export interface SuiteProcess {
  /** A line for the shell, or a program with its arguments. */
  readonly command: string | readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Relative to the working folder where the suite file was named so. */
  readonly cwd: string;
  /** How long it may take until it answers a review. */
  readonly readyTimeoutMs: number;
  /** How long it may take to end. */
  readonly stopGraceMs: number;
}

/** One case: what the command `review`, or `convert`, would be told, and what is expected of it. */
export interface SuiteCase {
  /** Unique in its suite. */
  readonly name: string;
  readonly place: Place;
  /** What describes its calls; paths are relative to the working folder. */
  readonly flags: FlagValues;
  /** What becomes of the manifest instead of the call that the flags name. */
  readonly scenario?: { readonly name: ScenarioName; readonly dryRun: boolean };
  /** Further questions to its webhooks. */
  readonly checks: readonly CheckName[];
  readonly expect: Expectation;
  /** Of a case that converts objects instead of making API calls: its flags are those of `convert`, and this is expected instead. */
  readonly conversion?: ConversionExpectation;
  /** The name of its snapshot in the suite's folder of them; undefined: it has none. */
  readonly snapshot: string | undefined;
  /** Stands for the snapshot where there is no file of that name. */
  readonly sharedSnapshot?: string;
  readonly redactions: readonly Redaction[];
  /** Why it is not to be run. */
  readonly skip: string | undefined;
  /** Nothing but such cases is to be run. */
  readonly only: boolean;
}

/** What has to hold for every call of a case; what is absent is not looked at. */
export interface Expectation {
  readonly allowed?: Expected<boolean>;
  /** The HTTP status of the answer. */
  readonly code?: Expected<number>;
  /** `reason` and `message` of the Status the client gets. */
  readonly reason?: Expected<string>;
  readonly message?: Expected<TextMatcher>;
  /** All Warning headers, in order. */
  readonly warnings?: Expected<readonly TextMatcher[]>;
  /** The operations of all mutating webhooks, in order. */
  readonly patch?: Expected<Value>;
  /** Of the object the client gets. */
  readonly object?: readonly Expected<FieldMatcher>[];
  /** The names of the webhooks that were called, in order; one that is called twice stands twice. */
  readonly called?: Expected<readonly string[]>;
  /** These keys, others may be there, too. */
  readonly auditAnnotations?: readonly Expected<{ readonly key: string; readonly matcher: TextMatcher }>[];
}

/** What has to hold for every conversion of a case, and for what its round trips find; what is absent is not looked at. */
export interface ConversionExpectation {
  readonly converted?: Expected<boolean>;
  /** Of the API server when it fails. */
  readonly message?: Expected<TextMatcher>;
  /** Of the converted objects: all of them, or those of one version, without its group. */
  readonly object?: readonly Expected<FieldMatcher & { readonly to?: string }>[];
  /** All fields that are not as they were after there and back; one that is named stands for all below it. None when it is absent. */
  readonly lost?: readonly Expected<FieldPath>[];
  /** The messages of everything else that the round trips find. None when it is absent. */
  readonly findings?: readonly Expected<TextMatcher>[];
}

/** Something that is expected, and where it says so. */
export interface Expected<T> {
  readonly value: T;
  readonly place: Place;
}

/** The whole text, or a pattern in Go's syntax that occurs in it: matched in linear time. */
export type TextMatcher = { readonly exact: string } | { readonly pattern: string; readonly compiled: CompiledPattern };

export type CompiledPattern = Extract<Pattern, { readonly regex: unknown }>;

/** What a field of an object must be. */
export interface FieldMatcher {
  readonly path: FieldPath;
  readonly matcher: { readonly equals: Value } | { readonly absent: true } | { readonly text: TextMatcher };
}

/** Steps from an object to a field: keys, indexes, `*` for every member or item. */
export type FieldPath = readonly (string | number | typeof every)[];

/** The step to every member or item. */
export const every = Symbol('every');

/** What differs from run to run in a snapshot, and is not to be looked at. */
export type Redaction =
  /** A field of the objects that webhooks see and patch. */
  | { readonly path: FieldPath; readonly as: string }
  /** Every occurrence in any text. */
  | { readonly pattern: CompiledPattern; readonly as: string };
