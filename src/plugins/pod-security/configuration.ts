import { listAt, stringAt, type ValueMap } from '../../go/value.js';
import type { ClusterState } from '../../kubernetes/api-call.js';
import { memoize } from '../../kubernetes/memoize.js';
import { type LevelVersion, levelNamed, minorNamed, type Policy, privileged } from './policy.js';

/** Configuration of the plugin. Source: pod-security-admission admission/api/types.go. */
export interface PodSecurityConfiguration {
  readonly defaults: Policy;
  /** Who and what is not checked. */
  readonly exemptions: {
    readonly usernames: readonly string[];
    readonly namespaces: readonly string[];
    readonly runtimeClasses: readonly string[];
  };
}

const none: PodSecurityConfiguration = { defaults: privileged, exemptions: { usernames: [], namespaces: [], runtimeClasses: [] } };

/** Returns the configuration of a state; without a file, no policy and no exemptions. */
export function podSecurityConfiguration({ pluginConfigurations }: ClusterState): PodSecurityConfiguration {
  const written = pluginConfigurations?.get('PodSecurity');
  return written === undefined ? none : parsed(written);
}

const parsed = memoize((written: ValueMap): PodSecurityConfiguration => {
  const mode = (name: string): LevelVersion => ({
    level: levelNamed(stringAt(written, 'defaults', name)) ?? 'privileged',
    minor: minorNamed(stringAt(written, 'defaults', `${name}-version`)) ?? 'latest',
  });
  const exempt = (name: string): string[] => listAt(written, 'exemptions', name).map(String);
  return {
    defaults: { enforce: mode('enforce'), audit: mode('audit'), warn: mode('warn') },
    exemptions: { usernames: exempt('usernames'), namespaces: exempt('namespaces'), runtimeClasses: exempt('runtimeClasses') },
  };
});
