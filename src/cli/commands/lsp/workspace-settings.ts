import { CliError } from '../../../client/cli-error.js';
import type { CallFlagOptions } from '../../../client/options/call-options.js';
import { minorValue } from '../../../client/options/list-values.js';
import type { StateFlagOptions } from '../../../client/options/state-options.js';
import { defaultServerOptions } from '../../../kubernetes/server-options.js';
import type { WorkspaceSettings } from '../../../language-server/editor-surroundings.js';
import { readConfigurationFile } from '../../options/configuration-file.js';
import { isFree } from '../../options/trust/free-keys.js';
import { sentenceOf } from '../../shell/print-error.js';
import type { Surroundings } from '../../shell/surroundings.js';
import { apiServers } from '../../work/api-servers/api-servers.js';
import { readState } from '../../work/input/state.js';

export type LspFlags = StateFlagOptions & Pick<CallFlagOptions, 'enableAdmissionPlugins' | 'disableAdmissionPlugins'>;

/** Reads the settings of a workspace: those of the command line, otherwise those of its `webhook-cli.yaml`. */
export async function readSettings(folder: string | undefined, flags: LspFlags, surroundings: Surroundings): Promise<WorkspaceSettings> {
  const cwd = folder ?? surroundings.cwd;
  const warnings: string[] = [];
  const stderr = { ...surroundings.stderr, write: (text: string) => void warnings.push(text.trim()) };
  const own = { ...surroundings, cwd, stderr };
  try {
    const options = { ...(await readConfiguredFlags(own)), ...flags };
    const discovers = (options.state ?? []).length === 0;
    const state = await readState(options, own);
    return { state: { ...state, presumesNamespaces: state.presumesNamespaces || discovers }, discovers, warnings };
  } catch (error) {
    if (!(error instanceof CliError)) throw error;
    const state = { server: apiServers({ minor: undefined }), objects: [], presumesNamespaces: true, options: defaultServerOptions };
    return { state, discovers: true, warnings: [...warnings, sentenceOf(error)] };
  }
}

/** Flags of the file that count here. None of them needs consent. */
const keys = {
  state: 'state',
  kubernetesVersion: 'kubernetes-version',
  enableAdmissionPlugins: 'enable-admission-plugins',
  disableAdmissionPlugins: 'disable-admission-plugins',
};

async function readConfiguredFlags(surroundings: Pick<Surroundings, 'cwd' | 'env' | 'stderr'>): Promise<LspFlags> {
  const file = await readConfigurationFile(surroundings);
  const values = (name: string): readonly string[] | undefined => {
    const found = file?.values.get(name);
    return found === undefined || !isFree(name, found) ? undefined : found;
  };
  const [written] = values(keys.kubernetesVersion) ?? [];
  const kubernetesVersion = written === undefined ? undefined : minorValue.parse(written);
  if (written !== undefined && kubernetesVersion === undefined)
    throw new CliError('invalid-syntax', `invalid ${keys.kubernetesVersion} ${JSON.stringify(written)}: expected ${minorValue.expected}`);
  return {
    ...(values(keys.state) === undefined ? {} : { state: values(keys.state) }),
    ...(kubernetesVersion === undefined ? {} : { kubernetesVersion }),
    ...(values(keys.enableAdmissionPlugins) === undefined ? {} : { enableAdmissionPlugins: values(keys.enableAdmissionPlugins) }),
    ...(values(keys.disableAdmissionPlugins) === undefined ? {} : { disableAdmissionPlugins: values(keys.disableAdmissionPlugins) }),
  };
}
