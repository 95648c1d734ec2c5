import { mappingTo } from '../../../client/options/address-values.js';
import type { WebhookFlagOptions } from '../../../client/options/webhook-options.js';
import type { ValueMap } from '../../../go/value.js';
import type { SuiteProcess } from '../../../suites/suite.js';
import { configuredServices, conversionServices } from '../../work/webhooks/configured-services.js';

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

/**
 * Adds the address of the process: unless the flags say otherwise, it has one port for everything. It serves the services of the webhook
 * configurations and definitions among the objects; without configurations it is a webhook of its own, unless it is one for conversions.
 */
export function withProcessAddress(
  flags: WebhookFlagOptions,
  objects: readonly ValueMap[],
  given: ReadonlySet<string>,
): WebhookFlagOptions {
  if (flags.url !== undefined || flags.service !== undefined) return flags;
  const own = `https://127.0.0.1:\${PORT}`;
  const [configured, conversions] = [configuredServices(objects), conversionServices(objects)];
  const isRegistered = configured.length === 0 && (conversions.length === 0 || given.has('phase'));
  const services = [...new Set([...configured, ...conversions])];
  return {
    ...flags,
    ...(isRegistered ? { url: `${own}/` } : {}),
    ...(services.length === 0 ? {} : { service: services.map(name => mappingTo(name, own)) }),
  };
}
