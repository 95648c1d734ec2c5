import type { Rule } from '../../apiserver/webhooks/webhook.js';
import { deprecatedKinds } from '../../kubernetes/deprecated-kinds.js';
import { apiVersionOf } from '../../kubernetes/group-version.js';
import { kubernetesMinor, kubernetesMinors } from '../../kubernetes/kubernetes-version.js';
import { builtInResources, type Resource, tableOf } from '../../kubernetes/resource-table.js';
import type { LintRule } from '../rule.js';

/** A rule names a version of a resource that the next Kubernetes minor no longer serves. */
export const versionGoesAway: LintRule = {
  id: 'version-goes-away',
  severity: 'warning',
  reason: 'after the upgrade the rule matches nothing in that version',
  fix: 'add a version that remains served, and keep matchPolicy Equivalent',
  check: ({ webhooks }) => {
    const leaving = leavingResources();
    return webhooks.flatMap(webhook =>
      webhook.rules.flatMap((rule, i) =>
        leaving
          .filter(resource => names(rule, resource))
          .map(({ group, version, resource }) => ({
            about: webhook,
            at: `/rules/${i}/apiVersions`,
            message: `it names ${group}/${version} ${resource}, which v1.${minorNumber() + 1} no longer serves`,
          })),
      ),
    );
  },
};

function minorNumber(): number {
  return Number(kubernetesMinor().slice('v1.'.length));
}

/** Uses the tables of the next minor if there are any, otherwise the API server's deprecation warnings. */
function leavingResources(): Resource[] {
  const { resources } = builtInResources('all');
  const next = kubernetesMinors[kubernetesMinors.indexOf(kubernetesMinor()) + 1];
  const after = next === undefined ? undefined : new Set(tableOf(next, 'all').resources.map(nameOf));
  return resources.filter(resource =>
    after === undefined
      ? deprecatedKinds.get(`${apiVersionOf(resource.kind)} ${resource.kind.kind}`)?.goneIn === minorNumber() + 1
      : !after.has(nameOf(resource)),
  );
}

function nameOf({ group, version, resource }: Resource): string {
  return `${group}/${version}/${resource}`;
}

/** Wildcards match whatever is served. */
function names({ apiGroups, apiVersions, resources }: Rule, { group, version, resource }: Resource): boolean {
  return apiGroups.includes(group) && apiVersions.includes(version) && resources.some(each => each.split('/', 1)[0] === resource);
}
