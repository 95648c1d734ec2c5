import { quote } from '../../../go/quote.js';
import type { Value } from '../../../go/value.js';
import { isMap } from '../../../go/value.js';
import { type FieldError, forbiddenField, invalidValue, required } from '../../../kubernetes/field-error.js';
import { isMemberSet, memberOfSite, memberSite, sameValues, type ValidationSite } from './site.js';
import type { Extractor, Membership, Rules, StepArgument, ValidationStep } from './steps.js';

type Validator = (site: ValidationSite, args: readonly StepArgument[]) => FieldError[];

/** Validators of members that depend on each other. Source: apimachinery api/validate union.go, zeroorone.go, discriminator.go, dependentrequired.go. */
export const unionValidators: readonly (readonly [name: string, validator: Validator])[] = [
  ['Union', (site, args) => unionErrors(site, args, { isOptional: false })],
  ['ZeroOrOneOfUnion', (site, args) => unionErrors(site, args, { isOptional: true })],
  ['DiscriminatedUnion', discriminatedUnionErrors],
  ['Discriminated', discriminatedErrors],
  ['DependentRequired', (site, args) => dependentErrors(site, args, 'required')],
  ['DependentForbidden', (site, args) => dependentErrors(site, args, 'forbidden')],
];

/** Reports whether a value has what an extractor looks for. */
function has(value: Value | undefined, { set, item, value: wanted }: Extractor): boolean {
  if (set !== undefined) return isMemberSet(memberOfSite(value, set));
  return Array.isArray(value) && value.some(each => memberOfSite(each, item ?? '') === wanted);
}

function unionErrors(
  site: ValidationSite,
  [names, ...extractors]: readonly StepArgument[],
  { isOptional }: { isOptional: boolean },
): FieldError[] {
  const members = (names as readonly string[]).map((name, i) => ({ name, extractor: extractors[i] as Extractor }));
  const given = members.filter(({ extractor }) => has(site.value, extractor)).map(({ name }) => name);
  const isKept = members.every(({ extractor }) => has(site.value, extractor) === has(site.old, extractor));
  if (site.isUpdate && site.hasOld && isKept) return [];
  const all = members.map(({ name }) => `\`${name}\``).join(', ');
  if (given.length > 1)
    return [invalidValue(site.path, `{${given.join(', ')}}`, `must specify ${isOptional ? 'at most' : 'exactly'} one of: ${all}`)];
  return given.length === 1 || isOptional ? [] : [invalidValue(site.path, '', `must specify one of: ${all}`)];
}

function discriminatedUnionErrors(site: ValidationSite, [membership, discriminator, ...extractors]: readonly StepArgument[]): FieldError[] {
  const { discriminator: name, members } = membership as Membership;
  const { member = '' } = discriminator as Extractor;
  const [value, old] = [memberOfSite(site.value, member) ?? '', memberOfSite(site.old, member) ?? ''];
  const isKept = value === old && extractors.every(each => has(site.value, each as Extractor) === has(site.old, each as Extractor));
  if (site.isUpdate && site.hasOld && isKept) return [];
  return members.flatMap(([field, wanted], i) => {
    const [isSet, isWanted] = [has(site.value, extractors[i] as Extractor), value === wanted];
    if (isSet === isWanted) return [];
    const verb = isSet ? 'may only be specified' : 'must be specified';
    return [invalidValue(`${site.path}.${field}`, '', `${verb} when \`${name}\` is ${quote(wanted)}`)];
  });
}

function discriminatedErrors(site: ValidationSite, [name, , discriminator, , byDefault, rules]: readonly StepArgument[]): FieldError[] {
  const { member = '' } = discriminator as Extractor;
  const [value, old] = [memberOfSite(site.value, member) ?? '', memberOfSite(site.old, member) ?? ''];
  const inner = memberSite(site, String(name), false);
  if (site.isUpdate && site.hasOld && value === old && sameValues(inner, inner.value, inner.old)) return [];
  const rule = (rules as Rules).rules.find(([wanted]) => wanted === value);
  const steps = rule === undefined ? byDefault : rule[1];
  return steps === null ? [] : site.run(inner, steps as readonly ValidationStep[]);
}

function dependentErrors(
  site: ValidationSite,
  [triggerName, trigger, dependentName, dependent]: readonly StepArgument[],
  mode: 'required' | 'forbidden',
): FieldError[] {
  if (!isMap(site.value)) return [];
  const [isTriggered, isSet] = [has(site.value, trigger as Extractor), has(site.value, dependent as Extractor)];
  const isKept = isTriggered === has(site.old, trigger as Extractor) && isSet === has(site.old, dependent as Extractor);
  if ((site.isUpdate && site.hasOld && isKept) || !isTriggered) return [];
  const path = site.path === '' ? String(dependentName) : `${site.path}.${String(dependentName)}`;
  if (mode === 'required') return isSet ? [] : [required(path, `must be set when ${String(triggerName)} is set`)];
  return isSet ? [forbiddenField(path, `may not be set when ${String(triggerName)} is set`)] : [];
}
