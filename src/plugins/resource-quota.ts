import type { Attributes } from '../apiserver/admission/attributes.js';
import type { AdmissionContext, AdmissionPlugin } from '../apiserver/admission/chain.js';
import { admissionRefusal } from '../apiserver/admission/name-in-refusal.js';
import { listAt, stringAt, type ValueMap } from '../go/value.js';
import { addQuantities, compareQuantities, quantitySign, subtractQuantities } from '../kubernetes/quantity.js';
import { listedObjects } from './objects/listed-objects.js';
import { type Amounts, amountsAt } from './objects/pod-resources.js';
import { evaluatorOf, ignoredResources } from './quota/evaluators.js';
import type { QuotaEvaluator } from './quota/quota-evaluator.js';
import { recordUsage, usageTextOf } from './quota/record-usage.js';
import { scopesOf } from './quota/scopes.js';

/** ResourceQuota: enforces a namespace's quotas, with the usage in their status. Source: apiserver admission/plugin/resourcequota. */
export const resourceQuota: AdmissionPlugin = {
  name: 'ResourceQuota',
  operations: ['CREATE', 'UPDATE'],
  validate: async (attributes, context) => {
    const { namespace, operation, kind, resource, object } = attributes;
    const isNewNamespace = operation === 'CREATE' && kind.group === '' && kind.kind === 'Namespace';
    if (namespace === '' || isNewNamespace || object === undefined || ignoredResources.has(`${resource.resource}.${resource.group}`))
      return;
    const evaluator = evaluatorOf(resource, context.storage);
    if (!evaluator.handles(attributes)) return;
    const quotas = listedObjects(context, { group: '', kind: 'ResourceQuota' }, namespace);
    const limited = limitedResources(attributes, context);
    if (quotas.length === 0 && limited.length === 0) return;
    await checkQuotas(quotas, attributes, { evaluator, object: object.value, now: context.effects.now(), context }, limited);
  },
};

interface Subject {
  readonly evaluator: QuotaEvaluator;
  readonly object: ValueMap;
  readonly now: Date;
  readonly context: AdmissionContext;
}

/** Returns the texts that are part of the names of those resources that need a quota, for a kind. */
function limitedResources({ resource }: Attributes, { state }: AdmissionContext): string[] {
  const all = listAt(state.pluginConfigurations?.get('ResourceQuota'), 'limitedResources');
  return all
    .filter(limited => stringAt(limited, 'apiGroup') === resource.group && stringAt(limited, 'resource') === resource.resource)
    .flatMap(limited => listAt(limited, 'matchContains').map(String));
}

/** First checks that every quota applies to the object, then that limited resources have a quota, then that none is exceeded. */
async function checkQuotas(
  quotas: readonly ValueMap[],
  attributes: Attributes,
  subject: Subject,
  limited: readonly string[],
): Promise<void> {
  const concerned = quotas.filter(quota => isConcerned(quota, subject));
  for (const quota of concerned) checkForm(quota, attributes, subject);
  const usage = subject.evaluator.usage(subject.object, subject.now);
  const negative = [...usage].filter(([, amount]) => quantitySign(amount) < 0).map(([name]) => name);
  if (negative.length > 0) throw admissionRefusal(attributes, `quota usage is negative for resource(s): ${negative.sort().join(',')}`);
  const charges = concerned.map(quota => ({ quota, usage: chargedTo(quota, usage, { attributes, subject }) }));
  if (limited.length > 0) checkLimited(usage, { quotas: concerned, attributes, limited });
  for (const charge of charges) checkUsage(charge.quota, attributes, { ...subject, usage: charge.usage });
  if (attributes.dryRun || attributes.subresource === 'status') return;
  for (const charge of charges) await recordUsage(charge.quota, charge.usage, subject.context);
}

interface Limits {
  readonly quotas: readonly ValueMap[];
  readonly attributes: Attributes;
  readonly limited: readonly string[];
}

function checkLimited(usage: Amounts, { quotas, attributes, limited }: Limits): void {
  const covered = new Set(quotas.flatMap(quota => [...amountsAt(quota, 'status', 'hard').keys()]));
  const missing = [...usage]
    .filter(([name, amount]) => quantitySign(amount) > 0 && limited.some(text => name.includes(text)) && !covered.has(name))
    .map(([name]) => name);
  if (missing.length > 0) throw admissionRefusal(attributes, `insufficient quota to consume: ${missing.sort().join(',')}`);
}

function isConcerned(quota: ValueMap, { object, evaluator, context }: Subject): boolean {
  const names = [...amountsAt(quota, 'status', 'hard').keys()];
  return names.some(evaluator.counts) && scopesOf(quota).every(scope => evaluator.isInScope(scope, object, context.server));
}

function checkForm(quota: ValueMap, attributes: Attributes, { evaluator, object }: Subject): void {
  const name = stringAt(quota, 'metadata', 'name');
  const names = [...amountsAt(quota, 'status', 'hard').keys()].filter(evaluator.counts);
  const missing = evaluator.missing(names, object);
  if (missing !== '') throw admissionRefusal(attributes, `failed quota: ${name}: ${missing}`);
  const used = amountsAt(quota, 'status', 'used');
  if (names.some(resource => !used.has(resource)))
    throw admissionRefusal(attributes, `status unknown for quota: ${name}, resources: ${names.sort().join(',')}`);
}

/** Returns the charged usage; for an object that already counted, only the increase. */
function chargedTo(quota: ValueMap, usage: Amounts, { attributes, subject }: { attributes: Attributes; subject: Subject }): Amounts {
  const old = attributes.oldObject?.value;
  if (attributes.operation !== 'UPDATE' || old === undefined || stringAt(old, 'metadata', 'resourceVersion') === '') return usage;
  if (!isConcerned(quota, { ...subject, object: old })) return usage;
  const before = subject.evaluator.usage(old, subject.now);
  return new Map([...usage].map(([name, amount]) => [name, subtractQuantities(amount, before.get(name) ?? '0')]));
}

function checkUsage(quota: ValueMap, attributes: Attributes, { usage }: Subject & { readonly usage: Amounts }): void {
  if (attributes.subresource === 'status') return;
  const hard = amountsAt(quota, 'status', 'hard');
  const used = amountsAt(quota, 'status', 'used');
  const requested = new Map([...usage].filter(([name, amount]) => hard.has(name) && quantitySign(amount) > 0));
  const exceeded = [...requested].filter(
    ([name, amount]) => compareQuantities(addQuantities(used.get(name) ?? '0', amount), hard.get(name) ?? '0') > 0,
  );
  if (exceeded.length === 0) return;
  const names = new Set(exceeded.map(([name]) => name));
  const texts = [requested, used, hard].map(amounts => printAmounts(amounts, names));
  const name = stringAt(quota, 'metadata', 'name');
  throw admissionRefusal(attributes, `exceeded quota: ${name}, requested: ${texts[0]}, used: ${texts[1]}, limited: ${texts[2]}`);
}

function printAmounts(amounts: Amounts, names: ReadonlySet<string>): string {
  return [...amounts]
    .filter(([name]) => names.has(name))
    .map(([name, amount]) => `${name}=${usageTextOf(amount)}`)
    .sort()
    .join(',');
}
