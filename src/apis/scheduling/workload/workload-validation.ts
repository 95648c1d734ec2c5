import { declaredImmutable, declaredItems, declaredText, declaredUnion } from '../../../apiserver/registry/validation/declared-checks.js';
import {
  addDuplicate,
  addInvalid,
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
import { checkGroupMembers } from '../scheduling-validation.js';

const [podTemplates, groupTemplates] = ['podGroupTemplates', 'compositePodGroupTemplates'];
const maxDepth = 4;

/** Validates a workload. Source: scheduling/validation ValidateWorkloadSpec, and the tags of api scheduling/v1beta1. */
export function checkWorkload(workload: Place): void {
  const spec = at(workload, 'spec');
  checkNames(spec, new Set(itemsAt(spec, podTemplates).map(nameOf)));
  for (const group of itemsAt(spec, groupTemplates))
    if (depthOf(group) >= maxDepth) addInvalid(group, `maximum template hierarchy depth is ${maxDepth}`, null);
  checkPriorities(spec);
  for (const group of itemsAt(spec, groupTemplates)) checkChildren(group);
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

function checkPriorities(spec: Place): void {
  const pods = new Set(itemsAt(spec, podTemplates).map(priorityOf));
  if (pods.size > 1) addInvalid(spec, 'detected multiple priority configurations', null);
  else if (new Set([...pods, ...prioritiesBelow(spec)]).size > 1)
    addInvalid(spec, 'all priority and priorityClassName values must be identical, detected multiple values', null);
}

function prioritiesBelow(holder: Place): string[] {
  return itemsAt(holder, groupTemplates).flatMap(group => [
    priorityOf(group),
    ...prioritiesBelow(group),
    ...itemsAt(group, podTemplates).map(priorityOf),
  ]);
}

function priorityOf(template: Place): string {
  const priority = hasSet(template, 'priority') ? numberAt(template, 'priority') : 'none';
  return `${textAt(template, 'priorityClassName')}/${priority}`;
}

function checkChildren(group: Place): void {
  if (lengthOf(at(group, podTemplates)) + lengthOf(at(group, groupTemplates)) === 0)
    addInvalid(group, 'must have at least one child PodGroupTemplate or CompositePodGroupTemplate', textAt(group, 'name'));
  for (const child of itemsAt(group, groupTemplates)) checkChildren(child);
}

function nameOf(template: Place): string {
  return textAt(template, 'name');
}
