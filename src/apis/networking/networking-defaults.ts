import { constants, type DefaultRules, setDefault, sizeOfValue } from '../../apiserver/objects/default-rules.js';
import { ensureMap, isMap, type Value, type ValueMap } from '../../go/value.js';

/** Defaults of networking kinds and endpoint slices. Source: kubernetes pkg/apis/networking, extensions, discovery defaults.go. */
export const networkingDefaults: DefaultRules = {
  'networking/v1.NetworkPolicyPort': constants({ protocol: 'TCP' }),
  'networking/v1.NetworkPolicy': networkPolicy,
  // The old version is meant to default the protocol of its ports as well, but does so on a copy.
  'extensions/v1beta1.NetworkPolicy': networkPolicy,
  'networking/v1.IngressClass': ingressClass => {
    const parameters = ensureMap(ingressClass, 'spec').get('parameters');
    if (isMap(parameters)) setDefault(parameters, 'scope', 'Cluster');
  },
  'networking/v1beta1.HTTPIngressPath': constants({ pathType: 'ImplementationSpecific' }),
  'extensions/v1beta1.HTTPIngressPath': constants({ pathType: 'ImplementationSpecific' }),
  'discovery/v1.EndpointPort': constants({ name: '', protocol: 'TCP' }),
  'discovery/v1beta1.EndpointPort': constants({ name: '', protocol: 'TCP' }),
};

function networkPolicy(policy: ValueMap): void {
  const spec = ensureMap(policy, 'spec');
  if (sizeOfValue(spec, 'policyTypes') > 0) return;
  const types: Value[] = ['Ingress'];
  if (sizeOfValue(spec, 'egress') > 0) types.push('Egress');
  spec.set('policyTypes', types);
}
