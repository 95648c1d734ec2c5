import type { CallOptions, StateFlagOptions, WebhookOptions } from './flag-options.js';
import type { LocalHandler } from './local-handlers.js';

/** A Kubernetes object as plain data, as a YAML parser returns it. */
export interface KubernetesObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata?: object | undefined;
  readonly [member: string]: unknown;
}

/** Objects that exist in a cluster, as `loadState` read them. Any number of reviews can share one; none of them changes it. */
export interface State {
  /** Number of objects. */
  readonly size: number;
}

/** Options of `loadState`. */
export interface StateOptions extends StateFlagOptions {
  /** Directory of relative paths; the process's working directory by default. */
  readonly cwd?: string | undefined;
}

/** Object of the API call. Exactly one of `manifest` and `filename` is needed. */
export interface ManifestOptions {
  /** The object, or the text of a manifest in YAML or JSON. */
  readonly manifest?: KubernetesObject | string | undefined;
  /** A manifest's file, folder or glob. */
  readonly filename?: string | readonly string[] | undefined;
  /** Search the folders of `filename` recursively. */
  readonly recursive?: boolean | undefined;
  /** The stored object for update, patch and delete, in the forms of `manifest`; looked up in the state by default. */
  readonly old?: KubernetesObject | string | undefined;
  /** Objects that exist in the cluster; those of a new cluster by default. */
  readonly state?: State | undefined;
  /** Directory of relative paths; the process's working directory by default. */
  readonly cwd?: string | undefined;
}

/** Options of `review`. WEBHOOK_CLI_* variables and webhook-cli.yaml are not read. */
export interface ReviewOptions extends ManifestOptions, CallOptions, WebhookOptions {
  /** A handler in this process, instead of `url`: nothing is sent over a network. */
  readonly handler?: LocalHandler | undefined;
}
