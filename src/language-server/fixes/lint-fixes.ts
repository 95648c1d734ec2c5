import { ownMember } from '../../go/own-members.js';
import { entryOf, type MapTextEntry, type MapTextNode, type TextNode, targetOfAlias, textAt } from '../text/text-node.js';
import { addItem, type EditedText, replaceScalar, setMember, type TextEdit } from './text-edits.js';

/** A change that fixes a finding. */
export interface Fix {
  readonly title: string;
  readonly edits: readonly TextEdit[];
}

/** Where a finding is: a value in a document, its entry, and the maps and lists around it, the innermost first. */
export interface FindingPlace extends EditedText {
  readonly node: TextNode;
  readonly entry: MapTextEntry | undefined;
  readonly around: readonly TextNode[];
  /** Message of the finding with the text of its fix. */
  readonly message: string;
}

const excludedKubeSystem = JSON.stringify({
  matchExpressions: [{ key: 'kubernetes.io/metadata.name', operator: 'NotIn', values: ['kube-system'] }],
});

/** Fixes by rule; rules that need a decision of the user have none. */
const fixes: Readonly<Record<string, (place: FindingPlace) => readonly (Fix | undefined)[]>> = {
  'selector-on-name': place => [useNamespaceName(place)],
  'missing-subresources': place => [addSubresource(place)],
  'missing-delete': place => [add(place, 'operations', 'DELETE')],
  'side-effects-forbid-dry-run': place => ['None', 'NoneOnDryRun'].map(value => set(place, 'sideEffects', value)),
  'mutation-runs-twice': place => [set(place, 'reinvocationPolicy', 'Never')],
  'fail-without-exclusion': place => [excludeKubeSystem(place)],
  'intercepts-kube-system': place => [excludeKubeSystem(place)],
  'list-without-keys': place => [nameKeys(place)],
  'condition-without-object': place => [writeExpression(place)],
  'condition-can-fail': place => [writeExpression(place)],
};

/** Returns the changes that fix a finding of a rule. */
export function lintFixes(rule: string, place: FindingPlace): readonly Fix[] {
  return (ownMember(fixes, rule)?.(place) ?? []).filter(fix => fix !== undefined);
}

function useNamespaceName(place: FindingPlace): Fix | undefined {
  const { node, entry, format } = place;
  const title = 'Use the label kubernetes.io/metadata.name';
  const name = 'kubernetes.io/metadata.name';
  if (entry?.key === 'name' && textAt(node) !== 'name')
    return { title, edits: [{ start: entry.keyStart, end: entry.keyEnd, newText: format === 'json' ? JSON.stringify(name) : name }] };
  const key = node.kind === 'map' ? entryOf(node, 'key')?.value : node;
  return key?.kind === 'scalar' && key.value === 'name' ? { title, edits: [replaceScalar(place, key, name)] } : undefined;
}

function addSubresource(place: FindingPlace): Fix | undefined {
  const resources = add(place, 'resources', 'pods/ephemeralcontainers');
  if (resources === undefined) return undefined;
  const rule = mapWith(place, 'operations');
  const operations = rule === undefined ? undefined : listIn(rule, 'operations');
  const isUpdate = operations?.items.some(item => ['UPDATE', '*'].includes(textAt(item))) !== false;
  return { ...resources, edits: [...resources.edits, ...(isUpdate ? [] : (add(place, 'operations', 'UPDATE')?.edits ?? []))] };
}

function excludeKubeSystem(place: FindingPlace): Fix | undefined {
  const webhook = mapWith(place, 'clientConfig');
  if (webhook === undefined || entryOf(webhook, 'namespaceSelector') !== undefined) return undefined;
  return setIn(place, webhook, { title: 'Exclude the namespace kube-system', key: 'namespaceSelector', json: excludedKubeSystem });
}

/** The message names the field. */
function nameKeys(place: FindingPlace): Fix | undefined {
  const list = mapWith(place, 'items');
  if (list === undefined) return undefined;
  const keys = setMember(place, list, { key: 'x-kubernetes-list-map-keys', json: '["name"]' });
  const type = setMember(place, list, { key: 'x-kubernetes-list-type', json: place.format === 'json' ? '"map"' : 'map' });
  return keys === undefined || type === undefined ? undefined : { title: 'Identify items by name', edits: [type, keys] };
}

/** The text of the fix has the expression, which was tried. */
function writeExpression(place: FindingPlace): Fix | undefined {
  const expression = /; write: (.+)$/s.exec(place.message)?.[1];
  const scalar = place.node.kind === 'map' ? entryOf(place.node, 'expression')?.value : place.node;
  if (expression === undefined || scalar?.kind !== 'scalar') return undefined;
  return { title: `Change to ${expression}`, edits: [replaceScalar(place, scalar, expression)] };
}

function add(place: FindingPlace, member: string, value: string): Fix | undefined {
  const map = mapWith(place, member);
  const list = map === undefined ? undefined : listIn(map, member);
  const edit = list === undefined ? undefined : addItem(place, list, value);
  return edit === undefined ? undefined : { title: `Add ${value} to the ${member}`, edits: [edit] };
}

function set(place: FindingPlace, member: string, value: string): Fix | undefined {
  const map = mapWith(place, member) ?? [place.node, ...place.around].find(node => node.kind === 'map');
  const json = place.format === 'json' ? JSON.stringify(value) : value;
  return map === undefined ? undefined : setIn(place, map, { title: `Set ${member} to ${value}`, key: member, json });
}

function setIn(
  place: FindingPlace,
  map: MapTextNode,
  { title, key, json }: { readonly title: string; readonly key: string; readonly json: string },
): Fix | undefined {
  const edit = setMember(place, map, { key, json });
  return edit === undefined ? undefined : { title, edits: [edit] };
}

/** Returns the innermost map at or around the place that has a member. */
function mapWith({ node, around }: FindingPlace, member: string): MapTextNode | undefined {
  return [node, ...around].find((one): one is MapTextNode => one.kind === 'map' && entryOf(one, member) !== undefined);
}

function listIn(map: MapTextNode, member: string): (TextNode & { readonly kind: 'list' }) | undefined {
  const value = entryOf(map, member)?.value;
  const target = value === undefined ? undefined : targetOfAlias(value);
  // An alias is also used elsewhere.
  return value?.kind === 'list' && target?.kind === 'list' ? target : undefined;
}
