import type { KindDefinition } from '../../../apiserver/registry/kind-definition.js';
import { autoscalerStatus } from './horizontal-pod-autoscaler-status-validation.js';
import { horizontalPodAutoscaler } from './horizontal-pod-autoscaler-strategy.js';
import { autoscalerRules } from './horizontal-pod-autoscaler-validation.js';

/** HorizontalPodAutoscaler. */
export const horizontalPodAutoscalerKind: KindDefinition = {
  refine: horizontalPodAutoscaler,
  validation: autoscalerRules,
  subresources: { status: { update: autoscalerStatus } },
  gatedFields: [{ gates: ['HPAConfigurableTolerance'], paths: ['spec.behavior.scaleDown.tolerance', 'spec.behavior.scaleUp.tolerance'] }],
  hasGeneration: server => server.isEnabled('HPAGeneration'),
  resetsStatus: true,
};
