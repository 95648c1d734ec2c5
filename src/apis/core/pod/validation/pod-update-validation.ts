import { semanticallyEqualAs } from '../../../../apiserver/objects/semantic-equality.js';
import { indentedInternal, internalValue } from '../../../../apiserver/registry/validation/go-value.js';
import { sameMember } from '../../../../apiserver/registry/validation/immutable.js';
import {
  addForbidden,
  addInvalid,
  addRequired,
  at,
  entryAt,
  hasSet,
  indexed,
  isSet,
  itemsAt,
  lengthOf,
  mapOf,
  numberOf,
  type Place,
  textAt,
  textOf,
} from '../../../../apiserver/registry/validation/place.js';
import { unifiedDiff } from '../../../../apiserver/registry/validation/unified-diff.js';
import { writeValue } from '../../../../go/json/write.js';
import { copyOf, ensureMap, isMap, type Value, type ValueMap } from '../../../../go/value.js';
import { structNamed } from '../../../../kubernetes/type-table.js';
import { checkImageSpaces } from './containers.js';
import { checkPodAnnotations } from './pod-annotations.js';
import { checkTolerations } from './scheduling.js';

const updatable =
  '`spec.containers[*].image`,`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,`spec.tolerations` (only additions to existing tolerations),`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)';
const updatableWhileGated =
  ',`spec.schedulingGates` (only deletions of existing scheduling gates),`spec.nodeSelector` (only additions, and only while the pod has scheduling gates),`spec.affinity.nodeAffinity` (only while the pod has scheduling gates)';

/** Validates pod changes, of which few are allowed. Source: ValidatePodUpdate. */
export function checkPodChange(pod: Place, old: Place): void {
  checkAnnotationChanges(pod, old);
  const [spec, before] = [at(pod, 'spec'), at(old, 'spec')];
  for (const list of ['containers', 'initContainers']) {
    if (lengthOf(at(spec, list)) !== lengthOf(at(before, list))) {
      addForbidden(at(spec, list), 'pod updates may not add or remove containers');
      return;
    }
    for (const container of itemsAt(spec, list)) {
      if (textAt(container, 'image') === '') addRequired(at(container, 'image'));
      checkImageSpaces(container);
    }
  }
  if (!checkDeadline(at(spec, 'activeDeadlineSeconds'), at(before, 'activeDeadlineSeconds'))) return;
  checkOnlyAdded(at(spec, 'tolerations'), at(before, 'tolerations'));
  checkOnlyDeleted(at(spec, 'schedulingGates'), at(before, 'schedulingGates'));
  checkRest(spec, before);
}

/** Validates that annotations that affect running a pod do not change. Source: ValidatePodSpecificAnnotationUpdates. */
export function checkAnnotationChanges(pod: Place, old: Place): void {
  const annotations = at(pod, 'metadata', 'annotations');
  const [now, before] = [mapOf(annotations), mapOf(at(old, 'metadata', 'annotations'))];
  const complain = (key: string, verb: string): void => {
    const place = entryAt(annotations, key);
    if (key.startsWith('container.apparmor.security.beta.kubernetes.io/')) addForbidden(place, `may not ${verb} AppArmor annotations`);
    if (key === 'kubernetes.io/config.mirror') addForbidden(place, `may not ${verb} mirror pod annotation`);
  };
  for (const [key, value] of before) if (now.get(key) !== value) complain(key, 'remove or update');
  for (const key of now.keys()) if (!before.has(key)) complain(key, 'add');
  checkPodAnnotations(annotations, at(pod, 'spec'));
}

/** Validates a deadline; a value that is too large ends the validation. */
function checkDeadline(now: Place, before: Place): boolean {
  if (!isSet(now)) {
    if (isSet(before)) addInvalid(now, 'must not update from a positive integer to nil value', null);
    return true;
  }
  const isInRange = numberOf(now) >= 0n && numberOf(now) <= 2_147_483_647n;
  const isEarlier = !isSet(before) || numberOf(before) >= numberOf(now);
  if (!isInRange) addInvalid(now, 'must be between 0 and 2147483647, inclusive');
  else if (!isEarlier) addInvalid(now, 'must be less than or equal to previous value');
  return isInRange && isEarlier;
}

function checkOnlyAdded(now: Place, before: Place): void {
  const known = new Set(indexed(now).map(tolerationText));
  if (indexed(before).every(toleration => known.has(tolerationText(toleration)))) checkTolerations(now);
  else addForbidden(now, 'existing toleration can not be modified except its tolerationSeconds');
}

function tolerationText(toleration: Place): string {
  return JSON.stringify(['key', 'operator', 'value', 'effect'].map(key => textAt(toleration, key)));
}

function checkOnlyDeleted(now: Place, before: Place): void {
  const known = new Set(indexed(before).map(gate => textAt(gate, 'name')));
  for (const gate of indexed(now)) {
    const name = at(gate, 'name');
    if (!known.has(textOf(name))) addForbidden(name, `only deletion is allowed, but found new scheduling gate '${textOf(name)}'`);
  }
}

function checkRest(spec: Place, before: Place): void {
  const munged = copyOf(mapOf(spec));
  const stored = mapOf(before);
  for (const list of ['containers', 'initContainers']) restoreImages(munged.get(list), stored.get(list));
  const kept = ['activeDeadlineSeconds', 'schedulingGates', 'tolerations'];
  if (lengthOf(at(before, 'schedulingGates')) > 0) {
    // The node selection of a gated pod may still become stricter.
    checkNodeSelection(spec, before);
    kept.push('nodeSelector');
    restoreNodeAffinity(munged, stored);
  }
  for (const key of kept) restoreMember(munged, stored, key);
  if (semanticallyEqualAs(structNamed(spec.server, 'core/v1.PodSpec'), munged, stored)) return;
  const difference = unifiedDiff(
    indentedInternal(spec.server, 'core/v1.PodSpec', stored),
    indentedInternal(spec.server, 'core/v1.PodSpec', munged),
  );
  const fields = spec.server.since('v1.38') ? `${updatable}${updatableWhileGated}` : updatable;
  addForbidden(spec, `pod updates may not change fields other than ${fields}\n${difference}`);
}

function restoreNodeAffinity(munged: ValueMap, stored: ValueMap): void {
  const [now, before] = [munged.get('affinity'), stored.get('affinity')];
  const nodes = isMap(before) ? before.get('nodeAffinity') : undefined;
  if (nodes !== undefined) ensureMap(munged, 'affinity').set('nodeAffinity', nodes);
  else if (isMap(now) && now.delete('nodeAffinity') && now.size === 0 && before === undefined) munged.delete('affinity');
}

function restoreImages(list: Value | undefined, stored: Value | undefined): void {
  if (!Array.isArray(list) || !Array.isArray(stored)) return;
  for (const [index, container] of list.entries()) {
    const before = stored[index];
    if (isMap(container) && isMap(before)) restoreMember(container, before, 'image');
  }
}

function restoreMember(object: ValueMap, stored: ValueMap, key: string): void {
  const value = stored.get(key);
  if (value === undefined) object.delete(key);
  else object.set(key, value);
}

const required = 'requiredDuringSchedulingIgnoredDuringExecution';

/** Validates that the node selector and affinity of a gated pod only get stricter. Source: core/validation ValidatePodUpdate. */
function checkNodeSelection(spec: Place, before: Place): void {
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
