import { operations } from '../operations.js';
import {
  durationOption,
  free,
  numberOption,
  type OptionTable,
  type OptionValues,
  one,
  onOff,
  pairs,
  patchTextOption,
  path,
  paths,
  textOption,
  textsOption,
  timeOption,
  word,
} from './option.js';
import { extraValue } from './pair-values.js';
import { describedMinors, minorValue } from './version-values.js';

const call = { group: 'CALL' } as const;
const patch = { ...call, operations: ['patch'] } as const;
const deletion = { ...call, operations: ['delete', 'deletecollection'] } as const;
const stream = { ...call, operations: ['connect'] } as const;
const user = { group: 'USER' } as const;
const cluster = { group: 'CLUSTER' } as const;
const reproducing = { group: 'REPRODUCIBLE OUTPUT' } as const;

/** Files to read. The library takes objects, paths and a state instead. */
export const inputOptions = {
  filename: {
    ...paths,
    ...call,
    ...free,
    char: 'f',
    placeholder: 'PATH',
    description: 'manifest: a file, a folder, a glob or - for stdin; each document is one call',
  },
  recursive: { ...onOff, ...call, ...free, char: 'R', description: 'search folders recursively' },
  old: {
    ...path,
    ...call,
    ...free,
    placeholder: 'PATH',
    description: 'the stored object, for update, patch and delete; looked up in the state by default',
  },
  patchFile: { ...path, ...patch, ...free, placeholder: 'PATH', description: 'a file with the patch' },
  call: {
    ...path,
    ...call,
    ...free,
    placeholder: 'FILE',
    description: 'exact HTTP calls instead: documents with method, path, headers, body',
  },
  state: {
    ...paths,
    ...cluster,
    ...free,
    placeholder: 'PATH',
    description: 'objects that exist in the cluster: files or folders of manifests, - for stdin',
  },
  context: {
    ...textOption,
    ...cluster,
    risk: 'remote',
    placeholder: 'NAME',
    description: 'read what exists from the cluster of this context of the kubeconfig; objects of --state replace its own',
  },
  kubeconfig: {
    ...path,
    ...cluster,
    risk: 'remote',
    placeholder: 'PATH',
    description: 'read what exists from the cluster of this kubeconfig; KUBECONFIG or ~/.kube/config with --context alone',
  },
  clusterTimeout: {
    ...free,
    ...durationOption({ unit: 'Ms', minMs: 1, maxMs: 3_600_000 }),
    ...cluster,
    placeholder: '10s',
    description: 'how long the cluster may take for one answer; 10s by default',
  },
  case: {
    ...textOption,
    ...reproducing,
    placeholder: 'FILE',
    description: 'recorded cases instead of a call: prints one line of JSON per case',
  },
} as const satisfies OptionTable;

/** What the call is about. */
const resourceOptions = {
  operation: { ...word(...operations), ...call, ...free, description: 'the operation of the client; create by default' },
  subresource: {
    ...textOption,
    ...call,
    ...free,
    placeholder: 'NAME',
    description: 'status, scale, eviction, ephemeralcontainers, exec ...',
  },
  namespace: {
    ...textOption,
    ...call,
    ...free,
    char: 'n',
    placeholder: 'NAME',
    description: 'namespace of objects without one; an error if an object has a different namespace',
  },
} as const satisfies OptionTable;

/** The patch, and how the API server reads it. */
const patchOptions = {
  patch: { ...patchTextOption, ...patch, ...free, char: 'p', placeholder: 'STRING', description: 'the patch, as for kubectl patch' },
  type: { ...word('json', 'merge', 'strategic'), ...patch, ...free, description: 'the type of the patch; strategic by default' },
} as const satisfies OptionTable;

/** What every call that writes has in its query. */
const writeOptions = {
  dryRun: { ...word('none', 'server'), ...call, ...free, description: 'server: make the call a dry run' },
  fieldManager: {
    ...textOption,
    ...call,
    ...free,
    placeholder: 'NAME',
    description: "the field manager; kubectl's own name for the operation by default",
  },
  validate: {
    ...word('strict', 'warn', 'ignore', 'true', 'false'),
    ...call,
    ...free,
    placeholder: 'strict|warn|ignore',
    description: 'how the API server treats unknown fields; strict by default',
  },
  saveConfig: {
    ...onOff,
    ...call,
    operations: ['create', 'update'],
    ...free,
    description: 'with create and update: keep the manifest in an annotation, as kubectl apply does',
  },
} as const satisfies OptionTable;

/** With `apply`. */
const applyOptions = {
  forceConflicts: { ...onOff, ...call, operations: ['apply'], ...free, description: 'with apply: take over the fields of other managers' },
} as const satisfies OptionTable;

