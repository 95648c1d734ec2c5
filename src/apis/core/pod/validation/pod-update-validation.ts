import { semanticallyEqualAs } from '../../../../apiserver/objects/semantic-equality.js';
import type { FieldPath } from '../../../../apiserver/registry/validation/field-path.js';
import { indentedInternal, internalValue } from '../../../../apiserver/registry/validation/go-value.js';
import { sameMember } from '../../../../apiserver/registry/validation/immutable.js';
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
export function checkPodChange(pod: FieldPath, old: FieldPath): void {
  checkAnnotationChanges(pod, old);
  const [spec, before] = [pod.child('spec'), old.child('spec')];
  for (const list of ['containers', 'initContainers']) {
    if (spec.child(list).length() !== before.child(list).length()) {
      spec.child(list).forbidden('pod updates may not add or remove containers');
      return;
    }
    for (const container of spec.items(list)) {
      if (container.text('image') === '') container.child('image').required();
      checkImageSpaces(container);
    }
  }
  if (!checkDeadline(spec.child('activeDeadlineSeconds'), before.child('activeDeadlineSeconds'))) return;
  checkOnlyAdded(spec.child('tolerations'), before.child('tolerations'));
  checkOnlyDeleted(spec.child('schedulingGates'), before.child('schedulingGates'));
  checkRest(spec, before);
}

/** Validates that annotations that affect running a pod do not change. Source: ValidatePodSpecificAnnotationUpdates. */
export function checkAnnotationChanges(pod: FieldPath, old: FieldPath): void {
  const annotations = pod.child('metadata', 'annotations');
  const [now, before] = [annotations.members(), old.child('metadata', 'annotations').members()];
  const complain = (key: string, verb: string): void => {
    const field = annotations.key(key);
    if (key.startsWith('container.apparmor.security.beta.kubernetes.io/')) field.forbidden(`may not ${verb} AppArmor annotations`);
    if (key === 'kubernetes.io/config.mirror') field.forbidden(`may not ${verb} mirror pod annotation`);
  };
  for (const [key, value] of before) if (now.get(key) !== value) complain(key, 'remove or update');
  for (const key of now.keys()) if (!before.has(key)) complain(key, 'add');
  checkPodAnnotations(annotations, pod.child('spec'));
}

/** Validates a deadline; a value that is too large ends the validation. */
function checkDeadline(now: FieldPath, before: FieldPath): boolean {
  if (!now.isSet()) {
    if (before.isSet()) now.invalid(null, 'must not update from a positive integer to nil value');
    return true;
  }
  const isInRange = now.number() >= 0n && now.number() <= 2_147_483_647n;
  const isEarlier = !before.isSet() || before.number() >= now.number();
  if (!isInRange) now.invalid('must be between 0 and 2147483647, inclusive');
  else if (!isEarlier) now.invalid('must be less than or equal to previous value');
  return isInRange && isEarlier;
}

function checkOnlyAdded(now: FieldPath, before: FieldPath): void {
  const known = new Set(now.items().map(tolerationText));
  if (before.items().every(toleration => known.has(tolerationText(toleration)))) checkTolerations(now);
  else now.forbidden('existing toleration can not be modified except its tolerationSeconds');
}

function tolerationText(toleration: FieldPath): string {
  return JSON.stringify(['key', 'operator', 'value', 'effect'].map(key => toleration.text(key)));
}

function checkOnlyDeleted(now: FieldPath, before: FieldPath): void {
  const known = new Set(before.items().map(gate => gate.text('name')));
  for (const gate of now.items()) {
    const name = gate.child('name');
    if (!known.has(name.text())) name.forbidden(`only deletion is allowed, but found new scheduling gate '${name.text()}'`);
  }
}

function checkRest(spec: FieldPath, before: FieldPath): void {
  const munged = copyOf(spec.members());
  const stored = before.members();
  for (const list of ['containers', 'initContainers']) restoreImages(munged.get(list), stored.get(list));
  const kept = ['activeDeadlineSeconds', 'schedulingGates', 'tolerations'];
  if (before.child('schedulingGates').length() > 0) {
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
  spec.forbidden(`pod updates may not change fields other than ${fields}\n${difference}`);
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
function checkNodeSelection(spec: FieldPath, before: FieldPath): void {
  const selector = spec.child('nodeSelector');
  const now = selector.members();
  if ([...before.child('nodeSelector').members()].some(([key, value]) => now.get(key) !== value))
    selector.invalid(
      {
        rawJson: selector.value === undefined ? 'null' : writeValue(now, 'sorted'),
      },
      'only additions to spec.nodeSelector are allowed (no mutations or deletions)',
    );
  const [nodes, stored] = [spec, before].map(field => field.child('affinity', 'nodeAffinity')) as [FieldPath, FieldPath];
  if (!sameMember(spec.server, nodes.value, stored.value, { type: 'core/v1.Affinity', name: 'nodeAffinity' })) checkTerms(nodes, stored);
}

/** Source: core/validation validateNodeAffinityMutation. */
function checkTerms(nodes: FieldPath, stored: FieldPath): void {
  if (!stored.has(required)) return;
  const [now, before] = [nodes, stored].map(field => field.child(required, 'nodeSelectorTerms')) as [FieldPath, FieldPath];
  if (before.length() > 0 && before.length() !== now.length()) {
    const shown = now.items().map(term => termText(term));
    const message = 'no additions/deletions to non-empty NodeSelectorTerms list are allowed';
    now.invalid({ rawJson: Array.isArray(now.value) ? `[${shown.join(',')}]` : 'null' }, message);
    return;
  }
  const terms = now.items();
  for (const [index, old] of before.items().entries()) {
    const term = terms[index];
    if (term !== undefined && !hasOnlyAdditions(term, old))
      term.invalid({ rawJson: termText(term) }, 'only additions are allowed (no mutations or deletions)');
  }
}

function termText(term: FieldPath): string {
  const shown = internalValue(term.server, 'core/v1.NodeSelectorTerm', term.value);
  return typeof shown === 'object' && shown !== null ? shown.rawJson : 'null';
}

/** Source: core/validation validateNodeSelectorTermHasOnlyAdditions. */
function hasOnlyAdditions(term: FieldPath, old: FieldPath): boolean {
  const lists = ['matchExpressions', 'matchFields'];
  if (lists.every(list => old.child(list).length() === 0)) return lists.every(list => term.child(list).length() === 0);
  const type = structNamed(term.server, 'core/v1.NodeSelectorRequirement');
  return lists.every(list => {
    const now = term.child(list).items();
    return old
      .child(list)
      .items()
      .every((requirement, i) => {
        const same = now[i];
        return same !== undefined && semanticallyEqualAs(type, same.value ?? undefined, requirement.value ?? undefined);
      });
  });
}
