import path from 'node:path';
import { readGiven, StartError } from '../../cli/work/apiserver/start-error.js';
import type { ApiServer } from '../../kubernetes/api-server.js';
import { forbiddenField, printFieldError } from '../../kubernetes/field-error.js';
import type { FlagValues } from '../../kubernetes/server-options.js';
import { checkAuthenticationConfiguration } from './check-configuration.js';
import type { AnonymousConfiguration, AuthenticationConfiguration } from './configuration.js';
import { authenticatorOfFlags } from './flags-configuration.js';
import { followAuthenticationConfiguration } from './follow-configuration.js';
import { allAlgorithms, type JwtAuthenticators, startJwtAuthenticators, throwErrors } from './jwt-authenticators.js';
import { readAuthenticationConfiguration } from './read-configuration.js';

/** What authentication needs besides the flags. */
export interface AuthenticationSurroundings {
  readonly cwd: string;
  readonly now: () => Date;
  /** Prints a line about what happens while the server runs. */
  readonly log: (line: string) => void;
}

/** The valid configuration of the flags. */
export interface ConfiguredAuthentication {
  /** Undefined if the flags say who is anonymous. */
  readonly anonymous: AnonymousConfiguration | undefined;
  /** Starts the authenticators, and follows the file. Throws StartError. */
  readonly start: (accountIssuers: readonly string[]) => Pick<JwtAuthenticators, 'authenticate' | 'stop'>;
}

/**
 * Reads the file of `--authentication-config`, or the flags `--oidc-*`. Throws StartError with kube-apiserver's message. Source: kubernetes
 * pkg/kubeapiserver/options/authentication.go ToAuthenticationConfig.
 */
export function readConfiguredAuthentication(
  server: ApiServer,
  flags: FlagValues,
  { cwd, now, log }: AuthenticationSurroundings,
): ConfiguredAuthentication {
  const file = flags.get('authentication-config')?.at(-1) ?? '';
  const text = file === '' ? undefined : readFile(file, cwd);
  const configuration = text === undefined ? { jwt: [authenticatorOfFlags(flags, cwd)] } : parseFile(server, file, text);
  const { jwt = [], anonymous } = configuration;
  if (anonymous !== undefined && flags.has('anonymous-auth')) {
    const detail = '--anonymous-auth flag cannot be set when anonymous field is configured in authentication configuration file';
    throw new StartError(printFieldError(forbiddenField('anonymous', detail)));
  }
  throwErrors(checkAuthenticationConfiguration(server, configuration, []), 'invalid authentication configuration: ');
  const algorithms = text === undefined ? (flags.get('oidc-signing-algs') ?? ['RS256']) : allAlgorithms(server);
  return {
    anonymous,
    start: disallowedIssuers => {
      const options = { server, algorithms, disallowedIssuers, now, log };
      const started = startJwtAuthenticators(jwt, options);
      if (text === undefined) return started;
      return followAuthenticationConfiguration({ file: path.resolve(cwd, file), text, anonymous, started, options });
    },
  };
}

function readFile(file: string, cwd: string): string {
  return explained(file, () => readGiven(file, cwd));
}

function parseFile(server: ApiServer, file: string, text: string): AuthenticationConfiguration {
  return explained(file, () => readAuthenticationConfiguration(server, text));
}

function explained<T>(file: string, step: () => T): T {
  try {
    return step();
  } catch (error) {
    if (!(error instanceof StartError)) throw error;
    throw new StartError(`failed to load authentication configuration from file ${JSON.stringify(file)}: ${error.message}`);
  }
}
