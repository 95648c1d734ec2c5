import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { resolveValue, serviceValue, urlsValue } from '../../../client/options/address-values.js';
import type { ValueType } from '../../../client/options/value-type.js';
import type { WebhookFlagOptions } from '../../../client/options/webhook-options.js';
import { hostWithoutBrackets } from '../../../go/net/host-port.js';
import type { Value } from '../../../go/value.js';
import { foldedLines } from '../../../reports/suites/folded-lines.js';
import { CaseFault } from '../../../suites/faults.js';
import { isListening } from '../../../suites/process/is-listening.js';
import { removeLeftBehind } from '../../../suites/process/left-behind.js';
import { ProcessFault } from '../../../suites/process/process-fault.js';
import { type ProcessSpec, portCount, withPorts } from '../../../suites/process/process-spec.js';
import { logCondition, probeReadiness } from '../../../suites/process/ready-probe.js';
import { reviewProbe } from '../../../suites/process/review-probe.js';
import { startProcess } from '../../../suites/process/start-process.js';
import { kubeconfigWord } from '../../../suites/reading/apiserver-fields.js';
import type { TestFailure } from '../../../suites/results.js';
import type { SuiteProcess } from '../../../suites/suite.js';
import { oneLine } from '../../../writers/printable.js';
import { privateFolder } from '../../shell/private-folder.js';
import type { Surroundings } from '../../shell/surroundings.js';
import { mappedHosts } from '../webhooks/mapped-urls.js';
import { fixedAddresses, probedWebhook } from './probed-webhook.js';

/** A program that nothing has to build is ready before. */
const longWaitMs = 10_000;

/** The running process of the webhook under test. */
export interface StartedProcess {
  /** The flags, with its port and certificates filled in. */
  readonly flags: WebhookFlagOptions;
  readonly output: WrittenOutput;
  /**
   * Returns the fault when the process has exited unexpectedly; undefined while it runs. After a failed call the process may be about to
   * exit.
   */
  readonly fault: (callFailed: boolean) => Promise<TestFailure | undefined>;
  readonly stop: () => Promise<void>;
}

/** See `OutputTail`; the process may belong to another thread. */
export interface WrittenOutput {
  readonly written: () => number | Promise<number>;
  readonly since: (written: number) => readonly string[] | Promise<readonly string[]>;
}

/** The webhooks of a suite that are served by its process. */
export interface SuiteWebhooks {
  readonly flags: WebhookFlagOptions;
  /** Objects of the state, whose webhook configurations have the paths to probe. */
  readonly objects: () => Promise<readonly Value[]>;
  /** Called with all output of the process. */
  readonly onOutput: (text: string) => void;
  /** The file that names its API server, in place of `${KUBECONFIG}` and in the variable of that name. */
  readonly kubeconfig: string | undefined;
}

/**
 * Starts the process of a suite on free ports, and waits until it is ready. `${CERTS}` becomes a folder with tls.crt, tls.key and ca.crt
 * for this machine and the mapped services; this CA is trusted unless the flags name another. Throws CaseFault when it does not get ready, or
 * when its address is in use.
 */
