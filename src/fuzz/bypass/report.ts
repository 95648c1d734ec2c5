import { plainOfValue } from '../../encoding/plain-json.js';
import { writeYaml } from '../../encoding/yaml-writer.js';
import { flagWords, shellCommand } from '../../writers/shell.js';
import { kubectlWords, type ReportedFinding } from '../run/report.js';
import type { Bypass } from './search.js';

/** Returns the findings of the searches for ways around the webhooks. */
export function bypassFindings(bypasses: readonly Bypass[]): ReportedFinding[] {
  return bypasses.map(bypass => ({
    document: {
      check: 'bypass',
      webhook: bypass.webhook,
      message: messageOfBypass(bypass),
      count: 1,
      call: { steps: commandsOf(bypass) },
      manifests: bypass.made.map(({ input }) => plainOfValue(input.object)),
      command: commandsOf(bypass).join(' && '),
    },
    text: bypassText(bypass),
  }));
}

/** Continues after the webhook's name. */
export function messageOfBypass({ way, message, webhook }: Bypass): string {
  return webhook === '' ? message : `can be bypassed by ${way.title}: afterwards an object holds what CREATE refuses (${message})`;
}

/** Returns the kubectl commands of a sequence, whose manifests are `step-1.yaml` and so on. */
export function commandsOf({ made }: Bypass): string[] {
  return made.map((one, i) => {
    const words = kubectlWords(one).map(word => (word === 'manifest.yaml' ? fileOf(i) : word));
    return shellCommand([...words, ...impersonation(one.input.user)]);
  });
}

function impersonation(
  user: { readonly username: string; readonly groups?: readonly string[] | undefined } | undefined,
): readonly string[] {
  if (user === undefined) return [];
  return [...flagWords('--as', user.username), ...(user.groups ?? []).flatMap(group => flagWords('--as-group', group))];
}

function fileOf(index: number): string {
  return `step-${index + 1}.yaml`;
}

function bypassText(bypass: Bypass): string {
  const manifests = bypass.made.map(
    ({ input }, i) =>
      `  ${fileOf(i)}:\n${writeYaml(input.object)
        .replace(/^(?=.)/gm, '    ')
        .trimEnd()}`,
  );
  return [
    `bypass: ${bypass.webhook} ${messageOfBypass(bypass)}`,
    ...commandsOf(bypass).map(command => `  $ ${command}`),
    ...manifests,
    '',
  ].join('\n');
}
