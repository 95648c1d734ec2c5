import { semanticallyEqualAs } from '../../../../apiserver/objects/semantic-equality.js';
import { internalValue } from '../../../../apiserver/registry/validation/go-value.js';
import { sameMember } from '../../../../apiserver/registry/validation/immutable.js';
import { addInvalid, at, hasSet, indexed, lengthOf, mapOf, type Place } from '../../../../apiserver/registry/validation/place.js';
import { writeValue } from '../../../../go/json/write.js';
import { structNamed } from '../../../../kubernetes/type-table.js';

const required = 'requiredDuringSchedulingIgnoredDuringExecution';

/** Validates that the node selector and affinity of a gated pod only get stricter. Source: core/validation ValidatePodUpdate. */
export function checkNodeSelection(spec: Place, before: Place): void {
  const selector = at(spec, 'nodeSelector');
  const now = mapOf(selector);
  if ([...mapOf(at(before, 'nodeSelector'))].some(([key, value]) => now.get(key) !== value))
    addInvalid(selector, 'only additions to spec.nodeSelector are allowed (no mutations or deletions)', {
      rawJson: selector.value === undefined ? 'null' : writeValue(now, 'sorted'),
    });
  const [nodes, stored] = [spec, before].map(place => at(place, 'affinity', 'nodeAffinity')) as [Place, Place];
  if (!sameMember(spec.server, nodes.value, stored.value, { type: 'core/v1.Affinity', name: 'nodeAffinity' })) checkTerms(nodes, stored);
}

/** Source: core/validation validateNodeAffinityMutation. */
function checkTerms(nodes: Place, stored: Place): void {
  if (!hasSet(stored, required)) return;
  const [now, before] = [nodes, stored].map(place => at(place, required, 'nodeSelectorTerms')) as [Place, Place];
  if (lengthOf(before) > 0 && lengthOf(before) !== lengthOf(now)) {
    const shown = indexed(now).map(term => termText(term));
    const message = 'no additions/deletions to non-empty NodeSelectorTerms list are allowed';
    addInvalid(now, message, { rawJson: Array.isArray(now.value) ? `[${shown.join(',')}]` : 'null' });
    return;
  }
  const terms = indexed(now);
  for (const [index, old] of indexed(before).entries()) {
    const term = terms[index];
    if (term !== undefined && !hasOnlyAdditions(term, old))
      addInvalid(term, 'only additions are allowed (no mutations or deletions)', { rawJson: termText(term) });
  }
}

function termText(term: Place): string {
  const shown = internalValue(term.server, 'core/v1.NodeSelectorTerm', term.value);
  return typeof shown === 'object' && shown !== null ? shown.rawJson : 'null';
}

/** Source: core/validation validateNodeSelectorTermHasOnlyAdditions. */
function hasOnlyAdditions(term: Place, old: Place): boolean {
  const lists = ['matchExpressions', 'matchFields'];
  if (lists.every(list => lengthOf(at(old, list)) === 0)) return lists.every(list => lengthOf(at(term, list)) === 0);
  const type = structNamed(term.server, 'core/v1.NodeSelectorRequirement');
  return lists.every(list => {
    const now = indexed(at(term, list));
    return indexed(at(old, list)).every((requirement, i) => {
      const same = now[i];
      return same !== undefined && semanticallyEqualAs(type, same.value ?? undefined, requirement.value ?? undefined);
    });
  });
}
