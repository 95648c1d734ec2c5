import { listAt, stringAt, type ValueMap } from '../../go/value.js';
import type { KubernetesMinor } from '../../kubernetes/kubernetes-version.js';
import { tableOf } from '../../kubernetes/resource-table.js';
import { isConfiguration } from '../webhooks/configurations.js';
import type { VersionDifference } from './value-differences.js';

/** Returns resources in the rules of webhook configurations that only one of two versions serves. */
export function ruleDifferences(objects: readonly ValueMap[], from: KubernetesMinor, to: KubernetesMinor): VersionDifference[] {
  const [before, after] = [resourcesOf(from), resourcesOf(to)];
  return objects.filter(isConfiguration).flatMap(object =>
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

function resourcesOf(minor: KubernetesMinor): ReadonlySet<string> {
  const { resources } = tableOf(minor, 'all');
  return new Set(resources.map(({ group, version, resource }) => `${group === '' ? '' : `${group}/`}${version} ${resource}`));
}
