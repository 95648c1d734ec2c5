// Generated from the tables of Kubernetes types by `npm run docs`.
import type { Condition, LabelSelector, ObjectMeta } from './meta-v1.js';

export interface AuditAnnotation { key: string; valueExpression: string }
export interface ExpressionWarning { fieldRef: string; warning: string }
export interface MatchCondition { name: string; expression: string }
export interface MatchResources { namespaceSelector?: LabelSelector; objectSelector?: LabelSelector; resourceRules?: NamedRuleWithOperations[]; excludeResourceRules?: NamedRuleWithOperations[]; matchPolicy?: string }
export interface MutatingWebhook { name: string; clientConfig?: WebhookClientConfig; rules?: RuleWithOperations[]; failurePolicy?: string; matchPolicy?: string; namespaceSelector?: LabelSelector; objectSelector?: LabelSelector; sideEffects?: string; timeoutSeconds?: number; admissionReviewVersions: string[]; reinvocationPolicy?: string; matchConditions?: MatchCondition[] }
export interface MutatingWebhookConfiguration { kind?: string; apiVersion?: string; metadata: ObjectMeta; webhooks?: MutatingWebhook[] }
export interface NamedRuleWithOperations { resourceNames?: string[]; operations?: string[]; apiGroups?: string[]; apiVersions?: string[]; resources?: string[]; scope?: string }
export interface ParamKind { apiVersion?: string; kind?: string }
export interface ParamRef { name?: string; namespace?: string; selector?: LabelSelector; parameterNotFoundAction?: string }
export interface RuleWithOperations { operations?: string[]; apiGroups?: string[]; apiVersions?: string[]; resources?: string[]; scope?: string }
export interface ServiceReference { namespace: string; name: string; path?: string; port?: number }
export interface TypeChecking { expressionWarnings?: ExpressionWarning[] }
export interface ValidatingAdmissionPolicy { kind?: string; apiVersion?: string; metadata: ObjectMeta; spec: ValidatingAdmissionPolicySpec; status?: ValidatingAdmissionPolicyStatus }
export interface ValidatingAdmissionPolicyBinding { kind?: string; apiVersion?: string; metadata: ObjectMeta; spec: ValidatingAdmissionPolicyBindingSpec }
export interface ValidatingAdmissionPolicyBindingSpec { policyName?: string; paramRef?: ParamRef; matchResources?: MatchResources; validationActions?: string[] }
export interface ValidatingAdmissionPolicySpec { paramKind?: ParamKind; matchConstraints?: MatchResources; validations?: Validation[]; failurePolicy?: string; auditAnnotations?: AuditAnnotation[]; matchConditions?: MatchCondition[]; variables?: Variable[] }
export interface ValidatingAdmissionPolicyStatus { observedGeneration?: number; typeChecking?: TypeChecking; conditions?: Condition[] }
export interface ValidatingWebhook { name: string; clientConfig?: WebhookClientConfig; rules?: RuleWithOperations[]; failurePolicy?: string; matchPolicy?: string; namespaceSelector?: LabelSelector; objectSelector?: LabelSelector; sideEffects?: string; timeoutSeconds?: number; admissionReviewVersions: string[]; matchConditions?: MatchCondition[] }
export interface ValidatingWebhookConfiguration { kind?: string; apiVersion?: string; metadata: ObjectMeta; webhooks?: ValidatingWebhook[] }
export interface Validation { expression: string; message?: string; reason?: string; messageExpression?: string }
export interface Variable { name: string; expression: string }
export interface WebhookClientConfig { url?: string; service?: ServiceReference; caBundle?: string }
