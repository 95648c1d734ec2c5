import { serveOptions } from '../src/cli/commands/serve/serve-options.js';
import { BaseCommand } from '../src/cli/options/base-command.js';
import { flagsOfOptions } from '../src/cli/options/option-flags.js';
import type { ExitCode } from '../src/cli/shell/exit-codes.js';

export default class Serve extends BaseCommand {
  static override summary = 'Run the reference webhook server, or a scripted endpoint.';

  static override description =
    'Reviews go to /mutate and /validate. Without --cert-dir, certificates are created in memory and the CA is printed for clients. ' +
    '--script simulates failures: one endpoint, {kind: http, status, headers, body, delayMs, then ...}, {kind: raw, bytes, then}, {kind: sequence, answers}, ' +
    '{kind: connection, read, bytesBase64, then} or {kind: refuse}, or {endpoint, path, routes, certificate}; `then` is close, abort, reset, hang, half-close or keep. ' +
    'Press Ctrl-C to stop.';

  static override examples = [
    { description: 'The demo webhook on a free port', command: '<%= config.bin %> serve' },
    {
      description: 'Deny everything, with your own certificates',
      command: '<%= config.bin %> serve --handler deny --port 8443 --cert-dir certs',
    },
    {
      description: 'Serve your own handlers, and reload them when they change',
      command: '<%= config.bin %> serve --handlers handlers.ts --port 9443 --cert-dir certs --watch',
    },
    {
      description: 'Inject sidecars with the configuration of your mesh',
      command: '<%= config.bin %> serve --handler injector --config istio-sidecar-injector.yaml --port 8443',
    },
    {
      description: 'Simulate a failure: a truncated answer',
      command: '<%= config.bin %> serve --script endpoint.yaml',
    },
  ];

  static override flags = flagsOfOptions(serveOptions);

  async run(): Promise<ExitCode> {
    const { options } = await this.readOptions(Serve);
    const { runServe } = await import('../src/cli/commands/serve/run-serve.js');
    return runServe(options, this.surroundings);
  }
}
