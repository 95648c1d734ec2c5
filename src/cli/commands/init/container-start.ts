import { listAt } from '../../../go/value.js';
import type { WebhookContainer } from './container-environment.js';
import { certificatesWord, type Project, type Start, withKubeconfig } from './project.js';

/**
 * Returns a project's start with what the container of its manifests shows of it: the subcommand of a Go program, which is in the arguments before the first flag, and the port,
 * if the source does not tell it.
 */
export function withContainerCommand(project: Project, shown: WebhookContainer | undefined): Project {
  if (shown === undefined || project.language !== 'go') return project;
  const subcommand = subcommandOf(shown);
  const { start, hint, port = shown.port } = project;
  if (start !== undefined) return { ...project, start: { ...start, command: withSubcommand(start.command, subcommand) } };
  if (hint === undefined) return project;
  const command = withSubcommand(hint, subcommand);
  // Without flags for the pair, the program would not use that of the suite.
  if (!command.includes(certificatesWord) || port === undefined) return { ...project, hint: command };
  const completed: Start = { command, env: project.isClient === true ? withKubeconfig({}) : {}, port };
  return { ...project, hint: command, start: completed, port };
}

function subcommandOf({ container }: WebhookContainer): string[] {
  const words: string[] = [];
  for (const word of listAt(container, 'args')) {
    if (typeof word !== 'string' || !/^[a-z][a-z0-9-]*$/.test(word)) break;
    words.push(word);
  }
  return words;
}

/** `go run . --cert=x` with `webhook`: `go run . webhook --cert=x` */
function withSubcommand(command: string, subcommand: readonly string[]): string {
  const [, run = '', rest = ''] = /^(.*\bgo run \S+)(.*)$/s.exec(command) ?? [];
  return run === '' || subcommand.length === 0 ? command : `${run} ${subcommand.join(' ')}${rest}`;
}
