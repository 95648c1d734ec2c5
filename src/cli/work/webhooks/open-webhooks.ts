import type { CallPlan } from '../../../client/calls/plan.js';
import { CliError } from '../../../client/cli-error.js';
import type { ReproducingFlags } from '../../../client/options/call-options.js';
import type { ClusterState } from '../../../kubernetes/api-call.js';
import type { VersionFlags } from '../../options/server-version.js';
import type { Surroundings } from '../../shell/surroundings.js';
import type { ClusterFlags } from '../cluster/cluster-flags.js';
import { type OwnWebhooksFlags, type RegisteredFlags, withOwnConfigurations, withRegistrations, withUrl } from './cluster-webhooks.js';
import { startDemo } from './demo.js';
import { checkConfigurations } from './refused-configurations.js';
import { checkRegistrationFlags } from './refused-registrations.js';

/** The webhooks of the flags, ready to be called. */
export interface OpenWebhooks {
  /** Registers them in a state; of its own configurations only the `chosen` webhooks. Throws CliError without any webhook. */
  readonly registeredIn: (state: ClusterState, chosen?: readonly string[]) => ClusterState;
  /** Throws CliError if the API server refuses a configuration of the state that is used. */
  readonly checkConfigurations: (state: ClusterState) => Promise<void>;
  readonly close: () => Promise<void>;
}

type AgainstFlag = Pick<ClusterFlags, 'againstCluster'>;

/** Not a flag: do calls create the webhooks? */
type CreatedFlag = Pick<CallPlan, 'createsWebhooks'>;

/** What decides which webhooks are called. */
export type OpenWebhooksFlags = RegisteredFlags &
  AgainstFlag &
  CreatedFlag &
  VersionFlags &
  Pick<ReproducingFlags, 'now'> & {
    /** Not a flag: is the embedded webhook called without a connection? */
    readonly callsDemoDirectly?: boolean | undefined;
  };

/** Opens the webhook of `--url`, starts that of `--demo`, or uses those of the state. */
export async function openWebhooks(flags: OpenWebhooksFlags, { cwd, now }: Pick<Surroundings, 'cwd' | 'now'>): Promise<OpenWebhooks> {
  const close = async (): Promise<void> => {};
  // Registrations of the flags are checked with the flags, and replace those of the state.
  const replaced = { checkConfigurations: async (): Promise<void> => {} };
  const { url } = flags;
  if (url !== undefined) await checkRegistrationFlags(flags);
  if (url !== undefined) return { ...replaced, registeredIn: state => withUrl(state, url, { flags, cwd }), close };
  if (flags.demo !== true) {
    return {
      checkConfigurations,
      registeredIn: (state, chosen) => withOwn(state, chosen === undefined ? flags : { ...flags, webhook: [...chosen] }, cwd),
      close,
    };
  }
  if (flags.callsDemoDirectly === true) {
    const { directDemo } = await import('./direct-demo.js');
    return { ...replaced, registeredIn: state => withRegistrations(state, directDemo, flags), close };
  }
  const demo = await startDemo({ now: () => flags.now ?? now() });
  return { ...replaced, registeredIn: state => withRegistrations(state, demo.registrations, flags), close: demo.close };
}

function withOwn(state: ClusterState, flags: OwnWebhooksFlags & AgainstFlag & CreatedFlag, cwd: string): ClusterState {
  const own = withOwnConfigurations(state, { flags, cwd });
  if (own !== undefined) return own;
  // Answers are comparable without webhooks too.
  if (flags.againstCluster === true || flags.createsWebhooks === true) return state;
  const inCluster =
    state.source === undefined ? 'no webhook specified' : 'the cluster has no webhook configurations and no admission policies';
  throw new CliError('usage', inCluster, { suggestions: ['pass --url URL', '--demo', '--state PATH with webhook configurations'] });
}
