import { type Atom, memberType } from './atom.js';
import type { FieldSet, FieldSetNode } from './field-set.js';
import type { PathElement } from './path-element.js';

/** Returns the set with all declared members that have paths below them. Source: structured-merge-diff Set.EnsureNamedFieldsAreMembers. */
export function withNamedMembers(set: FieldSet, type: Atom | undefined): FieldSet {
  const members = new Map(set.members);
  const children = new Map<string, FieldSetNode>();
  for (const [text, { element, set: inside }] of set.children) {
    if (element.kind === 'field' && type?.map?.field(element.name) !== undefined) members.set(text, element);
    children.set(text, { element, set: withNamedMembers(inside, typeBelow(type, element)) });
  }
  return { members, children };
}

function typeBelow(type: Atom | undefined, element: PathElement): Atom | undefined {
  if (element.kind === 'field' && type?.map !== undefined) return memberType(type.map, element.name);
  return element.kind === 'key' ? type?.list?.element : undefined;
}
