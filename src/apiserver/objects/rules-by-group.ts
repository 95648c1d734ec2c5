type Rules<Rule> = Readonly<Record<string, Rule>>;

/**
 * What holds for a Go type, by the table's name of it (`core/v1.PodSpec`), out of the rules of its group, which stands before the slash.
 * `groups` has ways to the rules, as a call touches one group or two and most are never made. A type has one rule at most.
 */
export function rulesByGroup<Rule>(
  groups: Readonly<Record<string, () => readonly Rules<Rule>[]>>,
): (structName: string) => Rule | undefined {
  const made = new Map<string, readonly Rules<Rule>[]>();
  const found = new Map<string, Rule | undefined>();
  const find = (structName: string): Rule | undefined => {
    const group = structName.slice(0, structName.indexOf('/'));
    const rules = made.get(group) ?? groups[group]?.() ?? [];
    made.set(group, rules);
    return rules.find(those => those[structName] !== undefined)?.[structName];
  };
  return structName => {
    const known = found.get(structName);
    if (known !== undefined || found.has(structName)) return known;
    const rule = find(structName);
    found.set(structName, rule);
    return rule;
  };
}
