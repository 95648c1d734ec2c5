import type { OtherAuthorizer } from '../../apiserver/authorization/authorizer-of.js';
import { parseDuration } from '../../go/duration.js';
import type { ApiServer } from '../../kubernetes/api-server.js';
import type { FlagValues } from '../../kubernetes/server-options.js';
import type { ReadAuthorization } from './authorization.js';

/** What authorization needs besides the flags. */
export interface AuthorizationSurroundings {
  readonly cwd: string;
  /** Prints a line about what happens while the server runs. */
  readonly log: (line: string) => void;
}

/** Reads the files of the flags of authorization. Throws StartError. Source: kubernetes pkg/kubeapiserver/options/authorization.go. */
export async function readAuthorization(
  server: ApiServer,
  flags: FlagValues,
  { cwd, log }: AuthorizationSurroundings,
): Promise<ReadAuthorization> {
  const last = (name: string): string | undefined => flags.get(name)?.at(-1) || undefined;
  const configuration = last('authorization-config');
  if (configuration !== undefined) {
    const { readAuthorizationFile } = await import('./follow-authorization.js');
    return readAuthorizationFile(server, configuration, { cwd, log });
  }
  const others = new Map<string, OtherAuthorizer>();
  const policies = last('authorization-policy-file');
  if (policies !== undefined) {
    const { abacAuthorizer } = await import('./abac.js');
    others.set('ABAC', abacAuthorizer(server, policies, cwd));
  }
  const kubeconfig = last('authorization-webhook-config-file');
  if (kubeconfig !== undefined) {
    const { genericWebhook } = await import('../webhooks/generic-webhook.js');
    const { webhookAuthorizer } = await import('./webhook-authorizer.js');
    const options = {
      version: last('authorization-webhook-version') === 'v1' ? 'v1' : 'v1beta1',
      timeoutMs: 30_000,
      authorizedMs: milliseconds(last('authorization-webhook-cache-authorized-ttl') ?? '5m'),
      unauthorizedMs: milliseconds(last('authorization-webhook-cache-unauthorized-ttl') ?? '30s'),
      deniesOnError: false,
    } as const;
    others.set('Webhook', webhookAuthorizer(server, genericWebhook(kubeconfig, 'authorization', cwd), options));
  }
  const modes = flags.get('authorization-mode') ?? ['AlwaysAllow'];
  return { initial: { modes, others: others.size === 0 ? undefined : others }, follow: undefined };
}

function milliseconds(text: string): number {
  return Number(parseDuration(text)) / 1e6;
}
