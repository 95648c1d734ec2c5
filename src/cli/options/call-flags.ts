import { callOptions, inputOptions, podOptions, serverFlagOptions } from '../../client/options/call-options.js';
import { kustomizeOption } from './kustomize-option.js';
import { flagsOfOptions } from './option-flags.js';

/** Flags that describe an API call, for all commands that make one. */
export const callFlags = flagsOfOptions({ ...inputOptions, ...callOptions, ...serverFlagOptions, kustomize: kustomizeOption('CALL') });

const { context, kubeconfig, clusterTimeout, filename, recursive, case: cases } = inputOptions;

/** Flags that choose a cluster to read. */
export const clusterOptions = { context, kubeconfig, clusterTimeout } as const;

export const clusterFlags = flagsOfOptions(clusterOptions);

/** For commands that read webhook configurations and make no calls. */
export const configurationOptions = {
  filename: { ...filename, group: 'INPUT', description: 'configurations and definitions: a file, a folder, a glob or - for stdin' },
  recursive: { ...recursive, group: 'INPUT' },
  case: { ...cases, description: 'recorded cases instead of manifests: prints one line of JSON per case' },
  kustomize: kustomizeOption('INPUT'),
} as const;

/** The manifests of a call that was made elsewhere. */
export const manifestOptions = {
  filename: { ...filename, group: 'INPUT', description: 'manifests of the call that failed: a file, a folder, a glob or - for stdin' },
  recursive: { ...recursive, group: 'INPUT' },
} as const;

/** For commands that build reviews. */
export const podFlags = flagsOfOptions(podOptions);
