import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { regexOf } from '../../cel/values/regex.js';
import type { Readiness } from '../suite.js';
import { isListening } from './is-listening.js';
import { withPorts } from './process-spec.js';

/** Ports and output of a process that may not be ready yet. */
export interface ProbedProcess {
  readonly ports: readonly number[];
  /** Ports of the webhook's URLs, which serve HTTPS. The first is the default of `ready.port`. */
  readonly webhookPorts: readonly string[];
  readonly hasLogged: boolean;
}

/** Probes the conditions of a suite: undefined when all of them hold, else the reason why the process is not ready. */
export async function probeReadiness(ready: Readiness, { ports, webhookPorts, hasLogged }: ProbedProcess): Promise<string | undefined> {
  if (ready.log !== undefined && !hasLogged) return 'no line of its output matches ready.log';
  const port = Number(webhookPorts[0] ?? ports[0]);
  if (ready.isListening === true && !(await isListening('127.0.0.1', port))) return `nothing listens at port ${port}`;
  return ready.path === undefined ? undefined : probePath(ready.path, ready, { ports, webhookPorts });
}

const requestTimeoutMs = 10_000;
const defaultStatus = 200;

/** The certificate is not verified: the cases do that. */
function probePath(path: string, ready: Readiness, { ports, webhookPorts }: Omit<ProbedProcess, 'hasLogged'>): Promise<string | undefined> {
  const port = withPorts(ready.port ?? webhookPorts[0] ?? String(ports[0]), ports);
  const status = ready.status ?? defaultStatus;
  const options = { host: '127.0.0.1', port, path, timeout: requestTimeoutMs, agent: false, rejectUnauthorized: false } as const;
  const send = port === String(ports[0]) || webhookPorts.includes(port) ? httpsRequest : httpRequest;
  return new Promise(resolve => {
    const sent = send(options, response => {
      response.resume();
      const { statusCode } = response;
      resolve(
        statusCode === status ? undefined : `${path} at port ${port} answers with the HTTP status ${statusCode} instead of ${status}`,
      );
    });
    sent.on('timeout', () => sent.destroy(new Error('no answer in time')));
    sent.on('error', error => resolve(`${path} at port ${port}: ${error.message}`));
    sent.end();
  });
}

/** Returns a listener of output and whether a line matched the condition. Lines may span chunks. */
export function logCondition({ log }: Readiness): { readonly listen: (text: string) => void; readonly hasMatched: () => boolean } {
  let line = '';
  let matched = false;
  return {
    listen: text => {
      if (matched || log === undefined) return;
      const lines = (line + text).split(/\r?\n/);
      matched = lines.some(each => regexOf(log).test(each));
      line = (lines.at(-1) ?? '').slice(-maxLine);
    },
    hasMatched: () => matched,
  };
}

/** A longer line is matched from its end. */
const maxLine = 65_536;
