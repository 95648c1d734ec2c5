import path from 'node:path';
import { CliError } from '../../client/cli-error.js';
import { plainOfValue } from '../../encoding/plain-json.js';
import { readUnstructured } from '../../encoding/unstructured.js';
import { isMap, listAt, stringAt, type Value, type ValueMap, valueAt } from '../../go/value.js';
import { runProgram } from '../../processes/run-program.js';
import type { ClusterSettings } from '../kubeconfig/cluster-settings.js';
import { type KubeconfigEntry, pathIn } from '../kubeconfig/kubeconfig.js';

/** Credential that a plugin returned. */
export interface PluginCredential {
  readonly token: string | undefined;
  readonly certificate: string | undefined;
  readonly key: string | undefined;
  /** Undefined: valid until the API server rejects it. */
  readonly expires: Date | undefined;
}

/** Input and environment of a plugin run. */
export interface PluginRun {
  readonly settings: ValueMap;
  readonly entry: KubeconfigEntry;
  readonly cluster: ClusterSettings;
  /** The cluster's extension for plugins; null without one. */
  readonly clusterConfig: Value;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly isTerminal: boolean;
  /** Called before the plugin is started, with its command line without secrets and the user of the kubeconfig. */
  readonly onStart: (plugin: StartedPlugin) => void;
  /** Receives the plugin's messages to the user. */
  readonly onStderr: (text: string) => void;
}

/** A plugin that is about to run. */
export interface StartedPlugin {
  readonly kubeconfig: string;
  readonly user: string;
  readonly commandLine: string;
}

/** Limits of this program: client-go has none. A login in a browser takes a while. */
const maxRunMs = 120_000;
const maxOutputBytes = 1024 * 1024;

const versions = ['client.authentication.k8s.io/v1', 'client.authentication.k8s.io/v1beta1'];

/** Runs the exec plugin of a user. Throws CliError when it fails or returns no credential. Source: client-go plugin/pkg/client/auth/exec. */
export async function runExecPlugin(run: PluginRun): Promise<PluginCredential> {
  const { settings, entry } = run;
  const version = stringAt(settings, 'apiVersion');
  if (!versions.includes(version)) throw pluginError(run, `invalid apiVersion ${JSON.stringify(version)}: expected ${versions[0]}`);
  const mode = stringAt(settings, 'interactiveMode') || 'IfAvailable';
  if (mode === 'Always' && !run.isTerminal) throw pluginError(run, 'it needs a terminal, but stdin is not one');
  const isInteractive = mode !== 'Never' && run.isTerminal;
  const command = stringAt(settings, 'command');
  const file = command.includes('/') || command.includes(path.sep) ? pathIn(entry, command) : command;
  run.onStart({ kubeconfig: entry.file, user: entry.name, commandLine: shownCommand(file, argumentsOf(run)) });
  const output = await runPlugin(file, run, environmentOf(run, version, isInteractive), isInteractive);
  return credentialIn(output, version, run);
}

function environmentOf(run: PluginRun, version: string, interactive: boolean): Record<string, string | undefined> {
  const own = listAt(run.settings, 'env').map(variable => [stringAt(variable, 'name'), stringAt(variable, 'value')]);
  const cluster = valueAt(run.settings, 'provideClusterInfo') === true ? { cluster: clusterInfo(run) } : {};
  const info = { kind: 'ExecCredential', apiVersion: version, spec: { ...cluster, interactive } };
  return { ...run.env, ...Object.fromEntries(own), KUBERNETES_EXEC_INFO: JSON.stringify(info) };
}

function clusterInfo({ cluster, clusterConfig }: PluginRun): object {
  return {
    server: cluster.server,
    ...(cluster.serverName === undefined ? {} : { 'tls-server-name': cluster.serverName }),
    ...(cluster.insecure ? { 'insecure-skip-tls-verify': true } : {}),
    ...(cluster.authority === undefined ? {} : { 'certificate-authority-data': Buffer.from(cluster.authority).toString('base64') }),
    ...(cluster.proxy === undefined ? {} : { 'proxy-url': cluster.proxy }),
    config: plainOfValue(clusterConfig),
  };
}

