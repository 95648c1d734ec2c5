import { Args } from '@oclif/core';
import { BaseCommand } from '../src/cli/options/base-command.js';
import { flagsOfOptions } from '../src/cli/options/option-flags.js';
import type { ExitCode } from '../src/cli/shell/exit-codes.js';
import { free, onOff, word } from '../src/client/options/option.js';

export default class Init extends BaseCommand {
  static override summary = 'Write a first test suite for the webhooks of a project.';

  static override description =
    'Finds webhook configurations, definitions and a manifest that reaches the webhooks, and how the project starts its webhook. ' +
    'Writes a suite with one case, webhook-cli.yaml and, with --ci, a pipeline. Never overwrites a file, asks nothing, and runs nothing but helm, if only a chart has the configurations.';

  static override examples = [
    { description: 'In the folder of a project', command: '<%= config.bin %> init' },
    { description: 'Print what would be written', command: '<%= config.bin %> init --ci github --dry-run' },
  ];

  static override args = { dir: Args.string({ description: 'the folder of the project; the working folder by default' }) };

  static override flags = flagsOfOptions({
    ci: { ...word('github', 'gitlab'), description: 'also write a pipeline that runs the suite' },
    dryRun: { ...onOff, ...free, description: 'print the files instead of writing them' },
  });

  async run(): Promise<ExitCode> {
    const { args, options } = await this.readOptions(Init);
    const { runInit } = await import('../src/cli/commands/init/run-init.js');
    const { ci, dryRun = false } = options;
    return runInit(
      { folder: args.dir ?? '.', ci, dryRun, toolVersion: this.toolVersion, listKnownFlags: () => this.listKnownFlags() },
      this.surroundings,
    );
  }
}
