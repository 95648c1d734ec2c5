import { Flags } from '@oclif/core';
import { BaseCommand } from '../src/cli/options/base-command.js';
import { callFlags } from '../src/cli/options/call-flags.js';
import type { ExitCode } from '../src/cli/shell/exit-codes.js';

export default class Lsp extends BaseCommand {
  static override summary = "Serve an editor: the API server's admission as you type.";

  static override description =
    'A language server on stdin and stdout, which editors start. It shows what the API server would say to the creation of the objects of a manifest: errors of YAML and JSON, unknown fields, ' +
    'validation, in-tree plugins and the admission policies of the state. It calls no webhooks and starts no programs.';

  static override usage = 'lsp [--stdio] [FLAGS]';

  static override examples = [{ description: 'Serve an editor', command: '<%= config.bin %> lsp --stdio' }];

  static override flags = {
    stdio: Flags.boolean({ description: 'talk over stdin and stdout; this is always so' }),
    state: callFlags.state,
    recursive: callFlags.recursive,
    'kubernetes-version': callFlags['kubernetes-version'],
    'enable-admission-plugins': callFlags['enable-admission-plugins'],
    'disable-admission-plugins': callFlags['disable-admission-plugins'],
  };

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
      listDescribedFlags: () => this.listDescribedFlags(),
      homepage: this.homepage,
    });
  }
}