async function runPlugin(file: string, run: PluginRun, env: Record<string, string | undefined>, usesTerminal: boolean): Promise<string> {
  const { cwd, onStderr } = run;
  const limits = { maxOutputBytes, timeoutMs: maxRunMs };
  const end = await runProgram({ command: [file, ...argumentsOf(run)], env, cwd, usesTerminal, onStderr, ...limits });
  switch (end.outcome) {
    case 'not-started':
      throw pluginError(run, `it cannot be started: ${startFailure(end.error)}`);
    case 'timeout':
      throw pluginError(run, `it did not end within ${maxRunMs / 1000}s`);
    case 'too-much-output':
      throw pluginError(run, `it printed more than ${maxOutputBytes / 1024} KiB`);
    case 'exited':
      if (end.code === 0) return end.stdout.toString('utf8');
      throw pluginError(run, end.signal === null ? `it failed with exit code ${end.code}` : `it was killed by ${end.signal}`);
  }
}

function argumentsOf({ settings }: PluginRun): string[] {
  return listAt(settings, 'args').map(String);
}

/** The command line without values of options that are secrets by their name: `login --client-secret <hidden>`. */
function shownCommand(file: string, args: readonly string[]): string {
  const isSecret = (name: string | undefined): boolean => /^--?\S*(secret|password|passwd|token|key|credential)/i.test(name ?? '');
  const shown = args.map((word, i) => {
    const [name = '', value] = word.split('=', 2);
    if (value !== undefined && isSecret(name)) return `${name}=<hidden>`;
    return isSecret(args[i - 1]) && args[i - 1]?.includes('=') === false && !word.startsWith('-') ? '<hidden>' : word;
  });
  return [file, ...shown].join(' ');
}

function startFailure(error: Error): string {
  const code = 'code' in error ? error.code : undefined;
  return code === 'ENOENT' ? 'no such file or directory' : code === 'EACCES' ? 'permission denied' : error.message;
}

function credentialIn(output: string, version: string, run: PluginRun): PluginCredential {
  const credential = parsedCredential(output, run);
  const returned = stringAt(credential, 'apiVersion');
  if (stringAt(credential, 'kind') !== 'ExecCredential' || returned !== version) {
    throw pluginError(run, `it returned ${JSON.stringify(returned)} instead of ${version}`);
  }
  const text = (key: string): string | undefined => stringAt(credential, 'status', key) || undefined;
  const [token, certificate, key, expires] = [
    text('token'),
    text('clientCertificateData'),
    text('clientKeyData'),
    text('expirationTimestamp'),
  ];
  if ((certificate === undefined) !== (key === undefined) || (token === undefined && certificate === undefined)) {
    throw pluginError(run, 'it did not return a token or cert/key pair');
  }
  const date = expires === undefined ? undefined : new Date(expires);
  return { token, certificate, key, expires: date === undefined || Number.isNaN(date.getTime()) ? undefined : date };
}

/** The output may contain a secret: the message omits it. */
function parsedCredential(output: string, run: PluginRun): ValueMap {
  try {
    const value = readUnstructured(output);
    if (isMap(value)) return value;
  } catch {
    // Not JSON.
  }
  throw pluginError(run, 'its output is not an ExecCredential');
}

function pluginError({ settings, entry }: PluginRun, message: string): CliError {
  const command = stringAt(settings, 'command');
  const hint = stringAt(settings, 'installHint').trim().replace(/\s+/g, ' ');
  return new CliError('cluster-refused', `exec plugin ${JSON.stringify(command)} of user ${JSON.stringify(entry.name)}: ${message}`, {
    location: { file: entry.file },
    suggestions: hint === '' ? [] : [hint],
  });
}
