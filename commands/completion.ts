import { Args } from '@oclif/core';
import { BaseCommand } from '../src/cli/options/base-command.js';
import type { ExitCode } from '../src/cli/shell/exit-codes.js';

export default class Completion extends BaseCommand {
  static override summary = 'Print a completion script for a shell.';

  static override description =
    'Completes commands, flags and their values: formats, subresources, admission plugins, rules of lint, contexts of the kubeconfig, files.';

  static override examples = [
    { description: 'bash; in ~/.bashrc: source <(webhook-cli completion bash)', command: '<%= config.bin %> completion bash' },
    { description: 'zsh; in ~/.zshrc after compinit: source <(webhook-cli completion zsh)', command: '<%= config.bin %> completion zsh' },
    { description: 'fish; into ~/.config/fish/completions/webhook-cli.fish', command: '<%= config.bin %> completion fish' },
    { description: 'PowerShell, in $PROFILE', command: '<%= config.bin %> completion powershell | Out-String | Invoke-Expression' },
  ];

  static override args = {
    shell: Args.string({ required: true, description: 'bash, zsh, fish or powershell', options: ['bash', 'zsh', 'fish', 'powershell'] }),
    // The scripts ask for `completion bash contexts`, whose values are not known when they are written.
    values: Args.string({ hidden: true, options: ['contexts'] }),
  };

  async run(): Promise<ExitCode> {
    const { args } = await this.readOptions(Completion);
    if (this.config.commands.length === 0) await this.config.load();
    const { runCompletion } = await import('../src/cli/commands/completion/run-completion.js');
    const topics = new Map(this.config.topics.map(({ name, description = '' }) => [name, description]));
    return runCompletion({ shell: args.shell, values: args.values, commands: this.config.commands, topics }, this.surroundings);
  }
}