export async function startSuiteProcess(
  described: SuiteProcess,
  { flags, objects, onOutput, kubeconfig }: SuiteWebhooks,
  surroundings: Surroundings,
): Promise<StartedProcess> {
  removeLeftBehind();
  await refuseOccupied(fixedAddresses(flags, await objects()));
  const certificates = usesCertificates(described) ? await makeCertificates(flags, surroundings) : undefined;
  const own = certificates === undefined || flags.caFile !== undefined ? flags : { ...flags, caFile: certificates.authority };
  const spec = {
    ...specOf(described, { certificates: certificates?.folder ?? '', kubeconfig }, surroundings.cwd),
    ports: portsOf(described, flags),
  };
  const { createTransport } = await import('../../../transport/call-webhook.js');
  // The cases verify the certificate, and report the API server's message.
  const transport = createTransport({ insecureSkipVerify: true, allowHttp: true });
  try {
    const { ready } = described;
    const logged = logCondition(ready ?? {});
    const started = await startProcess(spec, {
      env: kubeconfig === undefined ? surroundings.env : { ...surroundings.env, KUBECONFIG: kubeconfig },
      probe: async (_, ports) => {
        if (ready?.path !== undefined || ready?.log !== undefined || ready?.isListening === true)
          return probeReadiness(ready, {
            ports,
            webhookPorts: webhookPortsOf(withPortsIn(own, ports)),
            hasLogged: logged.hasMatched(),
          });
        return reviewProbe(probedWebhook(withPortsIn(own, ports), await objects()), transport.callWebhook);
      },
      onOutput: text => {
        logged.listen(text);
        onOutput(text);
      },
      onWaiting: {
        afterMs: longWaitMs,
        tell: (command, reason) =>
          surroundings.stderr.write(`waiting for ${oneLine(command)}: ${oneLine(reason)}
`),
      },
    });
    return {
      flags: withPortsIn(own, started.ports),
      output: started.tail,
      fault: async callFailed => {
        const fault = started.fault() ?? (callFailed ? await waitBriefly(started.crashed) : undefined);
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

/** Throws CaseFault when another process would answer in place of the webhook. */
async function refuseOccupied(addresses: readonly URL[]): Promise<void> {
  for (const { hostname, port, protocol } of addresses) {
    const number = Number(port) || (protocol === 'http:' ? 80 : 443);
    if (!(await isListening(hostWithoutBrackets(hostname), number))) continue;
    throw new CaseFault({
      check: 'exec',
      message: `another process listens at ${hostname}:${number} already and would answer in place of the webhook; stop it, or let the webhook listen at \${PORT}`,
    });
  }
}

/** A connection may break shortly before the process is reported as ended. */
const moment = 300;

async function waitBriefly<T>(promise: Promise<T>): Promise<T | undefined> {
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

interface Files {
  /** The folder of certificates. */
  readonly certificates: string;
  readonly kubeconfig: string | undefined;
}

function specOf({ command, env, cwd, ready: _, ...patience }: SuiteProcess, files: Files, from: string): ProcessSpec {
  const { certificates, kubeconfig } = files;
  const filled = (text: string): string =>
    text.replaceAll(certificatesWord, certificates).replaceAll(kubeconfigWord, kubeconfig ?? kubeconfigWord);
  return {
    ...patience,
    command: typeof command === 'string' ? filled(command) : command.map(filled),
    env: Object.fromEntries(Object.entries(env).map(([name, value]) => [name, filled(value)])),
    cwd: path.resolve(from, cwd),
  };
}

interface Certificates {
  readonly folder: string;
  /** The file of the CA. */
  readonly authority: string;
  readonly remove: () => void;
}

async function makeCertificates(flags: WebhookFlagOptions, { now, onInterrupt }: Surroundings): Promise<Certificates> {
  const { issueServingPair } = await import('../../../certificates/issue.js');
  const { ca, cert, key } = await issueServingPair({ dns: serverNames(flags), ips: [] }, now());
  const folder = privateFolder('certs');
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

/** `webhook.team.svc` for every mapped `team/webhook`, and the hosts of mapped URLs. */
function serverNames({ service, urls }: WebhookFlagOptions): string[] {
  const services = (service ?? []).flatMap(({ namespace, name }) =>
    namespace === '*' || name === '*' ? [] : [`${name}.${namespace}.svc`],
  );
  return [...services, ...mappedHosts(urls ?? [])];
}

function withPortsIn(flags: WebhookFlagOptions, ports: readonly number[]): WebhookFlagOptions {
  const fill = <T extends { readonly text: string }>(values: readonly T[] | undefined, { parse }: ValueType<T>): readonly T[] | undefined =>
    values?.map(value => parse(withPorts(value.text, ports)) ?? value);
  return {
    ...flags,
    url: flags.url === undefined ? undefined : withPorts(flags.url, ports),
    service: fill(flags.service, serviceValue),
    urls: fill(flags.urls, urlsValue),
    resolve: fill(flags.resolve, resolveValue),
  };
}

/** Ports of the webhook's URLs: `443` of `shop/guard=https://127.0.0.1`. */
function webhookPortsOf({ url, service = [], urls = [] }: WebhookFlagOptions): string[] {
  const targets = [...service, ...urls].map(mapping => mapping.url);
  return [...(url === undefined ? [] : [url]), ...targets].filter(text => URL.canParse(text)).map(text => new URL(text).port || '443');
}

/** Returns the number of ports that the process and its addresses name. */
function portsOf({ command, env, ready }: SuiteProcess, { url = '', service = [], urls = [], resolve = [] }: WebhookFlagOptions): number {
  return portCount(
    [command, Object.values(env), url, ...[...service, ...urls, ...resolve].map(({ text }) => text), ready?.port ?? ''].flat(),
  );
}

function failureOf({ message, output }: ProcessFault): TestFailure {
  const said = output.length === 0 ? ['it wrote nothing'] : ['its last lines:', ...foldedLines(output).map(line => `  ${line}`)];
  return { check: 'exec', message: [message, ...said].join('\n') };
}
