import type { Rule } from '../../apiserver/webhooks/webhook.js';
import type { ApiServer } from '../../kubernetes/api-server.js';
import { deprecationOf } from '../../kubernetes/deprecated-kinds.js';
import { apiVersionOf } from '../../kubernetes/group-version.js';
import { kubernetesMinors } from '../../kubernetes/kubernetes-version.js';
import { memoize } from '../../kubernetes/memoize.js';
import { builtInResources, type Resource, resourceTableOf } from '../../kubernetes/resource-table.js';
import type { LintRule } from '../rule.js';
import { ruleLists } from '../rule-lists.js';

/** A rule names a version of a resource that the next Kubernetes minor no longer serves. */
export const versionGoesAway: LintRule = {
  id: 'version-goes-away',
  severity: 'warning',
  reason: 'after the upgrade the rule matches nothing in that version',
  fix: 'add a version that remains served, and keep matchPolicy Equivalent',
  check: subject => {
    const leaving = leavingResources(subject.server);
    return ruleLists(subject).flatMap(({ about, at, rules }) =>
      rules.flatMap((rule, i) =>
        leaving
          .filter(resource => names(rule, resource))
          .map(({ group, version, resource }) => ({
            about,
            at: `${at}/${i}/apiVersions`,
            message: `it names ${group}/${version} ${resource}, which v1.${minorNumber(subject.server) + 1} no longer serves`,
          })),
      ),
    );
  },
};

function minorNumber(server: ApiServer): number {
  return Number(server.minor.slice('v1.'.length));
}

/** Uses the tables of the next minor if there are any, otherwise the API server's deprecation warnings. */
const leavingResources = memoize((server: ApiServer): readonly Resource[] => {
  const { resources } = builtInResources(server, 'all');
  const next = kubernetesMinors[kubernetesMinors.indexOf(server.minor) + 1];
  const after = next === undefined ? undefined : new Set(resourceTableOf(next, 'all').resources.map(nameOf));
  return resources.filter(resource =>
    after === undefined
      ? deprecationOf(server, `${apiVersionOf(resource.kind)} ${resource.kind.kind}`)?.goneIn === minorNumber(server) + 1
      : !after.has(nameOf(resource)),
  );
});

function nameOf({ group, version, resource }: Resource): string {
  return `${group}/${version}/${resource}`;
}

/** Wildcards match whatever is served. */
function names({ apiGroups, apiVersions, resources }: Rule, { group, version, resource }: Resource): boolean {
  return apiGroups.includes(group) && apiVersions.includes(version) && resources.some(each => each.split('/', 1)[0] === resource);
}
