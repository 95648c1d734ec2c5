/** An object of Kubernetes as plain data, as a YAML parser gives it. */
export interface KubernetesObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata?: object | undefined;
  readonly [member: string]: unknown;
}

/** What exists in a cluster, as `loadState` read it: for as many reviews as you like, none of which changes it. */
export interface State {
  /** How many objects there are. */
  readonly size: number;
}

/** How `loadState` reads: flags of the command line that describe the cluster. */
export interface StateOptions {
  /** Into the folders of folders, too. */
  readonly recursive?: boolean | undefined;
  /** Added to the API server's default set. */
  readonly enableAdmissionPlugins?: readonly string[] | undefined;
  /** Taken from the API server's default set. */
  readonly disableAdmissionPlugins?: readonly string[] | undefined;
  /** `v1.34`, `v1.35` or `v1.36`; the newest by default. */
  readonly kubernetesVersion?: string | undefined;
  /** The folder where relative paths begin; the process's own by default. */
  readonly cwd?: string | undefined;
}

/** What the API call is about. Exactly one of `manifest` and `filename` is needed. */
export interface ManifestOptions {
  /** The object, or the text of a manifest in YAML or JSON. */
  readonly manifest?: KubernetesObject | string | undefined;
  /** A manifest's file, folder or pattern. */
  readonly filename?: string | readonly string[] | undefined;
  /** Into the folders below those of `filename`. */
  readonly recursive?: boolean | undefined;
  /** The stored object for update, patch and delete, in the forms of `manifest`; otherwise it is looked up in the state. */
  readonly old?: KubernetesObject | string | undefined;
  /** What exists in the cluster; nothing but what every cluster has by default. */
  readonly state?: State | undefined;
  /** The folder where relative paths begin; the process's own by default. */
  readonly cwd?: string | undefined;
}

/** The API call: flags of the command line under their own names in camel case. */
export interface CallOptions {
  /** What the client does; create by default. */
  readonly operation?: 'create' | 'update' | 'patch' | 'apply' | 'delete' | 'deletecollection' | 'connect' | undefined;
  /** `status`, `scale`, `eviction`, `ephemeralcontainers`, `exec` ... */
  readonly subresource?: string | undefined;
  /** For objects that name none; an error if they name another. */
  readonly namespace?: string | undefined;
  /** With patch: the patch as data, or as JSON or YAML text. */
  readonly patch?: object | string | undefined;
  /** With patch: what kind of patch it is. */
  readonly type?: 'json' | 'merge' | 'strategic' | undefined;
  /** `server`: the call is a dry run. */
  readonly dryRun?: 'none' | 'server' | undefined;
  /** Who manages the fields; kubectl's own name for the operation by default. */
  readonly fieldManager?: string | undefined;
  /** What the API server does about unknown fields; strict by default. */
  readonly validate?: 'strict' | 'warn' | 'ignore' | 'true' | 'false' | undefined;
  /** With apply: take over the fields of other managers. */
  readonly forceConflicts?: boolean | undefined;
  /** With delete: how many seconds a pod may take; -1 is the pod's own. */
  readonly gracePeriod?: number | undefined;
  /** With delete and a grace period of 0: delete at once. */
  readonly force?: boolean | undefined;
  /** With delete: what happens to dependents. */
  readonly cascade?: 'background' | 'orphan' | 'foreground' | undefined;
  /** With exec and attach: the container. */
  readonly container?: string | undefined;
  /** With exec and attach: pass stdin. */
  readonly stdin?: boolean | undefined;
  /** With exec and attach: a terminal. */
  readonly tty?: boolean | undefined;
  /** With connect: what stands behind `--`: the command of exec, the ports of portforward, the path of a proxy. */
  readonly words?: readonly string[] | undefined;
  /** Who calls; kubernetes-admin by default; system:serviceaccount:NS:NAME brings its groups along. */
  readonly as?: string | undefined;
  readonly asUid?: string | undefined;
  readonly asGroup?: string | readonly string[] | undefined;
  /** The review's `userInfo.extra`. */
  readonly asUserExtra?: Readonly<Record<string, string | readonly string[]>> | undefined;
  /** Fixes uids and generated names. */
  readonly seed?: number | undefined;
  /** Fixes the clock. */
  readonly now?: Date | undefined;
}

/** Which webhooks there are and how to reach them. Without `url` and `demo` the configurations of the state decide. */
export interface WebhookOptions {
  /** One webhook at this address that matches every call. */
  readonly url?: string | undefined;
  /** The embedded reference webhook, in both phases. */
  readonly demo?: boolean | undefined;
  /** Only these webhooks of the configurations in the state. */
  readonly webhook?: string | readonly string[] | undefined;
  /** Where services are really listening: `{ 'team/webhook': 'https://127.0.0.1:8443' }`, `*` for any. The server name stays `NAME.NS.svc`. */
  readonly service?: Readonly<Record<string, string>> | undefined;
  /** With `url`: what that webhook is; mutating by default. */
  readonly phase?: 'mutating' | 'validating' | 'both' | undefined;
  /** With `url`: its timeoutSeconds, as a duration from `1s` to `30s`. */
  readonly timeout?: string | undefined;
  /** With `url`: its failurePolicy; Fail by default. */
  readonly failurePolicy?: 'Fail' | 'Ignore' | undefined;
  /** With `url`: its sideEffects; None by default. */
  readonly sideEffects?: 'None' | 'NoneOnDryRun' | 'Some' | 'Unknown' | undefined;
  /** With `url`: its admissionReviewVersions, `v1,v1beta1`; v1 by default. */
  readonly reviewVersions?: string | undefined;
  /** With `url`: its reinvocationPolicy; Never by default. */
  readonly reinvocationPolicy?: 'Never' | 'IfNeeded' | undefined;
  /** With `url`: CEL expressions that must be true for it to be called. */
  readonly matchCondition?: string | readonly string[] | undefined;
  /** `HOST:PORT:ADDRESS`: connect there for this host and port, as curl does. */
  readonly resolve?: string | readonly string[] | undefined;
  /** A file of certificates to trust, instead of every caBundle. */
  readonly caFile?: string | undefined;
  /** The name the webhook's certificate must have. */
  readonly serverName?: string | undefined;
  /** Accept any certificate, which no cluster does. */
  readonly insecureSkipTlsVerify?: boolean | undefined;
  /** The file of the certificate the API server shows. */
  readonly clientCertificate?: string | undefined;
  /** The file of its key. */
  readonly clientKey?: string | undefined;
  /** A file with the bearer token the API server sends. */
  readonly tokenFile?: string | undefined;
  /** More headers of the request. */
  readonly header?: Readonly<Record<string, string>> | undefined;
  /** Allow http:// addresses, which every cluster refuses. */
  readonly allowHttp?: boolean | undefined;
  /** How long the whole call may take, as a duration such as `34s`. */
  readonly requestTimeout?: string | undefined;
  /** Extra reviews after the call: `side-effects,idempotent,unknown-fields`; what they find is in `findings`. */
  readonly check?: string | undefined;
}

/** What `review` is asked. Neither WEBHOOK_CLI_* variables nor webhook-cli.yaml are read. */
export interface ReviewOptions extends ManifestOptions, CallOptions, WebhookOptions {}
