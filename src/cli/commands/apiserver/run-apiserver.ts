import { existsSync } from 'node:fs';
import { isIP } from 'node:net';
import { constants } from 'node:os';
import path from 'node:path';
import querystring from 'node:querystring';
import { CliError } from '../../../client/cli-error.js';
import { systemReason } from '../../../files/system-reason.js';
import type { Effects } from '../../../kubernetes/effects.js';
import type { CallWebhook } from '../../../kubernetes/webhook-call.js';
import type { TokenUser } from '../../../local-apiserver/access/token-users.js';
import type { AuditOptions } from '../../../local-apiserver/audit/audited-request.js';
import type { KeyPair } from '../../../local-apiserver/key-pair.js';
import { type AnsweredRequest, type RunningApiServer, startApiServer } from '../../../local-apiserver/start-server.js';
import { type Child, startChild } from '../../../processes/start-child.js';
import { textWithoutSecrets } from '../../../redaction/text-secrets.js';
import { createBackendTransport } from '../../../transport/call-backend.js';
import { createTransport } from '../../../transport/call-webhook.js';
import { effectsFor } from '../../shell/effects.js';
import { type ExitCode, exitCodes } from '../../shell/exit-codes.js';
import type { Surroundings } from '../../shell/surroundings.js';
import { auditOptions } from '../../work/apiserver/audit-options.js';
import { forwardsOf } from '../../work/apiserver/forwards.js';
import { refuseOtherKubeconfig, refuseUserFiles, writeKubeconfigFile, writeUserKubeconfigs } from '../../work/apiserver/kubeconfig-file.js';
import { StartError } from '../../work/apiserver/start-error.js';
import { usersOf } from '../../work/apiserver/users.js';
import { readInputFile } from '../../work/input/files.js';
import { readState } from '../../work/input/state.js';
import type { LiveCalls } from '../../work/live-page/live-calls.js';
import { withCaBundle } from '../../work/webhooks/configurations.js';
import { readBundle } from '../../work/webhooks/connection-files.js';
import { backendAddressCheck, failingAddressCheck } from '../../work/webhooks/remote-addresses.js';
import { serviceAddresses } from '../../work/webhooks/services.js';
import type { ApiserverFlags } from './apiserver-options.js';

const noCalls = 'No calls yet. Change an object with the kubeconfig that this command wrote: kubectl --kubeconfig FILE apply -f MANIFEST';

/** Serves until the process is interrupted, or until the command given after `--` has ended. */
export async function runApiserver(flags: ApiserverFlags, command: readonly string[], surroundings: Surroundings): Promise<ExitCode> {
  if (flags.kubeconfig !== undefined) refuseOtherKubeconfig(path.resolve(surroundings.cwd, flags.kubeconfig));
  const userFiles = flags.kubeconfigFor ?? [];
  refuseUserFiles(userFiles, flags.kubeconfig, surroundings.cwd);
  const host = flags.host ?? '127.0.0.1';
  const pair = await readOrIssueKeyPair(flags.certDir, host, surroundings);
  const users = usersOf(flags, surroundings.cwd);
  const audit = readAudit(flags, surroundings);
  const live =
    flags.open === true
      ? await (await import('../../work/live-page/live-calls.js')).openLiveCalls(
          { command: 'apiserver', toolVersion: flags.toolVersion(), whenEmpty: noCalls },
          surroundings,
        )
      : undefined;
  const server = await start(flags, { host, pair, users, audit, live }, surroundings);
  const contents = { url: server.url, ca: pair.ca, users };
  writeUserKubeconfigs(contents, userFiles, surroundings.cwd);
  const { file, remove } = writeKubeconfigFile(contents, flags.kubeconfig, surroundings.cwd);
  const end = async (): Promise<ExitCode> => {
    remove();
    await server.close();
    await live?.close();
    return exitCodes.allowed;
  };
  if (command.length > 0) return runWithKubeconfig(command, { file, end }, surroundings);
  const ended = new Promise<ExitCode>(resolve => {
    surroundings.onInterrupt(async () => resolve(await end()), { exitCode: exitCodes.allowed });
  });
  surroundings.stdout.write(flags.output === 'json' ? `${JSON.stringify({ url: server.url, kubeconfig: file })}\n` : `${server.url}\n`);
  if (flags.output !== 'json') surroundings.stderr.write(`kubeconfig: ${file}\n`);
  return ended;
}

interface Listening {
  readonly host: string;
  readonly pair: KeyPair;
  readonly users: readonly TokenUser[];
  readonly audit: AuditOptions | undefined;
  readonly live: LiveCalls | undefined;
}

