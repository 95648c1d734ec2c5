import type { FieldPath } from '../../../apiserver/registry/validation/field-path.js';
import { checkDisruption, isDisruptedAsWhole, isGang } from '../scheduling-validation.js';

const [podTemplates, groupTemplates] = ['podGroupTemplates', 'compositePodGroupTemplates'];
const maxDepth = 4;

/** Validates a workload. Source: scheduling/validation ValidateWorkloadSpec. */
export function checkWorkload(workload: FieldPath, old?: FieldPath): void {
  const spec = workload.child('spec');
  checkNames(spec, new Set(spec.items(podTemplates).map(nameOf)));
  for (const group of spec.items(groupTemplates))
    if (depthOf(group) >= maxDepth) group.invalid(null, `maximum template hierarchy depth is ${maxDepth}`);
  checkPriorities(spec, old !== undefined);
  if (old === undefined) for (const template of spec.items(podTemplates)) checkDisruption(template);
  for (const group of spec.items(groupTemplates)) checkChildren(group, old !== undefined);
}

/** Names of templates in different lists must differ, too. */
function checkNames(holder: FieldPath, names: Set<string>): void {
  const groups = holder.items(groupTemplates);
  for (const group of groups) if (names.has(nameOf(group))) group.child('name').duplicate();
  for (const group of groups) names.add(nameOf(group));
  for (const group of groups) {
    const pods = group.items(podTemplates);
    for (const pod of pods) if (names.has(nameOf(pod))) pod.child('name').duplicate();
    for (const pod of pods) names.add(nameOf(pod));
    checkNames(group, names);
  }
}

function depthOf(group: FieldPath): number {
  return 1 + Math.max(0, ...group.items(groupTemplates).map(depthOf));
}

function checkPriorities(spec: FieldPath, isUpdate: boolean): void {
  const isNewer = spec.server.since('v1.38');
  const templateKeyOf = (template: FieldPath): string =>
    `${priorityOf(template)}/${isNewer && !isUpdate ? template.text('preemptionPolicy') : ''}`;
  const pods = new Set(spec.items(podTemplates).map(templateKeyOf));
  const members = isNewer ? 'priority, priorityClassName, and preemptionPolicy' : 'priority and priorityClassName';
  if (pods.size > 1 && !isNewer) spec.invalid(null, 'detected multiple priority configurations');
  else if (new Set([...pods, ...groupsBelow(spec).map(templateKeyOf)]).size > 1)
    spec.invalid(null, `all ${members} values must be identical, detected multiple values`);
}

function groupsBelow(holder: FieldPath): FieldPath[] {
  return holder.items(groupTemplates).flatMap(group => [group, ...groupsBelow(group), ...group.items(podTemplates)]);
}

function priorityOf(template: FieldPath): string {
  const priority = template.has('priority') ? template.number('priority') : 'none';
  return `${template.text('priorityClassName')}/${priority}`;
}

/** An update keeps the policy and the mode of a template, which may be older than the rule. */
function checkChildren(group: FieldPath, isUpdate: boolean): void {
  if (group.child(podTemplates).length() + group.child(groupTemplates).length() === 0)
    group.invalid(group.text('name'), 'must have at least one child PodGroupTemplate or CompositePodGroupTemplate');
  if (!isUpdate) checkDisruption(group);
  for (const child of group.items(groupTemplates)) {
    checkChild(group, child);
    checkChildren(child, isUpdate);
  }
  for (const child of group.items(podTemplates)) {
    checkChild(group, child);
    if (!isUpdate) checkDisruption(child);
  }
}

/** Since v1.38. Source: scheduling/validation validateCompositePodGroupTemplate. */
function checkChild(group: FieldPath, child: FieldPath): void {
  if (!group.server.since('v1.38')) return;
  const parent = (what: string): string => `must have ${what} when parent compositePodGroupTemplate has ${what}`;
  if (isGang(group) && !isGang(child)) child.child('schedulingPolicy').invalidWithoutValue(parent('"gang" scheduling policy'));
  if (isDisruptedAsWhole(group) && !isDisruptedAsWhole(child))
    child.child('disruptionMode').invalidWithoutValue(parent('"all" disruption mode'));
}

function nameOf(template: FieldPath): string {
  return template.text('name');
}
