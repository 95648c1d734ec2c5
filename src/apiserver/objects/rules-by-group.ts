import { ownMember } from '../../go/own-members.js';

type Rules<Rule> = Readonly<Record<string, Rule>>;

/**
 * Returns the rule of a Go type, by the table's name of it (`core/v1.PodSpec`), from the rules of its group, which is the part before the
 * slash. `groups` loads rules lazily, because a call uses one group or two. A type has at most one rule.
 */
export function rulesByGroup<Rule>(
  groups: Readonly<Record<string, () => readonly Rules<Rule>[]>>,
): (structName: string) => Rule | undefined {
  const made = new Map<string, readonly Rules<Rule>[]>();
  const found = new Map<string, { readonly rule: Rule | undefined }>();
  const find = (structName: string): Rule | undefined => {
    const group = structName.slice(0, structName.indexOf('/'));
    const rules = made.get(group) ?? ownMember(groups, group)?.() ?? [];
    made.set(group, rules);
    return rules.find(those => ownMember(those, structName) !== undefined)?.[structName];
  };
  return structName => {
    const known = found.get(structName);
    if (known !== undefined) return known.rule;
    const rule = find(structName);
    found.set(structName, { rule });
    return rule;
  };
}
