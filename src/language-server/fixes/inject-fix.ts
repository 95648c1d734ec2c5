import { entryOf, type MapTextNode, type TextNode, textAt } from '../text/text-node.js';
import type { Fix } from './lint-fixes.js';
import type { NodeAt } from './node-at.js';
import { type EditedText, setMember } from './text-edits.js';

/** Returns the change that `certs inject` would make to the webhook at a place: its caBundle, if it has none. */
export function injectFix(
  { node, around }: Pick<NodeAt, 'node' | 'around'>,
  edited: EditedText & { readonly bundle: string },
): Fix | undefined {
  const inside = [node, ...around];
  if (!/WebhookConfiguration$|^CustomResourceDefinition$/.test(textAt(inside.at(-1), 'kind'))) return undefined;
  const webhook = inside.find((one): one is MapTextNode => one.kind === 'map' && entryOf(one, 'clientConfig') !== undefined);
  const config: TextNode | undefined = webhook === undefined ? undefined : entryOf(webhook, 'clientConfig')?.value;
  if (config?.kind !== 'map' || textAt(config, 'caBundle') !== '') return undefined;
  const json = edited.format === 'json' ? JSON.stringify(edited.bundle) : edited.bundle;
  const edit = setMember(edited, config, { key: 'caBundle', json });
  return edit === undefined ? undefined : { title: 'Inject the CA of certs/ca.crt', edits: [edit] };
}
