import { CliError } from '../../../client/cli-error.js';
import { inputOptions, serverFlagOptions } from '../../../client/options/call-options.js';
import { flagName, optionMemberOf } from '../../../client/options/option-names.js';
import type { StateFlagOptions } from '../../../client/options/state-options.js';
import type { ValueType } from '../../../client/options/value-type.js';
import { defaultServerOptions } from '../../../kubernetes/server-options.js';
import type { WorkspaceSettings } from '../../../language-server/editor-surroundings.js';
import { withOrigin } from '../../options/configuration.js';
import { type ConfigurationFile, readConfigurationFile } from '../../options/configuration-file.js';
import { parseFlag } from '../../options/parse-flag.js';
import { isFree } from '../../options/trust/is-free.js';
import { sentenceOf } from '../../shell/print-error.js';
import { apiServers } from '../../work/api-servers/api-servers.js';
import { readState } from '../../work/input/state.js';
import type { LspSurroundings } from './lsp-surroundings.js';

export type LspFlags = StateFlagOptions;

/** Reads the settings of a workspace: those of the command line, otherwise those of its `webhook-cli.yaml`. */
export async function readSettings(folder: string | undefined, flags: LspFlags, surroundings: LspSurroundings): Promise<WorkspaceSettings> {
  const cwd = folder ?? surroundings.cwd;
  const warnings: string[] = [];
  const stderr = { ...surroundings.stderr, write: (text: string) => void warnings.push(text.trim()) };
  const own = { ...surroundings, cwd, stderr };
  try {
    const options = { ...(await readConfigured(own)), ...flags };
    const discovers = (options.state ?? []).length === 0;
    const state = await readState(options, own);
    return { state: { ...state, presumesNamespaces: state.presumesNamespaces || discovers }, discovers, warnings };
  } catch (error) {
    if (!(error instanceof CliError)) throw error;
    const state = { server: apiServers({ minor: undefined }), objects: [], presumesNamespaces: true, options: defaultServerOptions };
    return { state, discovers: true, warnings: [...warnings, sentenceOf(error)] };
  }
}

/** Options of the file that count here, if it may set them without consent. */
const configurable = { state: inputOptions.state, ...serverFlagOptions };

async function readConfigured(surroundings: LspSurroundings): Promise<LspFlags> {
  const file = await readConfigurationFile(surroundings, surroundings.listKnownFlags);
  const found = Object.entries(configurable).flatMap(([name, option]) => {
    const flag = flagName(name);
    const texts = file?.values.get(flag);
    if (file === undefined || texts === undefined || !isFree(option, texts)) return [];
    const values = texts.map(text => parseConfigured(flag, text, option.value, file));
    return [[optionMemberOf(name, option), option.shape === 'one' ? values[0] : values]];
  });
  // The values have the types that the table gives them.
  return Object.fromEntries(found) as LspFlags;
}

function parseConfigured(flag: string, text: string, type: ValueType<unknown>, { locate }: ConfigurationFile): unknown {
  try {
    return parseFlag(flag, text, type);
  } catch (error) {
    throw error instanceof CliError ? withOrigin(error, new Map([[flag, { location: locate(flag) }]])) : error;
  }
}
