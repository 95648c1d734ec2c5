import { type DefaultRules, setDefault, sizeOfValue } from '../../apiserver/objects/default-rules.js';
import { ensureMap, isMap, toValue, type Value, type ValueMap } from '../../go/value.js';

/** Source: kubernetes pkg/apis/autoscaling defaults.go. */
export const autoscalingDefaults: DefaultRules = {
  'autoscaling/v1.HorizontalPodAutoscaler': autoscaler => setDefault(ensureMap(autoscaler, 'spec'), 'minReplicas', 1n),
  'autoscaling/v2.HorizontalPodAutoscaler': autoscaler => {
    const spec = ensureMap(autoscaler, 'spec');
    setDefault(spec, 'minReplicas', 1n);
    if (sizeOfValue(spec, 'metrics') === 0) spec.set('metrics', [cpuUtilization()]);
    const behavior = spec.get('behavior');
    if (!isMap(behavior)) return;
    fillScalingRules(ensureMap(behavior, 'scaleUp'), {
      stabilizationWindowSeconds: 0,
      policies: [policy('Pods', 4), policy('Percent', 100)],
    });
    fillScalingRules(ensureMap(behavior, 'scaleDown'), { policies: [policy('Percent', 100)] });
  },
};

function cpuUtilization(): Value {
  return toValue({ type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 80 } } });
}

interface ScalingRules {
  readonly stabilizationWindowSeconds?: number;
  readonly policies: readonly unknown[];
}

function policy(type: string, value: number): unknown {
  return { type, value, periodSeconds: 15 };
}

function fillScalingRules(rules: ValueMap, { stabilizationWindowSeconds, policies }: ScalingRules): void {
  if (stabilizationWindowSeconds !== undefined) setDefault(rules, 'stabilizationWindowSeconds', BigInt(stabilizationWindowSeconds));
  setDefault(rules, 'selectPolicy', 'Max');
  setDefault(rules, 'policies', toValue(policies));
}
