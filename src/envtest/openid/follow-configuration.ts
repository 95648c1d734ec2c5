import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { readGiven } from '../../cli/work/apiserver/start-error.js';
import { forbiddenField } from '../../kubernetes/field-error.js';
import { followFile } from '../documents/follow-file.js';
import { checkAuthenticationConfiguration } from './check-configuration.js';
import type { AnonymousConfiguration, AuthenticationConfiguration } from './configuration.js';
import { type JwtAuthenticators, type JwtOptions, startJwtAuthenticators, throwErrors } from './jwt-authenticators.js';
import { readAuthenticationConfiguration } from './read-configuration.js';
import { messageOf } from './signed-token.js';

/** A file that was read, and its authenticators. */
export interface FollowedConfiguration {
  readonly file: string;
  readonly text: string;
  readonly anonymous: AnonymousConfiguration | undefined;
  readonly started: JwtAuthenticators;
  readonly options: JwtOptions;
}

/** How long new issuers may take to answer. Source: UpdateAuthenticationConfigTimeout. */
const healthTimeoutMs = 60_000;
const healthIntervalMs = 10_000;

/**
 * Replaces the authenticators when the file changes and its issuers answer. Who is anonymous does not change while the server runs. Source: kubernetes
 * pkg/kubeapiserver/options/authentication.go ApplyTo, pkg/kubeapiserver/authenticator/config.go updateAuthenticationConfig.
 */
export function followAuthenticationConfiguration(followed: FollowedConfiguration): Pick<JwtAuthenticators, 'authenticate' | 'stop'> {
  const { file, options, anonymous } = followed;
  let current = followed.started;
  let isStopped = false;
  const stopFollowing = followFile(file, followed.text, {
    read: () => readGiven(file, ''),
    log: options.log,
    what: 'authentication config',
    replace: async text => {
      let configuration: AuthenticationConfiguration;
      try {
        configuration = readChanged(text, anonymous, options);
      } catch (error) {
        options.log(messageOf(error));
        return 'refused';
      }
      const next = await startHealthy(configuration, options, () => isStopped).catch((error: unknown) => {
        options.log(`failed to update authentication config: ${messageOf(error)}`);
      });
      if (next === undefined) return 'failed';
      current.stop();
      current = next;
      if (isStopped) current.stop();
      options.log('reloaded authentication config');
      return 'replaced';
    },
  });
  return {
    authenticate: token => current.authenticate(token),
    stop: () => {
      isStopped = true;
      stopFollowing();
      current.stop();
    },
  };
}

/** Throws Error for a text that will never be valid. */
function readChanged(
  text: string,
  anonymous: AnonymousConfiguration | undefined,
  { server, disallowedIssuers }: JwtOptions,
): AuthenticationConfiguration {
  let configuration: AuthenticationConfiguration;
  try {
    configuration = readAuthenticationConfiguration(server, text);
  } catch (error) {
    throw new Error(`failed to load authentication config: ${messageOf(error)}`);
  }
  const errors = checkAuthenticationConfiguration(server, configuration, disallowedIssuers);
  if (!isDeepStrictEqual(normalized(anonymous), normalized(configuration.anonymous)))
    errors.push(forbiddenField('anonymous', 'changed from initial configuration file'));
  throwErrors(errors, 'failed to validate authentication config: ');
  return configuration;
}

/** Go does not distinguish missing fields from empty ones; a list that is empty is not one that is missing. */
function normalized(anonymous: AnonymousConfiguration | undefined): object | undefined {
  if (anonymous === undefined) return undefined;
  return { enabled: anonymous.enabled ?? false, paths: anonymous.conditions?.map(({ path = '' }) => path) };
}

async function startHealthy(
  { jwt = [] }: AuthenticationConfiguration,
  options: JwtOptions,
  isStopped: () => boolean,
): Promise<JwtAuthenticators> {
  const next = startJwtAuthenticators(jwt, options);
  const deadline = Date.now() + healthTimeoutMs;
  for (;;) {
    const problems = await next.readProblems();
    if (problems.length === 0) return next;
    if (isStopped() || Date.now() + healthIntervalMs > deadline) {
      next.stop();
      throw new Error(problems.length === 1 ? problems[0] : `[${problems.join(', ')}]`);
    }
    await sleep(healthIntervalMs, undefined, { ref: false });
  }
}
