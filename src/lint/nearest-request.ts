import { matchesResource } from '../apiserver/webhooks/rules.js';
import type { Rule } from '../apiserver/webhooks/webhook.js';
import { editDistance } from '../client/nearest.js';
import { type AdmittedRequest, ruleMatches } from './requests.js';
import { isAlias } from './unknown-resources.js';

/** Change of a field of a rule, and how far it is from what is written: infinite if it cannot be meant. */
interface Change {
  readonly cost: number;
  /** `apiGroups: ["apps"]`; empty when nothing changes. */
  readonly text: string;
}

const none: Change = { cost: 0, text: '' };

/** Returns the smallest change with which the rule matches a request, as YAML: `apiGroups: ["apps"]`; undefined if none is near. */
export function nearestChange(rule: Rule, requests: readonly AdmittedRequest[]): string | undefined {
  let best: readonly Change[] = [];
  let bestCost = 8;
  for (const request of requests) {
    const changes: Change[] = [];
    let cost = 0;
    // The cheap ones come first, since most requests are too far already by their group.
    for (const change of [operationChange, versionChange, scopeChange, groupChange, resourceChange]) {
      const one = change(rule, request);
      changes.push(one);
      cost += one.cost;
      if (cost >= bestCost) break;
    }
    if (cost < bestCost) [best, bestCost] = [changes, cost];
  }
  const texts = best.flatMap(({ text }) => (text === '' ? [] : [text])).sort();
  return texts.length === 0 ? undefined : texts.join(', ');
}

/** Names that are written in place of the core group, which has none. */
const core: ReadonlySet<string> = new Set(['core', 'v1', 'api', 'core/v1', 'k8s.io', 'default']);

function groupChange({ apiGroups }: Rule, { served: { group } }: AdmittedRequest): Change {
  if (apiGroups.includes('*') || apiGroups.includes(group)) return none;
  const isNear = apiGroups.some(written =>
    group === ''
      ? core.has(written)
      : written.split('/', 1)[0] === group ||
        group.startsWith(`${written}.`) ||
        written.startsWith(`${group}.`) ||
        isSimilar(written, group),
  );
  return { cost: isNear ? 1 : 2.5, text: `apiGroups: ["${group}"]` };
}

function versionChange({ apiVersions }: Rule, { served: { version } }: AdmittedRequest): Change {
  if (apiVersions.includes('*') || apiVersions.includes(version)) return none;
  return { cost: 1, text: `apiVersions: ["${version}"]` };
}

function resourceChange({ resources }: Rule, request: AdmittedRequest): Change {
  const { served, subresource, resource } = request;
  if (resources.some(entry => matchesResource(entry, request))) return none;
  const text = `resources: ["${resource.resource}${subresource === '' ? '' : `/${subresource}`}"]`;
  const costs = resources.map(entry => {
    const [name = '', own = ''] = entry.split('/', 2);
    const named =
      name === '*' || name === served.resource
        ? 0
        : isAlias(name, served)
          ? 1
          : isSimilar(name.toLowerCase(), served.resource)
            ? 1.5
            : Infinity;
    const bySubresource =
      own === subresource || own === '*' ? 0 : own !== '' && subresource !== '' && isSimilar(own, subresource) ? 1 : 2.5;
    return named + bySubresource;
  });
  return { cost: Math.min(...costs), text };
}

function operationChange({ operations }: Rule, { operation }: AdmittedRequest): Change {
  if (operations.includes('*') || operations.includes(operation)) return none;
  return { cost: 1, text: `operations: ["${operation}"]` };
}

function scopeChange(rule: Rule, request: AdmittedRequest): Change {
  const { apiGroups, apiVersions, resources, operations } = { apiGroups: ['*'], apiVersions: ['*'], resources: ['*/*'], operations: ['*'] };
  if (ruleMatches({ ...rule, apiGroups, apiVersions, resources, operations }, request, 'Exact')) return none;
  return { cost: 1, text: `scope: "${rule.scope === 'Cluster' ? 'Namespaced' : 'Cluster'}"` };
}

function isSimilar(a: string, b: string): boolean {
  return editDistance(a, b) <= Math.max(1, Math.floor(Math.min(a.length, b.length) / 4));
}
