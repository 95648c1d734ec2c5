import { plainOfValue } from '../../encoding/plain-json.js';
import { writeYaml } from '../../encoding/yaml-writer.js';
import { kubectlOf } from '../report.js';
import type { Bypass } from './search.js';

/** Result of the searches for all forbidden objects. */
export interface BypassReport {
  readonly bypasses: readonly Bypass[];
  readonly calls: number;
  readonly seed: number;
  readonly durationMs: number;
}

/** Returns the report as text and as JSON, a FuzzReport. */
export function bypassReport({ bypasses, calls, seed, durationMs }: BypassReport): { readonly text: string; readonly json: string } {
  const findings = bypasses.map(bypass => ({
    check: 'bypass',
    webhook: bypass.webhook,
    message: messageOf(bypass),
    count: 1,
    call: { steps: commandsOf(bypass) },
    manifests: bypass.made.map(({ input }) => plainOfValue(input.object)),
    command: commandsOf(bypass).join(' && '),
  }));
  const coverage = {
    resources: new Set(bypasses.flatMap(({ made }) => made.map(({ input }) => input.target))).size,
    operations: 0,
    fields: 0,
  };
  const document = {
    apiVersion: 'webhook-cli.dev/v1alpha1',
    kind: 'FuzzReport',
    seed,
    calls,
    durationMs: Math.round(durationMs),
    coverage,
    findings,
  };
  const count = `${bypasses.length} ${bypasses.length === 1 ? 'way' : 'ways'} around the webhooks; ${calls} calls in ${(durationMs / 1000).toFixed(1)} s\n`;
  return { text: [...bypasses.map(textOf), count].join('\n'), json: `${JSON.stringify(document, null, 2)}\n` };
}

/** Continues after the webhook's name. */
export function messageOf({ way, message, webhook }: Bypass): string {
  return webhook === '' ? message : `can be bypassed by ${way.title}: afterwards an object holds what CREATE refuses (${message})`;
}

function commandsOf({ made }: Bypass): string[] {
  return made.map((one, i) => kubectlOf(one).replaceAll('manifest.yaml', fileOf(i)) + impersonation(one.input.user));
}

function impersonation(user: { readonly username: string; readonly groups?: readonly string[] | undefined } | undefined): string {
  return user === undefined ? '' : ` --as ${user.username}${(user.groups ?? []).map(group => ` --as-group ${group}`).join('')}`;
}

function fileOf(index: number): string {
  return `step-${index + 1}.yaml`;
}

function textOf(bypass: Bypass): string {
  const manifests = bypass.made.map(
    ({ input }, i) =>
      `  ${fileOf(i)}:\n${writeYaml(input.object)
        .replace(/^(?=.)/gm, '    ')
        .trimEnd()}`,
  );
  return [`bypass: ${bypass.webhook} ${messageOf(bypass)}`, ...commandsOf(bypass).map(command => `  $ ${command}`), ...manifests, ''].join(
    '\n',
  );
}
