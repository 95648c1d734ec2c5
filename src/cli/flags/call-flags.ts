import { Flags, type Interfaces } from '@oclif/core';
import { operations } from '../calls/operations.js';
import { numberFlag, timeFlag, wordFlag } from './values.js';

const many = { multiple: true, multipleNonGreedy: true } as const;
const call = { helpGroup: 'THE CALL' } as const;
const user = { helpGroup: 'THE USER' } as const;
const cluster = { helpGroup: 'THE CLUSTER' } as const;
const other = { helpGroup: 'REPRODUCING' } as const;

/** What describes the API call: shared by all commands that make one. */
export const callFlags = {
  filename: Flags.string({
    ...call,
    ...many,
    char: 'f',
    helpValue: 'PATH',
    description: 'manifest: a file, a folder, a pattern or - for stdin; every document is one call',
  }),
  recursive: Flags.boolean({ ...call, char: 'R', description: 'go into the folders below those of -f' }),
  operation: wordFlag({
    ...call,
    words: operations,
    helpValue: operations.join('|'),
    description: 'what the client does; create by default',
  }),
  old: Flags.string({
    ...call,
    helpValue: 'PATH',
    description: 'the stored object, for update, patch and delete; otherwise it is looked up in the state',
  }),
  patch: Flags.string({ ...call, char: 'p', helpValue: 'STRING', description: 'the patch, as for kubectl patch' }),
  'patch-file': Flags.string({ ...call, helpValue: 'PATH', description: 'a file with the patch' }),
  type: wordFlag({
    ...call,
    words: ['json', 'merge', 'strategic'],
    helpValue: 'json|merge|strategic',
    description: 'what kind of patch it is',
  }),
  subresource: Flags.string({ ...call, helpValue: 'NAME', description: 'status, scale, eviction, ephemeralcontainers, exec ...' }),
  namespace: Flags.string({
    ...call,
    char: 'n',
    helpValue: 'NAME',
    description: 'for objects that name none; an error if they name another',
  }),
  'dry-run': wordFlag({ ...call, words: ['none', 'server'], helpValue: 'none|server', description: 'server: the call is a dry run' }),
  'field-manager': Flags.string({
    ...call,
    helpValue: 'NAME',
    description: "who manages the fields; kubectl's own name for the operation by default",
  }),
  validate: wordFlag({
    ...call,
    words: ['strict', 'warn', 'ignore', 'true', 'false'],
    helpValue: 'strict|warn|ignore',
    description: 'what the API server does about unknown fields; strict by default',
  }),
  'force-conflicts': Flags.boolean({ ...call, description: 'with apply: take over the fields of other managers' }),
  'grace-period': numberFlag({
    ...call,
    min: -1,
    max: 2 ** 31 - 1,
    helpValue: 'SECONDS',
    description: "with delete: how long a pod may take; -1, the default, is the pod's own",
  }),
  force: Flags.boolean({ ...call, description: 'with delete and --grace-period 0: delete at once' }),
  cascade: wordFlag({
    ...call,
    words: ['background', 'orphan', 'foreground'],
    helpValue: 'background|orphan|foreground',
    description: 'with delete: what happens to dependents',
  }),
  container: Flags.string({ ...call, char: 'c', helpValue: 'NAME', description: 'with exec and attach: the container' }),
  stdin: Flags.boolean({ ...call, char: 'i', description: 'with exec and attach: pass stdin' }),
  tty: Flags.boolean({ ...call, char: 't', description: 'with exec and attach: a terminal' }),
  call: Flags.string({ ...call, helpValue: 'FILE', description: 'exact HTTP calls instead: documents with method, path, headers, body' }),
  as: Flags.string({
    ...user,
    helpValue: 'NAME',
    description: 'who calls; kubernetes-admin by default; system:serviceaccount:NS:NAME brings its groups along',
  }),
  'as-uid': Flags.string({ ...user, helpValue: 'UID', description: "the user's uid" }),
  'as-group': Flags.string({ ...user, ...many, helpValue: 'NAME', description: 'a group of the user' }),
  'as-user-extra': Flags.string({
    ...user,
    ...many,
    helpValue: 'KEY=VALUE',
    description: "more about the user: the review's userInfo.extra",
  }),
  state: Flags.string({
    ...cluster,
    ...many,
    helpValue: 'PATH',
    description: 'what exists in the cluster: files or folders of manifests, - for stdin',
  }),
  'enable-admission-plugins': Flags.string({
    ...cluster,
    ...many,
    helpValue: 'NAMES',
    description: "added to the API server's default set",
  }),
  'disable-admission-plugins': Flags.string({
    ...cluster,
    ...many,
    helpValue: 'NAMES',
    description: "taken from the API server's default set",
  }),
  'kubernetes-version': Flags.string({
    ...cluster,
    helpValue: 'VERSION',
    description: 'which API server to behave like: v1.34, v1.35 or v1.36; the newest by default',
  }),
  case: Flags.string({ ...other, helpValue: 'FILE', description: 'recorded cases instead of a call: prints a line of JSON a case' }),
  seed: numberFlag({ ...other, min: 0, max: 2 ** 32 - 1, helpValue: 'N', description: 'fixes uids and generated names' }),
  now: timeFlag({ ...other, helpValue: 'TIME', description: 'fixes the clock' }),
};

/** For commands that build reviews. */
export const createdPodsFlag = Flags.boolean({
  ...call,
  description: "the pods that a workload's controller would create, instead of the workload",
});

export type CallFlags = Interfaces.InferredFlags<typeof callFlags> & {
  /** What stands behind `--`: the command of exec, the ports of portforward, the path of a proxy. */
  readonly words?: readonly string[] | undefined;
};
