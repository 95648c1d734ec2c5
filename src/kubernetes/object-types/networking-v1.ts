// Generated from the tables of Kubernetes types by `npm run docs`.
import type { TypedLocalObjectReference } from './core-v1.js';
import type { LabelSelector, ObjectMeta } from './meta-v1.js';

export interface HTTPIngressPath { path?: string; pathType?: string; backend?: IngressBackend }
export interface HTTPIngressRuleValue { paths: HTTPIngressPath[] }
export interface IPBlock { cidr: string; except?: string[] }
export interface Ingress { kind?: string; apiVersion?: string; metadata: ObjectMeta; spec: IngressSpec; status?: IngressStatus }
export interface IngressBackend { service?: IngressServiceBackend; resource?: TypedLocalObjectReference }
export interface IngressClass { kind?: string; apiVersion?: string; metadata: ObjectMeta; spec: IngressClassSpec }
export interface IngressClassParametersReference { apiGroup?: string; kind: string; name: string; scope?: string; namespace?: string }
export interface IngressClassSpec { controller?: string; parameters?: IngressClassParametersReference }
export interface IngressLoadBalancerIngress { ip?: string; hostname?: string; ports?: IngressPortStatus[] }
export interface IngressLoadBalancerStatus { ingress?: IngressLoadBalancerIngress[] }
export interface IngressPortStatus { port: number; protocol: string; error?: string }
export interface IngressRule { host?: string; http?: HTTPIngressRuleValue }
export interface IngressServiceBackend { name: string; port?: ServiceBackendPort }
export interface IngressSpec { ingressClassName?: string; defaultBackend?: IngressBackend; tls?: IngressTLS[]; rules?: IngressRule[] }
export interface IngressStatus { loadBalancer?: IngressLoadBalancerStatus }
export interface IngressTLS { hosts?: string[]; secretName?: string }
export interface NetworkPolicy { kind?: string; apiVersion?: string; metadata: ObjectMeta; spec: NetworkPolicySpec }
export interface NetworkPolicyEgressRule { ports?: NetworkPolicyPort[]; to?: NetworkPolicyPeer[] }
export interface NetworkPolicyIngressRule { ports?: NetworkPolicyPort[]; from?: NetworkPolicyPeer[] }
export interface NetworkPolicyPeer { podSelector?: LabelSelector; namespaceSelector?: LabelSelector; ipBlock?: IPBlock }
export interface NetworkPolicyPort { protocol?: string; port?: number | string; endPort?: number }
export interface NetworkPolicySpec { podSelector?: LabelSelector; ingress?: NetworkPolicyIngressRule[]; egress?: NetworkPolicyEgressRule[]; policyTypes?: string[] }
export interface ServiceBackendPort { name?: string; number?: number }
