import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { CaseFault } from '../../suites/faults.js';
import { ProcessFault } from '../../suites/process/process-fault.js';
import { type ProcessSpec, withPort } from '../../suites/process/process-spec.js';
import { type ProbedWebhook, reviewProbe } from '../../suites/process/review-probe.js';
import { startProcess } from '../../suites/process/start-process.js';
import type { TestFailure } from '../../suites/results.js';
import type { SuiteProcess } from '../../suites/suite.js';
import type { WebhookFlags } from '../flags/webhook-flags.js';
import type { Surroundings } from '../surroundings.js';

/** The webhook under test as a process that runs. */
export interface StartedProcess {
  /** The flags with its port and its certificates in them. */
  readonly flags: WebhookFlags;
  /** What is to be said of it when it has ended on its own; undefined while it runs. A call of it that failed: it may be about to end. */
  readonly fault: (callFailed: boolean) => Promise<TestFailure | undefined>;
  readonly stop: () => Promise<void>;
}

/**
 * Starts the process of a suite on a free port, and waits until it answers a review. `${CERTS}` becomes a folder with tls.crt, tls.key and ca.crt for
 * this machine and the mapped services, whose authority is trusted unless the flags name another. Throws CaseFault when it never gets ready.
 */
export async function startSuiteProcess(described: SuiteProcess, flags: WebhookFlags, surroundings: Surroundings): Promise<StartedProcess> {
  const certificates = usesCertificates(described) ? await makeCertificates(flags, surroundings) : undefined;
  const own = certificates === undefined || flags['ca-file'] !== undefined ? flags : { ...flags, 'ca-file': certificates.authority };
  const spec = specOf(described, certificates?.folder ?? '', surroundings.cwd);
  const { createTransport } = await import('../../transport/call-webhook.js');
  // Whom it belongs to is for the cases to find out, in the API server's words.
  const transport = createTransport({ insecureSkipVerify: true, allowHttp: true });
  try {
    const started = await startProcess(spec, {
      env: surroundings.env,
      probe: port => reviewProbe(probedWebhook(withPortIn(own, port)), transport.callWebhook),
    });
    return {
      flags: withPortIn(own, started.port),
      fault: async callFailed => {
        const fault = started.fault() ?? (callFailed ? await soon(started.crashed) : undefined);
        return fault === undefined ? undefined : failureOf(fault);
      },
      stop: async () => {
        await started.stop();
        certificates?.remove();
      },
    };
  } catch (error) {
    certificates?.remove();
    throw error instanceof ProcessFault ? new CaseFault(failureOf(error), { cause: error }) : error;
  } finally {
    await transport.close();
  }
}

/** A connection may break a moment before the system says that the process has ended. */
const moment = 300;

async function soon<T>(promise: Promise<T>): Promise<T | undefined> {
  const patience = new AbortController();
  const over = setTimeout(moment, undefined, { signal: patience.signal }).catch(() => undefined);
  try {
    return await Promise.race([promise, over]);
  } finally {
    patience.abort();
  }
}

const certificatesWord = `\${CERTS}`;

function usesCertificates({ command, env }: SuiteProcess): boolean {
  return [command, ...Object.values(env)].flat().some(text => text.includes(certificatesWord));
}

function specOf({ command, env, cwd, ...patience }: SuiteProcess, certificates: string, from: string): ProcessSpec {
  const filled = (text: string): string => text.replaceAll(certificatesWord, certificates);
  return {
    ...patience,
    command: typeof command === 'string' ? filled(command) : command.map(filled),
    env: Object.fromEntries(Object.entries(env).map(([name, value]) => [name, filled(value)])),
    cwd: path.resolve(from, cwd),
  };
}

interface Certificates {
  readonly folder: string;
  /** The file of the authority. */
  readonly authority: string;
  readonly remove: () => void;
}

async function makeCertificates(flags: WebhookFlags, { now, onInterrupt }: Surroundings): Promise<Certificates> {
  const { issueServingPair } = await import('../../certificates/issue-files.js');
  const { ca, cert, key } = await issueServingPair({ dns: serviceNames(flags), ips: [] }, now());
  const folder = mkdtempSync(path.join(tmpdir(), 'webhook-cli-certs-'));
  const removeFolder = (): void => rmSync(folder, { recursive: true, force: true });
  const forget = onInterrupt(async () => removeFolder());
  for (const [name, text] of Object.entries({ 'ca.crt': ca, 'tls.crt': cert, 'tls.key': key })) {
    writeFileSync(path.join(folder, name), text, { mode: 0o600 });
  }
  return {
    folder,
    authority: path.join(folder, 'ca.crt'),
    remove: () => {
      forget();
      removeFolder();
    },
  };
}

/** `webhook.team.svc` for every mapped `team/webhook`. */
function serviceNames({ service }: WebhookFlags): string[] {
  return (service ?? []).flatMap(mapping => {
    const [, namespace, name] = /^([^/=:*]+)\/([^/=:*]+)/.exec(mapping) ?? [];
    return namespace === undefined || name === undefined ? [] : [`${name}.${namespace}.svc`];
  });
}

function withPortIn(flags: WebhookFlags, port: number): WebhookFlags {
  const filled = (texts: string[] | undefined): string[] | undefined => texts?.map(text => withPort(text, port));
  return {
    ...flags,
    url: flags.url === undefined ? undefined : withPort(flags.url, port),
    service: filled(flags.service),
    resolve: filled(flags.resolve),
  };
}

/** Where the flags say that the webhook listens. Throws CaseFault where they do not. */
function probedWebhook({ url, service, 'server-name': serverName }: WebhookFlags): ProbedWebhook {
  const address = url ?? (service?.[0] ?? '').replace(/^[^=]*=/, '');
  if (!URL.canParse(address)) {
    throw new CaseFault({
      check: 'input',
      message: `nothing says where the process listens; add url: https://127.0.0.1:\${PORT}/..., or services: with such an address`,
    });
  }
  const { hostname, port, protocol } = new URL(address);
  const host = hostname.replace(/^\[|\]$/g, '');
  const numbered = port === '' ? (protocol === 'http:' ? 80 : 443) : Number(port);
  return { url: address, address: { host, port: numbered }, serverName: serverName ?? host, caBundle: undefined };
}

function failureOf({ message, output }: ProcessFault): TestFailure {
  const said = output.length === 0 ? ['it wrote nothing'] : ['its last lines:', ...output.map(line => `  ${line}`)];
  return { check: 'exec', message: [message, ...said].join('\n') };
}