/** Returns the audit log of the flags. Throws CliError for a policy that cannot be read, and for a log without a policy, in which nothing would be. */
function readAudit({ auditPolicyFile, auditLogPath }: ApiserverFlags, surroundings: Surroundings): AuditOptions | undefined {
  if (auditPolicyFile === undefined && auditLogPath !== undefined)
    throw new CliError('usage', '--audit-log-path logs nothing without a policy', { suggestions: ['pass one with --audit-policy-file'] });
  const given = (value: string | undefined): readonly string[] => (value === undefined ? [] : [value]);
  const flags = new Map([
    ['audit-policy-file', given(auditPolicyFile)],
    ['audit-log-path', given(auditLogPath)],
  ]);
  try {
    return auditOptions(flags, surroundings);
  } catch (error) {
    if (error instanceof StartError) throw new CliError('invalid-configuration', error.message, { cause: error });
    if (error instanceof Error && 'path' in error)
      throw new CliError('write-failed', `${auditLogPath}: ${systemReason(error)}`, { cause: error });
    throw error;
  }
}

async function start(
  flags: ApiserverFlags,
  { host, pair, users, audit, live }: Listening,
  surroundings: Surroundings,
): Promise<RunningApiServer> {
  // Here, --kubeconfig is a file to write, not a cluster to read.
  const { forward: _, ...own } = flags;
  const state = await readState({ ...own, filename: undefined, kubeconfig: undefined }, surroundings);
  const objects =
    flags.caFile === undefined ? state.objects : withCaBundle(state.objects, readBundle('ca-file', flags.caFile, surroundings.cwd));
  const checkAddress = failingAddressCheck({ service: flags.service, allowRemote: flags.allowRemote });
  const transport = createTransport({ resolve: flags.resolve ?? [], keepConnections: true, checkAddress });
  const backends = createBackendTransport({ checkAddress: backendAddressCheck(flags) });
  const serviceAddress = serviceAddresses(flags.service ?? []);
  const onAnswered = (request: AnsweredRequest): void =>
    surroundings.stderr.write(`${JSON.stringify({ ...request, path: addressWithoutSecrets(request.path) })}\n`);
  const effects = (callWebhook: CallWebhook): Effects => ({ ...effectsFor(callWebhook), serviceAddress });
  try {
    return await startApiServer({
      host,
      port: flags.port ?? 0,
      pair,
      server: state.server,
      objects,
      options: state.options,
      users,
      audit,
      forwards: flags.forward === undefined ? undefined : forwardsOf(flags.forward),
      callBackend: backends.callBackend,
      effects: () => effects(transport.callWebhook),
      observe: live === undefined ? undefined : () => live.observe(transport.callWebhook, effects),
      ...(flags.output === 'json' ? { onAnswered } : {}),
    });
  } catch (error) {
    const { listenError } = await import('../../work/serving/serving-pair.js');
    throw listenError(error, { host, port: flags.port ?? 0, source: flags.certDir, files: 'tls.crt, tls.key and ca.crt', pair });
  }
}

/** A client may name a token in a query, or a password in the command of `exec`. */
function addressWithoutSecrets(address: string): string {
  const plain = querystring.unescape(address.replaceAll('+', ' '));
  const clean = textWithoutSecrets(plain);
  return clean === plain ? address : clean;
}

/** The certificate must be valid for the address that clients use. */
async function readOrIssueKeyPair(folder: string | undefined, host: string, { cwd, now }: Surroundings): Promise<KeyPair> {
  if (folder === undefined) {
    const { issueServingPair } = await import('../../../certificates/issue.js');
    return issueServingPair(isIP(host) === 0 ? { dns: [host], ips: [] } : { dns: [], ips: [host] }, now());
  }
  const read = (name: string): string => Buffer.from(readInputFile(path.join(folder, name), cwd)).toString('utf8');
  const cert = read('tls.crt');
  return { cert, key: read('tls.key'), ca: existsSync(path.resolve(cwd, folder, 'ca.crt')) ? read('ca.crt') : cert };
}

/** The server that a command runs against. */
interface CommandServer {
  /** The kubeconfig. */
  readonly file: string;
  readonly end: () => Promise<ExitCode>;
}

/** Time that the command and its children have to end after an interruption. */
const graceMs = 5000;

/** Runs a command with KUBECONFIG set and ends with its exit code, as a shell would. What it leaves running ends, too: its API server is gone. */
async function runWithKubeconfig(
  [program = '', ...args]: readonly string[],
  { file, end }: CommandServer,
  { env, cwd, stdin, onInterrupt }: Surroundings,
): Promise<ExitCode> {
  const environment = { ...env, KUBECONFIG: file };
  let started: Child | undefined;
  const cleanUp = async (): Promise<void> => {
    await started?.stop(graceMs);
    await end();
  };
  // Before it runs: a signal in between would end this process alone.
  const forget = onInterrupt(cleanUp, { longestMs: graceMs + 1000 });
  const child = startChild(program, args, { cwd, env: environment, stdio: 'inherit', usesTerminal: stdin.isTerminal });
  started = child;
  try {
    return await new Promise<ExitCode>((resolve, reject) => {
      child.process.once('error', error =>
        reject(new CliError('usage', `cannot run ${JSON.stringify(program)}: ${systemReason(error)}`, { cause: error })),
      );
      child.process.once('exit', (code, signal) => resolve((code ?? 128 + (signal === null ? 0 : constants.signals[signal])) as ExitCode));
    });
  } finally {
    forget();
    await cleanUp();
  }
}
