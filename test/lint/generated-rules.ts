import type { Rule } from '../../src/apiserver/webhooks/webhook.js';
import type { Resource } from '../../src/kubernetes/resource-table.js';

/** Webhooks are never called for these. */
export function isAsked({ group: own, resource }: Resource): boolean {
  return own !== 'admissionregistration.k8s.io' && !resource.endsWith('reviews');
}

function rule(resource: Resource, changes: Partial<Rule> = {}): Rule {
  const { group: own, version } = resource;
  return { operations: ['*'], apiGroups: [own], apiVersions: [version], resources: [resource.resource], scope: '*', ...changes };
}

/** Rules that each name a served resource. */
export function matching(resource: Resource): Rule[] {
  const { namespaced, verbs, subresources } = resource;
  const operations = ['create', 'update', 'delete'].flatMap(verb => (verbs.includes(verb) ? [verb.toUpperCase()] : []));
  if (operations.length === 0) return [];
  return [
    ...operations.map(operation => rule(resource, { operations: [operation] })),
    rule(resource, { scope: namespaced ? 'Namespaced' : 'Cluster' }),
    rule(resource, { apiGroups: ['*'] }),
    rule(resource, { apiVersions: ['v9', resource.version] }),
    rule(resource, { resources: [`${resource.resource}/*`] }),
    rule(resource, { resources: ['*'] }),
    ...subresources.flatMap(({ name, verbs: own }) => {
      const isStream = ['exec', 'attach', 'portforward', 'proxy'].includes(name);
      const operation = isStream ? 'CONNECT' : own.includes('create') ? 'CREATE' : own.includes('update') ? 'UPDATE' : undefined;
      return operation === undefined ? [] : [rule(resource, { resources: [`${resource.resource}/${name}`], operations: [operation] })];
    }),
  ];
}

/** Rules with a mistake about a served resource. */
export function mistaken(resource: Resource): Rule[] {
  const { namespaced, singular, kind, subresources, resource: plural, shortNames, group: own } = resource;
  const written = (name: string): Rule[] => (name === plural ? [] : [rule(resource, { resources: [name] })]);
  return [
    ...written(singular),
    ...written(kind.kind),
    ...shortNames.flatMap(written),
    ...written(`${plural}.${own}`),
    ...written(`${plural.slice(0, 2)}${plural.slice(3)}`),
    rule(resource, { apiGroups: [own === '' ? 'core' : own.split('.', 1)[0] === own ? `${own}x` : (own.split('.', 1)[0] ?? '')] }),
    rule(resource, { apiGroups: [own === 'apps' ? 'batch' : 'apps'] }),
    rule(resource, { apiGroups: [`${own}/${resource.version}`] }),
    rule(resource, { apiVersions: ['v9'] }),
    rule(resource, { apiVersions: [`${own}/${resource.version}`] }),
    ...(plural === 'namespaces' ? [] : [rule(resource, { scope: namespaced ? 'Cluster' : 'Namespaced' })]),
    rule(resource, { operations: ['CONNECT'] }),
    rule(resource, { resources: [`${plural}/nothing`] }),
    ...subresources.flatMap(({ name, verbs }) => {
      const isStream = ['exec', 'attach', 'portforward', 'proxy'].includes(name);
      const operation = isStream || !verbs.includes('create') ? 'CREATE' : 'UPDATE';
      return [rule(resource, { resources: [`${plural}/${name}`], operations: [operation, 'DELETE'] })];
    }),
  ];
}
