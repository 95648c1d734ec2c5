import type { WebhookOptions } from '../../client/options/webhook-options.js';
import type { SuiteProcess } from '../../suites/suite.js';

/** Start timeout for a process that is compiled first. */
const readyTimeoutMs = 600_000;
const stopGraceMs = 2000;

/** Returns the process of `--exec`. */
export function processOf(command: string): SuiteProcess {
  return listening({ command, env: {}, cwd: '.', readyTimeoutMs, stopGraceMs });
}

/** Lets a process be ready when it takes connections, unless it says otherwise: a review could crash it. */
export function listening(process: SuiteProcess): SuiteProcess {
  return { ...process, ready: process.ready ?? { isListening: true } };
}

/** Adds the address of the process: unless the flags say otherwise, it has one port for everything. */
export function withProcessAddress(flags: WebhookOptions, services: readonly string[]): WebhookOptions {
  if (flags.url !== undefined || flags.service !== undefined) return flags;
  const own = `https://127.0.0.1:\${PORT}`;
  return services.length === 0 ? { ...flags, url: `${own}/` } : { ...flags, service: services.map(name => `${name}=${own}`) };
}
