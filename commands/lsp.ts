import { BaseCommand } from '../src/cli/options/base-command.js';
import { flagsOfOptions } from '../src/cli/options/option-flags.js';
import type { ExitCode } from '../src/cli/shell/exit-codes.js';
import { inputOptions, serverFlagOptions } from '../src/client/options/call-options.js';
import { onOff } from '../src/client/options/option.js';

export default class Lsp extends BaseCommand {
  static override summary = "Serve an editor: the API server's admission as you type.";

  static override description =
    'A language server on stdin and stdout, which editors start. It shows what the API server would say to the creation of the objects of a manifest: errors of YAML and JSON, unknown fields, ' +
    'validation, in-tree plugins and the admission policies of the state. It calls no webhooks and starts no programs.';

  static override usage = 'lsp [--stdio] [FLAGS]';

  static override examples = [{ description: 'Serve an editor', command: '<%= config.bin %> lsp --stdio' }];

  static override flags = flagsOfOptions({
    stdio: { ...onOff, description: 'talk over stdin and stdout; this is always so' },
    state: inputOptions.state,
    recursive: inputOptions.recursive,
    ...serverFlagOptions,
  });

  /** The editor says which folder is the workspace, whose file gives the defaults. */
  protected override get takesDefaults(): boolean {
    return false;
  }

  async run(): Promise<ExitCode> {
    const { options } = await this.readOptions(Lsp);
    const { runLsp } = await import('../src/cli/commands/lsp/run-lsp.js');
    return runLsp(options, {
      ...this.surroundings,
      toolVersion: this.toolVersion,
      listKnownFlags: () => this.listKnownFlags(),
      listDescribedFlags: () => this.listDescribedFlags(),
      homepage: this.homepage,
    });
  }
}
