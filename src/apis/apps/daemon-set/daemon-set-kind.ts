import { equalIn } from '../../../apiserver/registry/generic/common-strategy.js';
import type { KindDefinition } from '../../../apiserver/registry/kind-definition.js';
import type { Refinement } from '../../../apiserver/registry/strategy.js';
import type { FieldPath } from '../../../apiserver/registry/validation/field-path.js';
import { internalValue } from '../../../apiserver/registry/validation/go-value.js';
import type { KindRules, UpdateStep } from '../../../apiserver/registry/validation/kind-rules.js';
import { checkLabelSelector, checkNonNegative, isEmptySelector } from '../../../apiserver/registry/validation/rules.js';
import { ensureMap, mapAt, stringAt, type ValueMap } from '../../../go/value.js';
import { templateGatedFields } from '../../core/pod/gated-fields.js';
import { templateWarnings } from '../../core/pod/validation/pod-warnings.js';
import { amountIn, checkSelected, checkTemplateOf, isUsableSelector, keepSelector } from '../../core/pod-template/selected-templates.js';
import { checkCollisions, checkCounts } from '../../core/replication-controller/replica-counts.js';
import { checkIntOrPercent, checkNotMoreThanAll } from '../int-or-percent.js';

const templateGeneration = 'deprecated.daemonset.template.generation';

/** Strategy of daemon sets: counts changes of the template in an annotation. Source: kubernetes pkg/registry/apps/daemonset/strategy.go. */
const daemonSet: Refinement = base => ({
  ...base,
  prepareForCreate: (object, context) => {
    base.prepareForCreate(object, context);
    const annotations = ensureMap(ensureMap(object, 'metadata'), 'annotations');
    if (numberIn(annotations) < 1n) annotations.set(templateGeneration, '1');
  },
  prepareForUpdate: (object, old, context) => {
    base.prepareForUpdate(object, old, context);
    if (context.subresource === 'status') setTemplateGeneration(object, numberIn(mapAt(old, 'metadata', 'annotations')));
    if (context.subresource !== '') return;
    const templates = [object, old].map(o => new Map([['spec', mapAt(o, 'spec', 'template') ?? new Map()]]) as ValueMap);
    const [own, stored] = templates;
    const before = numberIn(mapAt(old, 'metadata', 'annotations'));
    const changed =
      own !== undefined &&
      stored !== undefined &&
      !equalIn(context.server, context.resource, 'spec', withTemplate(own), withTemplate(stored));
    setTemplateGeneration(object, changed ? before + 1n : before);
  },
});

/** Sets the spec field that is represented as an annotation. */
function setTemplateGeneration(object: ValueMap, generation: bigint): void {
  ensureMap(ensureMap(object, 'metadata'), 'annotations').set(templateGeneration, String(generation));
}

function withTemplate(of: ValueMap): ValueMap {
  return new Map([['spec', new Map([['template', mapAt(of, 'spec') ?? new Map()]])]]);
}

function numberIn(annotations: ValueMap | undefined): bigint {
  const text = stringAt(annotations, templateGeneration);
  return /^-?\d+$/.test(text) ? BigInt(text) : 0n;
}

/** Source: apps/validation ValidateDaemonSet. */
const daemonSetRules: KindRules = {
  create: object => checkDaemonSet(object.child('spec')),
  update: ['changes', (object, old) => keepSelector(object, old, 'apps/v1.DaemonSetSpec'), object => checkDaemonSet(object.child('spec'))],
  warnings: (object, old) => {
    const generation = (of: FieldPath): string => of.text('metadata', 'annotations', 'deprecated.daemonset.template.generation');
    return old !== undefined && generation(object) === generation(old) ? [] : templateWarnings(object.child('spec', 'template'));
  },
};

function checkDaemonSet(spec: FieldPath): void {
  const selector = spec.child('selector');
  checkLabelSelector(selector);
  if (isUsableSelector(selector)) checkSelected(spec, selector.value);
  if (isEmptySelector(selector))
    selector.invalid(internalValue(spec.server, 'meta/v1.LabelSelector', selector.value), 'empty selector is invalid for daemonset');
  checkTemplateOf(spec, 'DaemonSet');
  checkNonNegative(spec.child('minReadySeconds'));
  checkDaemonSetStrategy(spec.child('updateStrategy'));
  checkNonNegative(spec.child('revisionHistoryLimit'));
}

function checkDaemonSetStrategy(strategy: FieldPath): void {
  const type = strategy.text('type');
  if (type === 'OnDelete') return;
  if (type !== 'RollingUpdate') {
    strategy.notSupported(internalValue(strategy.server, 'apps/v1.DaemonSetUpdateStrategy', strategy.value), ['RollingUpdate', 'OnDelete']);
    return;
  }
  const rolling = strategy.child('rollingUpdate');
  if (!rolling.isSet()) {
    rolling.required();
    return;
  }
  const [unavailable, surge] = [rolling.child('maxUnavailable'), rolling.child('maxSurge')];
  for (const field of [unavailable, surge]) checkIntOrPercent(field);
  for (const field of [unavailable, surge]) checkNotMoreThanAll(field);
  const [hasUnavailable, hasSurge] = [amountIn(unavailable) !== 0n, amountIn(surge) !== 0n];
  if (hasUnavailable && hasSurge) surge.invalid('may not be set when maxUnavailable is non-zero');
  else if (!hasUnavailable && !hasSurge) unavailable.required('cannot be 0 when maxSurge is 0');
}

/** Source: apps/validation ValidateDaemonSetStatusUpdate. */
const daemonSetStatus: readonly UpdateStep[] = [
  'changes',
  object =>
    checkCounts(object.child('status'), [
      'currentNumberScheduled',
      'numberMisscheduled',
      'desiredNumberScheduled',
      'numberReady',
      'observedGeneration',
      'updatedNumberScheduled',
      'numberAvailable',
      'numberUnavailable',
      'collisionCount',
    ]),
  checkCollisions,
];

/** DaemonSet. */
export const daemonSetKind: KindDefinition = {
  refine: daemonSet,
  validation: daemonSetRules,
  subresources: { status: { update: daemonSetStatus } },
  gatedFields: templateGatedFields,
  hasGeneration: true,
  resetsStatus: true,
  deletion: { zeroMembers: { metadata: { annotations: { 'deprecated.daemonset.template.generation': '0' } } } },
};
