import { declaredImmutable, declaredItems, declaredText, declaredUnion } from '../../../apiserver/registry/validation/declared-checks.js';
import {
  addDuplicate,
  addInvalid,
  addInvalidWithoutValue,
  at,
  hasSet,
  isSet,
  itemsAt,
  lengthOf,
  numberAt,
  type Place,
  textAt,
} from '../../../apiserver/registry/validation/place.js';
import { dns1123LabelProblems, dns1123SubdomainProblems, pathSegmentProblems } from '../../../kubernetes/name-rules.js';
import { checkDisruption, checkGroupMembers, isDisruptedAsWhole, isGang } from '../scheduling-validation.js';

const [podTemplates, groupTemplates] = ['podGroupTemplates', 'compositePodGroupTemplates'];
const maxDepth = 4;

/** Validates a workload. Source: scheduling/validation ValidateWorkloadSpec, and the tags of api scheduling/v1beta1. */
export function checkWorkload(workload: Place, old?: Place): void {
  const spec = at(workload, 'spec');
  checkNames(spec, new Set(itemsAt(spec, podTemplates).map(nameOf)));
  for (const group of itemsAt(spec, groupTemplates))
    if (depthOf(group) >= maxDepth) addInvalid(group, `maximum template hierarchy depth is ${maxDepth}`, null);
  checkPriorities(spec, old !== undefined);
  if (old === undefined) for (const template of itemsAt(spec, podTemplates)) checkDisruption(template);
  for (const group of itemsAt(spec, groupTemplates)) checkChildren(group, old !== undefined);
  declaredUnion(spec, [podTemplates, groupTemplates]);
  const controller = at(spec, 'controllerRef');
  if (isSet(controller)) {
    declaredText(at(controller, 'apiGroup'), dns1123SubdomainProblems, false);
    for (const name of ['kind', 'name']) declaredText(at(controller, name), pathSegmentProblems, true);
  }
  checkTemplates(spec);
}

/** Validates an update: the controller stays. */
export function keepWorkload(workload: Place, old: Place): void {
  declaredImmutable(at(workload, 'spec'), at(old, 'spec'), ['controllerRef']);
}

function checkTemplates(holder: Place): void {
  const lists = [
    { list: podTemplates, struct: 'scheduling/v1beta1.PodGroupTemplate', count: 'minCount' },
    { list: groupTemplates, struct: 'scheduling/v1beta1.CompositePodGroupTemplate', count: 'minGroupCount' },
  ] as const;
  for (const { list, struct, count } of lists) {
    for (const template of declaredItems(at(holder, list), 8, { key: 'name', struct })) {
      declaredText(at(template, 'name'), dns1123LabelProblems, true);
      checkGroupMembers(template, count);
      if (list === groupTemplates) checkTemplates(template);
    }
  }
}

/** Names of templates in different lists must differ, too. */
function checkNames(holder: Place, names: Set<string>): void {
  const groups = itemsAt(holder, groupTemplates);
  for (const group of groups) if (names.has(nameOf(group))) addDuplicate(at(group, 'name'));
  for (const group of groups) names.add(nameOf(group));
  for (const group of groups) {
    const pods = itemsAt(group, podTemplates);
    for (const pod of pods) if (names.has(nameOf(pod))) addDuplicate(at(pod, 'name'));
    for (const pod of pods) names.add(nameOf(pod));
    checkNames(group, names);
  }
}

function depthOf(group: Place): number {
  return 1 + Math.max(0, ...itemsAt(group, groupTemplates).map(depthOf));
}

function checkPriorities(spec: Place, isUpdate: boolean): void {
  const isNewer = spec.server.since('v1.38');
  const keyOf = (template: Place): string => `${priorityOf(template)}/${isNewer && !isUpdate ? textAt(template, 'preemptionPolicy') : ''}`;
  const pods = new Set(itemsAt(spec, podTemplates).map(keyOf));
  const members = isNewer ? 'priority, priorityClassName, and preemptionPolicy' : 'priority and priorityClassName';
  if (pods.size > 1 && !isNewer) addInvalid(spec, 'detected multiple priority configurations', null);
  else if (new Set([...pods, ...groupsBelow(spec).map(keyOf)]).size > 1)
    addInvalid(spec, `all ${members} values must be identical, detected multiple values`, null);
}

function groupsBelow(holder: Place): Place[] {
  return itemsAt(holder, groupTemplates).flatMap(group => [group, ...groupsBelow(group), ...itemsAt(group, podTemplates)]);
}

function priorityOf(template: Place): string {
  const priority = hasSet(template, 'priority') ? numberAt(template, 'priority') : 'none';
  return `${textAt(template, 'priorityClassName')}/${priority}`;
}

/** An update keeps the policy and the mode of a template, which may be older than the rule. */
function checkChildren(group: Place, isUpdate: boolean): void {
  if (lengthOf(at(group, podTemplates)) + lengthOf(at(group, groupTemplates)) === 0)
    addInvalid(group, 'must have at least one child PodGroupTemplate or CompositePodGroupTemplate', textAt(group, 'name'));
  if (!isUpdate) checkDisruption(group);
  for (const child of itemsAt(group, groupTemplates)) {
    checkChild(group, child);
    checkChildren(child, isUpdate);
  }
  for (const child of itemsAt(group, podTemplates)) {
    checkChild(group, child);
    if (!isUpdate) checkDisruption(child);
  }
}

/** Since v1.38. Source: scheduling/validation validateCompositePodGroupTemplate. */
function checkChild(group: Place, child: Place): void {
  if (!group.server.since('v1.38')) return;
  const parent = (what: string): string => `must have ${what} when parent compositePodGroupTemplate has ${what}`;
  if (isGang(group) && !isGang(child)) addInvalidWithoutValue(at(child, 'schedulingPolicy'), parent('"gang" scheduling policy'));
  if (isDisruptedAsWhole(group) && !isDisruptedAsWhole(child))
    addInvalidWithoutValue(at(child, 'disruptionMode'), parent('"all" disruption mode'));
}

function nameOf(template: Place): string {
  return textAt(template, 'name');
}
