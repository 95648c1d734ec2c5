import { BaseCommand } from '../src/cli/options/base-command.js';
import { portOption } from '../src/cli/options/listening-options.js';
import { flagsOfOptions } from '../src/cli/options/option-flags.js';
import { openOption } from '../src/cli/options/output-options.js';
import type { ExitCode } from '../src/cli/shell/exit-codes.js';

export default class Playground extends BaseCommand {
  static override summary = "Serve a page that runs the API server's admission in the browser.";

  static override description =
    'The page has editors for manifests, configurations, definitions, policies and the answers of webhooks, and shows the result as you type: which webhooks would be called and why, ' +
    'the requests, the object after each step, and errors at their lines. Nothing leaves the browser; the address contains everything that you type. Press Ctrl-C to stop.';

  static override examples = [{ description: 'Serve the playground on a free port', command: '<%= config.bin %> playground' }];

  static override flags = flagsOfOptions({
    port: portOption('the port on 127.0.0.1; 0, the default: any free port'),
    open: openOption,
  });

  async run(): Promise<ExitCode> {
    const { options } = await this.readOptions(Playground);
    const { runPlayground } = await import('../src/cli/commands/playground/run-playground.js');
    return runPlayground(options, this.surroundings);
  }
}
