/**
 * Exports of `import ... from 'webhook-cli'`: the reviews of the command line as data, for test runners. They do not print, read flags or
 * configuration files, or load the command line.
 */
export { CliError, type CliErrorCode, type Location } from '../client/cli-error.js';
export type {
  Affinity,
  Capabilities,
  Container,
  ContainerPort,
  EnvVar,
  PodSecurityContext,
  PodSpec,
  PodTemplateSpec,
  Probe,
  ResourceRequirements,
  SecurityContext,
  ServicePort,
  Toleration,
  Volume,
  VolumeMount,
} from '../kubernetes/object-types/core-v1.js';
export type {
  BuiltInKinds,
  ClusterRole,
  ClusterRoleBinding,
  ConfigMap,
  CronJob,
  CustomResourceDefinition,
  DaemonSet,
  Deployment,
  EndpointSlice,
  Endpoints,
  HorizontalPodAutoscaler,
  Ingress,
  IngressClass,
  Job,
  Lease,
  LimitRange,
  MutatingWebhookConfiguration,
  Namespace,
  NetworkPolicy,
  Node,
  PersistentVolume,
  PersistentVolumeClaim,
  Pod,
  PodDisruptionBudget,
  PodTemplate,
  PriorityClass,
  ReplicaSet,
  ReplicationController,
  ResourceQuota,
  Role,
  RoleBinding,
  Secret,
  Service,
  ServiceAccount,
  StatefulSet,
  StorageClass,
  ValidatingAdmissionPolicy,
  ValidatingAdmissionPolicyBinding,
  ValidatingWebhookConfiguration,
} from '../kubernetes/object-types/kinds.js';
export type { LabelSelector, ObjectMeta, OwnerReference } from '../kubernetes/object-types/meta-v1.js';
export { apiErrors, StatusError } from '../webhook-server/api/api-errors.js';
export { createPatch } from '../webhook-server/api/create-patch.js';
export { type DefaulterOptions, defaulter } from '../webhook-server/api/defaulter.js';
export { type FieldPath, field } from '../webhook-server/api/field.js';
export { multiMutating, multiValidating } from '../webhook-server/api/multi.js';
export {
  allowed,
  denied,
  errored,
  patched,
  patchResponse,
  validationResponse,
  type WebhookOptions as HandlerOptions,
  webhook,
  withWarnings,
} from '../webhook-server/api/responses.js';
export type {
  AdmissionHandler,
  AdmissionRequest,
  AdmissionResponse,
  AdmissionWebhook,
  ConversionWebhook,
  Handler,
  HealthCheck,
  HealthRequest,
  InjectorWebhook,
  Operation,
  UserInfo,
  WebhookServer,
} from '../webhook-server/api/types.js';
export { type ValidatorOptions, validator, type Warn } from '../webhook-server/api/validator.js';
export { conversion } from '../webhook-server/conversion/conversion.js';
export {
  type ConvertibleKind,
  type HubOptions,
  hub,
  type Spoke,
  type VersionsOptions,
  versions,
} from '../webhook-server/conversion/kinds.js';
export { type InjectorConfig, type InjectorOptions, injector } from '../webhook-server/injector/injector.js';
export {
  createWebhookServer,
  type RunnableWebhookServer,
  type ServerAddresses,
  type WebhookServerOptions,
} from '../webhook-server/serving/webhook-server.js';
export type { CallOptions, WebhookOptions } from './flag-options.js';
export type {
  KubernetesObject,
  ManifestOptions,
  ReviewOptions,
  State,
  StateOptions,
} from './options.js';
export type { PlainObject, PlainValue, ReviewDecision, ReviewedWebhook, ReviewReport } from './report.js';
export { review, reviewAll } from './review.js';
export { loadState, type StateSource } from './state.js';
