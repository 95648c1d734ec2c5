import { listAt, stringAt, valueAt } from '../../go/value.js';
import type { QuotaEvaluator } from './quota-evaluator.js';

const names = new Set(['count/services', 'services', 'services.nodeports', 'services.loadbalancers']);

/** Evaluates services and their node ports. Source: kubernetes pkg/quota/v1/evaluator/core/services.go. */
export const serviceEvaluator: QuotaEvaluator = {
  handles: ({ operation, subresource }) => subresource === '' && (operation === 'CREATE' || operation === 'UPDATE'),
  counts: name => names.has(name),
  isInScope: () => false,
  missing: () => '',
  usage: service => {
    const type = stringAt(service, 'spec', 'type');
    const ports = listAt(service, 'spec', 'ports');
    const isBalanced = type === 'LoadBalancer';
    const onNodes =
      isBalanced && valueAt(service, 'spec', 'allocateLoadBalancerNodePorts') === false
        ? ports.filter(p => (valueAt(p, 'nodePort') ?? 0n) !== 0n)
        : ports;
    return new Map([
      ['count/services', '1'],
      ['services', '1'],
      ['services.loadbalancers', isBalanced ? '1' : '0'],
      ['services.nodeports', isBalanced || type === 'NodePort' ? String(onNodes.length) : '0'],
    ]);
  },
};
