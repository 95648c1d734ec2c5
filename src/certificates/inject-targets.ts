import type { PlacedEntry, PlacedMap, PlacedNode } from '../encoding/placed-documents.js';

/** Place of a caBundle, with notes. */
export interface InjectTarget {
  /** `ValidatingWebhookConfiguration team, webhook a.example.com` */
  readonly name: string;
  /** Map of the member `caBundle`; undefined if none is written, for the reason in `notes`. */
  readonly map: PlacedMap | undefined;
  /** Member that contains the map: position for a first line. */
  readonly entry: PlacedEntry | undefined;
  readonly notes: readonly string[];
}

/** Returns the places in a document, including objects in lists; empty for kinds without a client configuration. */
export function injectTargets(document: PlacedNode): InjectTarget[] {
  const group = (scalarAt(document, 'apiVersion') ?? '').replace(/\/.*$/, '');
  const kind = scalarAt(document, 'kind') ?? '';
  const items = nodeValueAt(document, 'items');
  if (items?.kind === 'list' && kind.endsWith('List')) return items.items.flatMap(injectTargets);
  const targets = targetsOfKind(document, `${group}/${kind}`);
  const notes = managedNotes(document);
  return targets.map((target, i) => (i === 0 ? { ...target, notes: [...target.notes, ...notes] } : target));
}

/** Returns the value of a member, merged ones included. */
export function nodeValueAt(node: PlacedNode | undefined, ...path: readonly string[]): PlacedNode | undefined {
  return path.reduce<PlacedNode | undefined>((at, key) => entryAt(at, key)?.value, node);
}

/** Returns the member of a name: an own one before a merged one. */
export function entryAt(node: PlacedNode | undefined, key: string): PlacedEntry | undefined {
  const named = node?.kind === 'map' ? node.entries.filter(entry => entry.key === key) : [];
  return named.find(entry => !entry.merged) ?? named[0];
}

/** Returns a scalar as text; undefined if there is none. */
export function scalarAt(node: PlacedNode | undefined, ...path: readonly string[]): string | undefined {
  const found = nodeValueAt(node, ...path);
  return found?.kind === 'scalar' && found.value !== null && found.value !== undefined ? String(found.value) : undefined;
}

function targetsOfKind(document: PlacedNode, kind: string): InjectTarget[] {
  const name = `${kind.replace(/^.*\//, '')} ${scalarAt(document, 'metadata', 'name') ?? ''}`.trim();
  switch (kind) {
    case 'admissionregistration.k8s.io/MutatingWebhookConfiguration':
    case 'admissionregistration.k8s.io/ValidatingWebhookConfiguration':
      return webhookTargets(document, name);
    case 'apiextensions.k8s.io/CustomResourceDefinition':
      return conversionTargets(document, name);
    case 'apiregistration.k8s.io/APIService':
      return apiServiceTargets(document, name);
    default:
      return [];
  }
}

function webhookTargets(document: PlacedNode, name: string): InjectTarget[] {
  const webhooks = nodeValueAt(document, 'webhooks');
  if (webhooks?.kind !== 'list') return [];
  return webhooks.items.map((webhook, i) => {
    const ownName = scalarAt(webhook, 'name');
    return targetAt(webhook, 'clientConfig', `${name}, webhook ${ownName ?? `number ${i + 1}`}`);
  });
}

/** In apiextensions.k8s.io/v1beta1 the client configuration is one level higher. */
function conversionTargets(document: PlacedNode, name: string): InjectTarget[] {
  const conversion = nodeValueAt(document, 'spec', 'conversion');
  if (scalarAt(conversion, 'strategy') !== 'Webhook') return [];
  const isOld = entryAt(conversion, 'webhookClientConfig') !== undefined;
  return [isOld ? targetAt(conversion, 'webhookClientConfig', name) : targetAt(nodeValueAt(conversion, 'webhook'), 'clientConfig', name)];
}

function apiServiceTargets(document: PlacedNode, name: string): InjectTarget[] {
  const spec = nodeValueAt(document, 'spec');
  if (nodeValueAt(spec, 'service')?.kind !== 'map') return [];
  if (scalarAt(spec, 'insecureSkipTLSVerify') !== 'true') return [targetAt(document, 'spec', name)];
  const note = 'insecureSkipTLSVerify is true, and the API server rejects a caBundle with it: nothing is written';
  return [{ name, map: undefined, entry: undefined, notes: [note] }];
}

function targetAt(parent: PlacedNode | undefined, key: string, name: string): InjectTarget {
  const entry = entryAt(parent, key);
  if (entry?.value.kind === 'map') return { name, map: entry.value, entry, notes: [] };
  return { name, map: undefined, entry: undefined, notes: [`${key} is missing or empty: nothing is written`] };
}

const certManager = 'cert-manager.io/';

/** Returns notes about tools that will replace the caBundle in a cluster. */
function managedNotes(document: PlacedNode): string[] {
  const annotation = (name: string) => scalarAt(document, 'metadata', 'annotations', name);
  const certificate = annotation(`${certManager}inject-ca-from`);
  const secret = annotation(`${certManager}inject-ca-from-secret`);
  const effect = 'in a cluster with cert-manager, cainjector replaces every caBundle here with';
  return [
    ...(certificate === undefined ? [] : [`${certManager}inject-ca-from: ${effect} ca.crt of the Certificate ${certificate}'s Secret`]),
    ...(secret === undefined ? [] : [`${certManager}inject-ca-from-secret: ${effect} ca.crt of the Secret ${secret}`]),
    ...(annotation(`${certManager}inject-apiserver-ca`) === 'true'
      ? [`${certManager}inject-apiserver-ca: ${effect} the CA of the API server itself`]
      : []),
    ...(annotation('service.beta.openshift.io/inject-cabundle') === 'true'
      ? ['service.beta.openshift.io/inject-cabundle: OpenShift replaces every caBundle here with its service CA']
      : []),
  ];
}
