import { servedBy } from '../apiserver/call/served-resources.js';
import { matchesOne, matchesResource } from '../apiserver/webhooks/rules.js';
import { listAt, stringAt, stringsAt, type Value, type ValueMap } from '../go/value.js';
import type { ClusterState } from '../kubernetes/api-call.js';
import { surroundsCalls } from './known-objects.js';
import type { LoggedEvent } from './logged-event.js';
import { isFromAdmission } from './outcome.js';
import { answersWithAnother } from './shown-objects.js';

/** Says which calls the webhooks and policies of a state have nothing to do with: nothing about those can change. */
export interface RegisteredRules {
  /** Reports whether a webhook or policy could be asked about the call, or did something with it in the log, or the call decides about another one that is. */
  readonly concern: (event: LoggedEvent) => boolean;
}

/** Everything concerns calls: for results that depend on more than webhooks and policies. */
export const everyCall: RegisteredRules = { concern: () => true };

/**
 * Resources about whose objects the API server's own plugins decide by other objects, which the state may have: limits, levels of Pod Security, classes,
 * permissions.
 */
const decidedByOthers: ReadonlySet<string> = new Set([
  '/pods',
  '/persistentvolumeclaims',
  'networking.k8s.io/ingresses',
  'certificates.k8s.io/certificatesigningrequests',
  'resource.k8s.io/resourceclaims',
]);

/** A rule by the names of resources only: their groups and versions may be equivalent ones. */
interface NamedRule {
  readonly operations: readonly string[];
  /** `deployments`, `pods/*`, `*` or `*\/*` */
  readonly resources: readonly string[];
}

/** Returns what the webhooks and policies in the objects of a state have rules for. */
export function registeredRules(state: ClusterState): RegisteredRules {
  const rules = state.objects.flatMap(rulesOf);
  const builtIn = new Set(servedBy(state).resources.flatMap(({ group, resource, custom }) => (custom ? [] : [`${group}/${resource}`])));
  const isSelected = ({ verb, objectRef: { group, resource, subresource } }: LoggedEvent): boolean => {
    const subject = { resource: { group, version: '', resource }, subresource };
    const isFor = ({ operations, resources }: NamedRule): boolean =>
      operationsOf(verb).some(operation => matchesOne(operations, operation)) && resources.some(entry => matchesResource(entry, subject));
    return rules.some(isFor);
  };
  const isNamed = ({ objectRef: { resource } }: LoggedEvent): boolean =>
    rules.some(({ resources }) =>
      matchesOne(
        resources.map(entry => entry.split('/', 1)[0] ?? ''),
        resource,
      ),
    );
  return {
    concern: event => {
      const { group, resource } = event.objectRef;
      // Schemas of custom resources may be others than those of the log.
      if (!builtIn.has(`${group}/${resource}`) || surroundsCalls(event.objectRef) || isDecidedByOthers(event)) return true;
      return wasChanged(event) || isSelected(event) || (isNamed(event) && storesUnseen(event));
    },
  };
}

function isDecidedByOthers({ verb, objectRef: { group, resource, subresource } }: LoggedEvent): boolean {
  return decidedByOthers.has(`${group}/${resource}`) && subresource !== 'status' && !verb.startsWith('delete');
}

/** Does the log say that a webhook or policy refused the call or changed its object, or that a webhook failed? */
function wasChanged({ code, message, annotations }: LoggedEvent): boolean {
  if (code > 299 && isFromAdmission(message)) return true;
  return Object.entries(annotations).some(
    ([key, value]) => /^(?:failed-open|patch)\./.test(key) || (key.startsWith('mutation.') && value.includes('"mutated":true')),
  );
}

/** Does the call store an object that the log does not show? Later calls for the object are sent to webhooks with it. */
function storesUnseen(event: LoggedEvent): boolean {
  return answersWithAnother(event) || (event.responseText === '' && !event.verb.startsWith('delete'));
}

/** A put or a patch may create an object, and each verb may be a connection. */
function operationsOf(verb: string): readonly string[] {
  if (verb.startsWith('delete')) return ['DELETE', 'CONNECT'];
  return verb === 'create' ? ['CREATE', 'CONNECT'] : ['CREATE', 'UPDATE', 'CONNECT'];
}

/** Returns the rules of the webhooks or of the policy in an object. A policy without rules is asked about everything. */
function rulesOf(object: ValueMap): readonly NamedRule[] {
  const kind = stringAt(object, 'kind');
  if (kind.endsWith('WebhookConfiguration')) return listAt(object, 'webhooks').flatMap(webhook => listAt(webhook, 'rules').map(ruleOf));
  if (!kind.endsWith('AdmissionPolicy')) return [];
  const rules = listAt(object, 'spec', 'matchConstraints', 'resourceRules');
  return rules.length === 0 ? [{ operations: ['*'], resources: ['*/*'] }] : rules.map(ruleOf);
}

function ruleOf(rule: Value): NamedRule {
  return { operations: stringsAt(rule, 'operations'), resources: stringsAt(rule, 'resources') };
}
