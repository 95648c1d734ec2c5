import path from 'node:path';
import { readGiven, StartError } from '../../cli/work/apiserver/start-error.js';
import type { ApiServer } from '../../kubernetes/api-server.js';
import { followFile } from '../documents/follow-file.js';
import type { Authorization, ReadAuthorization } from './authorization.js';
import { authorizationIn } from './authorization-configuration.js';

/**
 * Reads the file of `--authorization-config`, and follows its changes: a valid one replaces the authorizers, if it keeps the types that are not webhooks.
 * Throws StartError. Source: kubernetes pkg/kubeapiserver/authorizer/reload.go checkFile.
 */
export function readAuthorizationFile(
  server: ApiServer,
  given: string,
  { cwd, log }: { readonly cwd: string; readonly log: (line: string) => void },
): ReadAuthorization {
  const file = path.resolve(cwd, given);
  const text = readGiven(given, cwd);
  const initial = authorizationIn(server, text);
  const required = new Set(initial.modes.filter(mode => !initial.others?.has(mode)));
  const follow = (use: (authorization: Authorization) => void): (() => void) =>
    followFile(file, text, {
      read: () => readGiven(file, cwd),
      what: 'authorization config',
      log,
      replace: changed => {
        try {
          use(authorizationIn(server, changed, required));
        } catch (error) {
          if (!(error instanceof StartError)) throw error;
          log(`reloading authorization config: ${error.message}`);
          return 'refused';
        }
        log('reloaded authz config');
        return 'replaced';
      },
    });
  return { initial, follow };
}
