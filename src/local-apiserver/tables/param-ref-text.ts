import { listAt, mapAt, stringAt, type ValueMap } from '../../go/value.js';

/** Returns the parameters of the binding of an admission policy. Source: kubernetes pkg/printers/internalversion/printers.go printValidatingAdmissionPolicyBinding. */
export function paramRefText(policyBinding: ValueMap): string {
  const reference = mapAt(policyBinding, 'spec', 'paramRef');
  const name = stringAt(reference, 'name');
  // Whether the parameter has a namespace is not known here.
  if (name !== '') return `${stringAt(reference, 'namespace') || '*'}/${name}`;
  const selector = mapAt(reference, 'selector');
  return selector === undefined ? '<unset>' : selectorAsGo(selector);
}

/** A LabelSelector as Go's generated String() prints it. Source: apimachinery meta/v1 generated.pb.go. */
function selectorAsGo(selector: ValueMap): string {
  const labels = [...(mapAt(selector, 'matchLabels') ?? [])].map(([key, value]) => `${key}: ${String(value)},`).sort();
  const expressions = listAt(selector, 'matchExpressions').map(expression => {
    const values = listAt(expression, 'values').map(String).join(' ');
    return `LabelSelectorRequirement{Key:${stringAt(expression, 'key')},Operator:${stringAt(expression, 'operator')},Values:[${values}],},`;
  });
  const shown = `MatchLabels:map[string]string{${labels.join('')}},MatchExpressions:[]LabelSelectorRequirement{${expressions.join('')}},`;
  return `&LabelSelector{${shown}}`;
}
