import { callOptions, inputOptions, podOptions, serverFlagOptions } from '../../client/options/call-options.js';
import { kustomizeFlag } from './kustomize-flag.js';
import { flagsOfOptions } from './option-flags.js';

/** Flags that describe an API call, for all commands that make one. */
export const callFlags = {
  ...flagsOfOptions({ ...inputOptions, ...callOptions, ...serverFlagOptions }),
  kustomize: kustomizeFlag('CALL'),
};

const { context, kubeconfig, clusterTimeout, filename, recursive, case: cases } = inputOptions;

/** Flags that choose a cluster to read. */
export const clusterFlags = flagsOfOptions({ context, kubeconfig, clusterTimeout });

/** For commands that read webhook configurations and make no calls. */
export const configurationFlags = {
  ...flagsOfOptions({
    filename: { ...filename, group: 'INPUT', description: 'configurations and definitions: a file, a folder, a glob or - for stdin' },
    recursive: { ...recursive, group: 'INPUT' },
    case: { ...cases, description: 'recorded cases instead of manifests: prints one line of JSON per case' },
  }),
  kustomize: kustomizeFlag('INPUT'),
};

/** The manifests of a call that was made elsewhere. */
export const manifestFlags = flagsOfOptions({
  filename: { ...filename, group: 'INPUT', description: 'manifests of the call that failed: a file, a folder, a glob or - for stdin' },
  recursive: { ...recursive, group: 'INPUT' },
});

/** For commands that build reviews. */
export const podFlags = flagsOfOptions(podOptions);
