// Generated from the tables in src/client/options by `npm run docs`.

/** Options of `loadState` that are flags of the command line. */
export interface StateFlagOptions {
  /** Search folders recursively. */
  readonly recursive?: boolean | undefined;
  /** Plugins added to the API server's default set. */
  readonly enableAdmissionPlugins?: string | readonly string[] | undefined;
  /** Plugins removed from the API server's default set. */
  readonly disableAdmissionPlugins?: string | readonly string[] | undefined;
  /** The version of the API server: v1.34, v1.35, v1.36, v1.37 (the default) or v1.38 (a preview). */
  readonly kubernetesVersion?: string | undefined;
}

/** Options of the API call: flags of the command line, in camel case. */
export interface CallOptions {
  /** The operation of the client; create by default. */
  readonly operation?: 'create' | 'update' | 'patch' | 'apply' | 'delete' | 'deletecollection' | 'connect' | undefined;
  /** Status, scale, eviction, ephemeralcontainers, exec ... */
  readonly subresource?: string | undefined;
  /** Namespace of objects without one; an error if an object has a different namespace. */
  readonly namespace?: string | undefined;
  /** The patch, as for kubectl patch. */
  readonly patch?: object | string | undefined;
  /** The type of the patch; strategic by default. */
  readonly type?: 'json' | 'merge' | 'strategic' | undefined;
  /** Make every call in the initial state: no call sees changes by earlier calls. */
  readonly independent?: boolean | undefined;
  /** Server: make the call a dry run. */
  readonly dryRun?: 'none' | 'server' | undefined;
  /** The field manager; kubectl's own name for the operation by default. */
  readonly fieldManager?: string | undefined;
  /** How the API server treats unknown fields; strict by default. */
  readonly validate?: 'strict' | 'warn' | 'ignore' | 'true' | 'false' | undefined;
  /** With create and update: keep the manifest in an annotation, as kubectl apply does. */
  readonly saveConfig?: boolean | undefined;
  /** With apply: take over the fields of other managers. */
  readonly forceConflicts?: boolean | undefined;
  /** With delete: the grace period in seconds; -1, the default, uses the pod's. */
  readonly gracePeriod?: number | undefined;
  /** With delete and a grace period of 0: delete immediately. */
  readonly force?: boolean | undefined;
  /** With delete: how dependents are deleted; background by default. */
  readonly cascade?: 'background' | 'orphan' | 'foreground' | undefined;
  /** With exec and attach: the container. */
  readonly container?: string | undefined;
  /** With exec and attach: pass stdin. */
  readonly stdin?: boolean | undefined;
  /** With exec and attach: allocate a terminal. */
  readonly tty?: boolean | undefined;
  /** The user; kubernetes-admin by default; system:serviceaccount:NS:NAME implies its groups. */
  readonly as?: string | undefined;
  /** The user's uid. */
  readonly asUid?: string | undefined;
  /** A group of the user. */
  readonly asGroup?: string | readonly string[] | undefined;
  /** Additional user information, userInfo.extra of the review. */
  readonly asUserExtra?: Readonly<Record<string, string | readonly string[]>> | undefined;
  /** Seed of uids and generated names. */
  readonly seed?: number | undefined;
  /** The current time, instead of the clock. */
  readonly now?: Date | undefined;
  /** Arguments after -- on the command line: the command of exec, the ports of portforward, the path of a proxy. */
  readonly words?: string | readonly string[] | undefined;
}

/** Which webhooks exist and how to reach them. Without `url` and `demo`, the configurations of the state decide. */
export interface WebhookOptions {
  /** One webhook at this address that matches every call. */
  readonly url?: string | undefined;
  /** The embedded reference webhook, in both phases. */
  readonly demo?: boolean | undefined;
  /** Only these webhooks of the configurations in the state. */
  readonly webhook?: string | readonly string[] | undefined;
  /** The address a service is listening at; * for any service; the server name stays NAME.NS.svc. */
  readonly service?: Readonly<Record<string, string | readonly string[]>> | undefined;
  /** Where calls to the URL of a configuration go instead; the server name stays. */
  readonly urls?: Readonly<Record<string, string | readonly string[]>> | undefined;
  /** With `url`: the type of the webhook; mutating by default. */
  readonly phase?: 'mutating' | 'validating' | 'both' | undefined;
  /** With `url`: timeoutSeconds, from 1s to 30s; 10s by default. */
  readonly timeout?: string | undefined;
  /** With `url`: failurePolicy; Fail by default. */
  readonly failurePolicy?: 'Fail' | 'Ignore' | undefined;
  /** With `url`: sideEffects; None by default. */
  readonly sideEffects?: 'None' | 'NoneOnDryRun' | 'Some' | 'Unknown' | undefined;
  /** With `url`: admissionReviewVersions, separated by commas; v1 by default. */
  readonly reviewVersions?: string | undefined;
  /** With `url`: reinvocationPolicy; Never by default. */
  readonly reinvocationPolicy?: 'Never' | 'IfNeeded' | undefined;
  /** With `url`: a match condition in CEL. */
  readonly matchCondition?: string | readonly string[] | undefined;
  /** Connect to this address for this host and port, as in curl. */
  readonly resolve?: string | readonly string[] | undefined;
  /** A file of certificates to trust, instead of every caBundle. */
  readonly caFile?: string | undefined;
  /** The server name to verify in the webhook's certificate. */
  readonly serverName?: string | undefined;
  /** Accept any certificate; no API server does. */
  readonly insecureSkipTlsVerify?: boolean | undefined;
  /** A file with the client certificate of the API server. */
  readonly clientCertificate?: string | undefined;
  /** A file with its private key. */
  readonly clientKey?: string | undefined;
  /** A file with the bearer token of the API server. */
  readonly tokenFile?: string | undefined;
  /** An additional request header. */
  readonly header?: Readonly<Record<string, string | readonly string[]>> | undefined;
  /** Allow http:// addresses; every API server refuses them. */
  readonly allowHttp?: boolean | undefined;
  /** Call webhooks on other machines at the addresses in their configurations. */
  readonly allowRemote?: boolean | undefined;
  /** Timeout of the whole call. */
  readonly requestTimeout?: string | undefined;
  /** Additional checks after the call, separated by commas; each can report findings; all: every check, and the update and the deletion of each object, too. */
  readonly check?: string | undefined;
}
