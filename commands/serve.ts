import { Flags } from '@oclif/core';
import { BaseCommand } from '../src/cli/base-command.js';
import type { ExitCode } from '../src/cli/exit-codes.js';
import { numberFlag, wordFlag } from '../src/cli/flags/values.js';

const handlerWords = ['allow', 'deny', 'demo'];

export default class Serve extends BaseCommand {
  static override summary = 'Run the reference webhook server, or a scripted endpoint.';

  static override description =
    'Reviews go to /mutate and /validate. Without --cert-dir, certificates are created in memory and the CA is printed for clients. ' +
    '--script simulates failures: one endpoint, {kind: http, status, headers, body, delayMs, then ...}, {kind: raw, bytes, then}, {kind: sequence, answers}, ' +
    '{kind: connection, read, bytesBase64, then} or {kind: refuse}, or {endpoint, path, routes, certificate}; `then` is close, abort, reset, hang, half-close or keep. ' +
    'Ends with Ctrl-C.';

  static override examples = [
    { description: 'The demo webhook on a free port', command: '<%= config.bin %> serve' },
    {
      description: 'Deny everything, with your own certificates',
      command: '<%= config.bin %> serve --handler deny --port 8443 --cert-dir certs',
    },
    {
      description: 'Simulate a failure: a truncated answer',
      command: '<%= config.bin %> serve --script endpoint.yaml',
    },
  ];

  static override flags = {
    handler: wordFlag({ words: handlerWords, helpValue: handlerWords.join('|'), description: 'the handler; demo by default' }),
    script: Flags.string({
      helpValue: 'FILE',
      description: 'an endpoint described in JSON or YAML instead: answers, raw bytes, delays, closed connections',
    }),
    host: Flags.string({ helpValue: 'ADDRESS', description: 'the address to listen on; 127.0.0.1 by default' }),
    port: numberFlag({ min: 0, max: 65_535, helpValue: 'PORT', description: 'the port; 0, the default: any free port' }),
    'cert-dir': Flags.string({ helpValue: 'PATH', description: 'a folder with tls.crt and tls.key' }),
  };

  async run(): Promise<ExitCode> {
    const { flags } = await this.parse(Serve);
    const { runServe } = await import('../src/cli/serve.js');
    return runServe(flags, this.surroundings);
  }
}
