import { excludedRuleWarnings } from '../../../../apis/admissionregistration/webhook-configuration/webhook-rule.js';
import { listAt, stringAt, type ValueMap } from '../../../../go/value.js';
import type { ClusterState } from '../../../../kubernetes/api-call.js';
import type { KubernetesMinor } from '../../../../kubernetes/kubernetes-version.js';
import { resourceTableOf } from '../../../../kubernetes/resource-table.js';
import { isConfiguration } from '../../../work/webhooks/configurations.js';
import type { VersionDifference } from './value-differences.js';

/**
 * Returns what the rules of webhook configurations name and only one of two versions serves, and the warnings that only one of them has
 * for rules without effect.
 */
export function ruleDifferences(before: ClusterState, after: ClusterState): VersionDifference[] {
  const configurations = after.objects.filter(isConfiguration);
  return [
    ...servedDifferences(configurations, before.server.minor, after.server.minor),
    ...excludedDifferences(configurations, before, after),
  ];
}

function servedDifferences(configurations: readonly ValueMap[], from: KubernetesMinor, to: KubernetesMinor): VersionDifference[] {
  const [before, after] = [resourcesOf(from), resourcesOf(to)];
  return configurations.flatMap(object =>
    listAt(object, 'webhooks').flatMap(webhook =>
      listAt(webhook, 'rules').flatMap((rule, i) => {
        const at = `${stringAt(object, 'metadata', 'name')}[${stringAt(webhook, 'name')}].rules[${i}]`;
        const names = listAt(rule, 'apiGroups').flatMap(group =>
          listAt(rule, 'apiVersions').flatMap(version =>
            listAt(rule, 'resources').map(resource => `${group === '' ? '' : `${group}/`}${version} ${String(resource).split('/')[0]}`),
          ),
        );
        return [...new Set(names)].flatMap(name => {
          if (before.has(name) === after.has(name)) return [];
          return [before.has(name) ? { at, from: `${name} is there` } : { at, to: `${name} is there` }];
        });
      }),
    ),
  );
}

function excludedDifferences(configurations: readonly ValueMap[], before: ClusterState, after: ClusterState): VersionDifference[] {
  return configurations.flatMap(object => {
    const at = stringAt(object, 'metadata', 'name');
    const [old, now] = [excludedRuleWarnings(before.server, object), excludedRuleWarnings(after.server, object)];
    return [
      ...old.filter(warning => !now.includes(warning)).map(from => ({ at, from })),
      ...now.filter(warning => !old.includes(warning)).map(to => ({ at, to })),
    ];
  });
}

function resourcesOf(minor: KubernetesMinor): ReadonlySet<string> {
  const { resources } = resourceTableOf(minor, 'all');
  return new Set(resources.map(({ group, version, resource }) => `${group === '' ? '' : `${group}/`}${version} ${resource}`));
}
