// Generated from the tables of Kubernetes types by `npm run docs`.
import type { ObjectMeta } from './meta-v1.js';

export interface CustomResourceColumnDefinition { name: string; type: string; format?: string; description?: string; priority?: number; jsonPath: string }
export interface CustomResourceConversion { strategy: string; webhook?: WebhookConversion }
export interface CustomResourceDefinition { kind?: string; apiVersion?: string; metadata: ObjectMeta; spec: CustomResourceDefinitionSpec; status?: CustomResourceDefinitionStatus }
export interface CustomResourceDefinitionCondition { type: string; status: string; lastTransitionTime?: string; reason?: string; message?: string; observedGeneration?: number }
export interface CustomResourceDefinitionNames { plural: string; singular?: string; shortNames?: string[]; kind: string; listKind?: string; categories?: string[] }
export interface CustomResourceDefinitionSpec { group: string; names?: CustomResourceDefinitionNames; scope: string; versions: CustomResourceDefinitionVersion[]; conversion?: CustomResourceConversion; preserveUnknownFields?: boolean }
export interface CustomResourceDefinitionStatus { conditions: CustomResourceDefinitionCondition[]; acceptedNames?: CustomResourceDefinitionNames; storedVersions: string[]; observedGeneration?: number }
export interface CustomResourceDefinitionVersion { name: string; served: boolean; storage: boolean; deprecated?: boolean; deprecationWarning?: string; schema?: CustomResourceValidation; subresources?: CustomResourceSubresources; additionalPrinterColumns?: CustomResourceColumnDefinition[]; selectableFields?: SelectableField[] }
export interface CustomResourceSubresourceScale { specReplicasPath: string; statusReplicasPath: string; labelSelectorPath?: string }
export interface CustomResourceSubresourceStatus {  }
export interface CustomResourceSubresources { status?: CustomResourceSubresourceStatus; scale?: CustomResourceSubresourceScale }
export interface CustomResourceValidation { openAPIV3Schema?: JSONSchemaProps }
export interface ExternalDocumentation { description?: string; url?: string }
export interface JSONSchemaProps { id?: string; "$schema"?: string; "$ref"?: string; description?: string; type?: string; format?: string; title?: string; default?: unknown; maximum?: number; exclusiveMaximum?: boolean; minimum?: number; exclusiveMinimum?: boolean; maxLength?: number; minLength?: number; pattern?: string; maxItems?: number; minItems?: number; uniqueItems?: boolean; multipleOf?: number; enum?: unknown[]; maxProperties?: number; minProperties?: number; required?: string[]; items?: JSONSchemaProps | JSONSchemaProps[]; allOf?: JSONSchemaProps[]; oneOf?: JSONSchemaProps[]; anyOf?: JSONSchemaProps[]; not?: JSONSchemaProps; properties?: Record<string, JSONSchemaProps>; additionalProperties?: JSONSchemaProps | boolean; patternProperties?: Record<string, JSONSchemaProps>; dependencies?: Record<string, JSONSchemaProps | string[]>; additionalItems?: JSONSchemaProps | boolean; definitions?: Record<string, JSONSchemaProps>; externalDocs?: ExternalDocumentation; example?: unknown; nullable?: boolean; "x-kubernetes-preserve-unknown-fields"?: boolean; "x-kubernetes-embedded-resource"?: boolean; "x-kubernetes-int-or-string"?: boolean; "x-kubernetes-list-map-keys"?: string[]; "x-kubernetes-list-type"?: string; "x-kubernetes-map-type"?: string; "x-kubernetes-validations"?: ValidationRule[] }
export interface SelectableField { jsonPath: string }
export interface ServiceReference { namespace: string; name: string; path?: string; port?: number }
export interface ValidationRule { rule: string; message?: string; messageExpression?: string; reason?: string; fieldPath?: string; optionalOldSelf?: boolean }
export interface WebhookClientConfig { url?: string; service?: ServiceReference; caBundle?: string }
export interface WebhookConversion { clientConfig?: WebhookClientConfig; conversionReviewVersions: string[] }
