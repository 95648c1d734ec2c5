import { type PlacedNode, placeDocuments } from '../encoding/placed-documents.js';
import { defaultTimeoutSeconds } from '../kubernetes/webhook-call.js';
import { entryAt, injectTargets, nodeValueAt, scalarAt } from './inject-targets.js';

/** A webhook, conversion or API service as its manifest describes it to the API server. */
export interface WebhookClient {
  /** `ValidatingWebhookConfiguration team, webhook a.example.com` */
  readonly name: string;
  /** Name of the webhook; undefined for conversions and API services. */
  readonly webhook: string | undefined;
  readonly caller: 'webhook' | 'conversion' | 'aggregator';
  /** `group/version, Kind=K` of the stored objects of a conversion, for the API server's messages. */
  readonly converts: string | undefined;
  readonly service: { readonly namespace: string; readonly name: string; readonly path: string; readonly port: number } | undefined;
  readonly url: string | undefined;
  readonly timeoutSeconds: number;
  /** Base64 from the manifest; undefined if missing or empty. */
  readonly caBundle: string | undefined;
  /** Whether a tool such as cert-manager fills in the caBundle in the cluster. */
  readonly filledInCluster: boolean;
  /** Notes about such tools, on the first client of an object. */
  readonly notes: readonly string[];
}

/** Returns the clients in a YAML or JSON text. Throws MalformedText. */
export async function findWebhookClients(text: string): Promise<WebhookClient[]> {
  const { documents } = await placeDocuments(text);
  return documents.flatMap(objectsOf).flatMap(clientsOf);
}

function objectsOf(document: PlacedNode): readonly PlacedNode[] {
  const items = nodeValueAt(document, 'items');
  return items?.kind === 'list' && (scalarAt(document, 'kind') ?? '').endsWith('List') ? items.items : [document];
}

function clientsOf(object: PlacedNode): WebhookClient[] {
  const kind = scalarAt(object, 'kind') ?? '';
  const notes = injectTargets(object).flatMap(target => target.notes.filter(note => /inject/.test(note)));
  return injectTargets(object).flatMap(({ name, map }, i) => {
    if (map === undefined) return [];
    const webhook = kind.endsWith('WebhookConfiguration') ? itemAt(nodeValueAt(object, 'webhooks'), i) : undefined;
    const caller = webhook !== undefined ? 'webhook' : kind === 'APIService' ? 'aggregator' : 'conversion';
    return [
      {
        name,
        webhook: scalarAt(webhook, 'name'),
        caller,
        converts: caller === 'conversion' ? convertedKind(object) : undefined,
        service: serviceOf(map),
        url: scalarAt(map, 'url'),
        timeoutSeconds: caller === 'conversion' ? 30 : Number(scalarAt(webhook, 'timeoutSeconds') ?? defaultTimeoutSeconds),
        caBundle: caBundleOf(map),
        filledInCluster: notes.length > 0,
        notes: i === 0 ? notes : [],
      },
    ];
  });
}

function itemAt(list: PlacedNode | undefined, i: number): PlacedNode | undefined {
  return list?.kind === 'list' ? list.items[i] : undefined;
}

function serviceOf(map: PlacedNode): WebhookClient['service'] {
  const service = nodeValueAt(map, 'service');
  if (service?.kind !== 'map') return undefined;
  const member = (key: string) => scalarAt(service, key) ?? '';
  return { namespace: member('namespace'), name: member('name'), path: member('path'), port: Number(scalarAt(service, 'port') ?? 443) };
}

function caBundleOf(map: PlacedNode): string | undefined {
  const value = entryAt(map, 'caBundle')?.value;
  if (value?.kind !== 'scalar' || value.value === null || value.value === undefined || value.value === '') return undefined;
  // `!!binary` is decoded to bytes; the API server gets base64 again.
  return value.value instanceof Uint8Array ? Buffer.from(value.value).toString('base64') : String(value.value);
}

function convertedKind(object: PlacedNode): string {
  const versions = nodeValueAt(object, 'spec', 'versions');
  const stored = versions?.kind === 'list' ? versions.items.find(version => scalarAt(version, 'storage') === 'true') : undefined;
  const version = scalarAt(stored, 'name') ?? scalarAt(object, 'spec', 'version') ?? '';
  return `${scalarAt(object, 'spec', 'group') ?? ''}/${version}, Kind=${scalarAt(object, 'spec', 'names', 'kind') ?? ''}`;
}