/** How objects are deleted. */
const deletionOptions = {
  gracePeriod: {
    ...numberOption(-1, 2 ** 31 - 1),
    ...free,
    unit: 'Seconds',
    ...deletion,
    placeholder: 'SECONDS',
    description: "with delete: the grace period in seconds; -1, the default, uses the pod's",
  },
  force: { ...onOff, ...deletion, ...free, description: 'with delete and a grace period of 0: delete immediately' },
  cascade: {
    ...word('background', 'orphan', 'foreground'),
    ...deletion,
    ...free,
    description: 'with delete: how dependents are deleted; background by default',
  },
} as const satisfies OptionTable;

/** The streams of `exec` and `attach`. */
const streamOptions = {
  container: { ...textOption, ...stream, ...free, char: 'c', placeholder: 'NAME', description: 'with exec and attach: the container' },
  stdin: { ...onOff, ...stream, ...free, char: 'i', description: 'with exec and attach: pass stdin' },
  tty: { ...onOff, ...stream, ...free, char: 't', description: 'with exec and attach: allocate a terminal' },
} as const satisfies OptionTable;

/** The user who makes the call. */
const userOptions = {
  as: {
    ...textOption,
    ...user,
    ...free,
    placeholder: 'NAME',
    description: 'the user; kubernetes-admin by default; system:serviceaccount:NS:NAME implies its groups',
  },
  asUid: { ...textOption, ...user, ...free, placeholder: 'UID', description: "the user's uid" },
  asGroup: { ...textsOption, ...user, ...free, placeholder: 'NAME', description: 'a group of the user; repeatable' },
  asUserExtra: {
    ...pairs(extraValue),
    ...user,
    ...free,
    placeholder: 'KEY=VALUE',
    description: 'additional user information, userInfo.extra of the review; repeatable',
  },
} as const satisfies OptionTable;

/** What makes two runs equal. */
const reproducingOptions = {
  seed: { ...numberOption(0, 2 ** 32 - 1), ...reproducing, ...free, placeholder: 'N', description: 'seed of uids and generated names' },
  now: { ...timeOption, ...reproducing, ...free, placeholder: 'TIME', description: 'the current time, instead of the clock' },
} as const satisfies OptionTable;

/** Options of the API call: kubectl's flags and what kubectl takes from a kubeconfig file. */
export const callOptions = {
  ...resourceOptions,
  ...patchOptions,
  independent: { ...onOff, ...call, ...free, description: 'make every call in the initial state: no call sees changes by earlier calls' },
  ...writeOptions,
  ...applyOptions,
  ...deletionOptions,
  ...streamOptions,
  ...userOptions,
  ...reproducingOptions,
} as const satisfies OptionTable;

/** Which pods of a workload are created, for everything that makes reviews. */
export const podOptions = {
  createdPods: { ...onOff, ...call, ...free, description: 'instead of a workload, create the pods that its controller would create' },
} as const satisfies OptionTable;

export type PodOptions = OptionValues<typeof podOptions>;

/** Options of the API server: kube-apiserver's flags. */
export const serverFlagOptions = {
  enableAdmissionPlugins: {
    ...textsOption,
    ...cluster,
    ...free,
    placeholder: 'NAMES',
    description: "plugins added to the API server's default set",
  },
  disableAdmissionPlugins: {
    ...textsOption,
    ...cluster,
    ...free,
    placeholder: 'NAMES',
    description: "plugins removed from the API server's default set",
  },
  kubernetesVersion: {
    ...one(minorValue),
    ...cluster,
    ...free,
    placeholder: 'VERSION',
    description: `the version of the API server: ${describedMinors}`,
  },
} as const satisfies OptionTable;

/** Arguments after `--`. Not a flag, but an option of the library and a field of suite files. */
export const argumentOptions = {
  words: {
    ...textsOption,
    ...stream,
    ...free,
    description: 'arguments after -- on the command line: the command of exec, the ports of portforward, the path of a proxy',
  },
} as const satisfies OptionTable;

export type PatchFlags = OptionValues<typeof patchOptions>;
export type WriteFlags = OptionValues<typeof writeOptions>;
export type ApplyFlags = OptionValues<typeof applyOptions>;
export type DeletionFlags = OptionValues<typeof deletionOptions>;
export type StreamFlags = OptionValues<typeof streamOptions & typeof argumentOptions>;
export type ImpersonationFlags = OptionValues<typeof userOptions>;
export type ReproducingFlags = OptionValues<typeof reproducingOptions>;

/** Everything that describes an API call. Functions take the part that they need. */
export type ApiCallFlags = OptionValues<typeof callOptions & typeof argumentOptions>;

/** Files to read. */
export type InputFlags = OptionValues<typeof inputOptions>;

/** Files with manifests, each document of which is one call. */
export type ManifestPaths = Pick<InputFlags, 'filename' | 'recursive'>;

/** kube-apiserver's flags. */
export type ServerFlags = OptionValues<typeof serverFlagOptions>;
