import type { ClusterState } from '../../../kubernetes/api-call.js';
import { type RegisteredFlags, withOwnConfigurations, withRegistrations, withUrl } from './cluster-webhooks.js';
import { phasesOf, unsentDemo, unsentUrl, urlWebhookName } from './registration.js';

/** Without a connection there is no certificate to verify, and the file of the CA need not exist yet. */
export function withoutAuthority<F extends Pick<RegisteredFlags, 'caFile'>>(flags: F): F {
  return { ...flags, caFile: undefined };
}

/** Registers the webhooks of the flags for calls whose reviews are not sent: without any, one that matches everything. */
export function unsentCluster(state: ClusterState, given: RegisteredFlags, cwd: string): ClusterState {
  const flags = withoutAuthority(given);
  if (flags.demo === true) return withRegistrations(state, unsentDemo, flags);
  if (flags.url !== undefined) return withUrl(state, flags.url, { flags, cwd });
  const own = withOwnConfigurations(state, { flags, cwd });
  return (
    own ??
    withRegistrations(
      state,
      phasesOf(flags).map(phase => ({ phase, webhook: urlWebhookName, url: unsentUrl, caBundle: undefined })),
      flags,
    )
  );
}
