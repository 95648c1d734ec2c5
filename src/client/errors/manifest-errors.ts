import type { KnownError } from './known-error.js';

const validating = '(?:error validating .*?: )?(?:error validating data: )?';

const builtInKinds =
  'Pod|PodTemplate|ReplicationController|Deployment|StatefulSet|DaemonSet|ReplicaSet|Job|CronJob|Service|ServiceAccount|ConfigMap|Secret|Namespace|Node|Ingress|IngressClass|NetworkPolicy|(?:Cluster)?Role(?:Binding)?|PersistentVolume(?:Claim)?|StorageClass|HorizontalPodAutoscaler|PodDisruptionBudget|CustomResourceDefinition|(?:Mutating|Validating)(?:Webhook|AdmissionPolic)\\w*|LimitRange|ResourceQuota|PriorityClass|Lease|Endpoints|EndpointSlice';

/** Errors of the manifest before it reaches the API server, and of its decoding. */
export const manifestErrors: readonly KnownError[] = [
  {
    id: 'invalid-yaml',
    fault: 'manifest',
    text: /^(?:error parsing (?<file>\S+): )?error converting YAML to JSON: (?<error>.*)/s,
    why: 'the manifest is not valid YAML: {error}',
    try: 'correct the line; the count starts at the beginning of its document',
  },
  {
    id: 'kind-missing',
    fault: 'manifest',
    text: /^(?:unable to decode "(?<file>[^"]*)": Object 'Kind' is missing in |(?:error validating "[^"]*": )?(?:error validating data: )\[?(?:apiVersion not set, )?kind not set)/,
    why: 'a document has no kind: the file is not a manifest (such as values.yaml or Chart.yaml), or a template rendered only a part of one',
    try: 'remove the file from the command, or add apiVersion and kind',
  },
  {
    id: 'missing-field',
    fault: 'manifest',
    text: /^(?:error validating .*?: )?(?:error validating data: )?\[?ValidationError\((?<path>[^)]*)\): missing required field "(?<field>[^"]*)"/,
    why: 'the manifest lacks {field} in {path}',
    try: 'add the field; only if the cluster has another version of the kind, change the apiVersion',
  },
  {
    id: 'wrong-type-of-field',
    fault: 'manifest',
    text: /^(?:error validating .*?: )?(?:error validating data: )?\[?ValidationError\((?<path>[^)]*)\): invalid type for \S+: got "(?<got>[^"]*)", expected "(?<wanted>[^"]*)"/,
    why: 'in the manifest, {path} is of type {got}, which is not its type in the schema',
    try: 'correct the type of the value (quotes make a string), or the apiVersion',
  },
  {
    id: 'unknown-fields',
    fault: 'manifest',
    text: new RegExp(
      String.raw`^${validating}(?:(?:${builtInKinds}) in version "[^"]*" cannot be handled as an? \S+: strict decoding error: |\[?ValidationError\([^)]*\): unknown field "[^"]*" in io\.k8s\.|unknown field "[^"]*" in io\.k8s\.)`,
      's',
    ),
    why: 'the manifest has a field that its kind does not have, or twice',
    try: 'correct the fields in the message, or the apiVersion',
  },
  {
    id: 'unknown-fields',
    fault: null,
    text: new RegExp(
      String.raw`^${validating}(?:\S+ in version "[^"]*" cannot be handled as an? \S+: )?(?:strict decoding error: |\[?ValidationError\([^)]*\): |unknown field "[^"]*" in |unknown field "[a-z]\w*\.[^"]*"(?:,|$))`,
      's',
    ),
    why: 'the manifest has a field that its kind does not have in this cluster, or twice',
    try: 'correct the fields in the message; if they are right, the definition in the cluster is older than the manifest: apply the new one (Helm does not update crds/ in an upgrade)',
  },
  {
    id: 'kustomize-field',
    fault: null,
    text: /^json: unknown field "(?<field>[^"]*)"/,
    why: 'a program that reads the file does not know the field {field}: mostly an old kustomize (in kubectl), reading a newer kustomization.yaml',
    try: 'update kubectl or kustomize, or correct the field',
    command: ['kubectl', 'version', '--client'],
  },
  {
    id: 'namespace-differs',
    fault: 'manifest',
    text: /^the namespace from the provided object "(?<own>[^"]*)" does not match the namespace "(?<other>[^"]*)"/,
    why: 'the manifest names the namespace {own}, and the command {other}',
    try: 'pass the namespace of the manifest, or remove metadata.namespace from it',
  },
  {
    id: 'no-objects',
    fault: 'manifest',
    text: /^no objects passed to (?:apply|create|replace)/,
    why: 'the files contain no object: they are empty, or have only comments',
    try: 'check the path, and what a template rendered',
  },
  {
    id: 'undecodable',
    fault: 'manifest',
    text: /^(?:error validating .*?: )?(?:\S+ in version "[^"]*" cannot be handled as an? \S+: |error (?:unable to )?decod(?:e|ing) |patch: Invalid value: .*?: (?=json: cannot unmarshal ))(?<error>.*)/s,
    why: 'the manifest cannot be decoded as its kind: {error}',
    try: 'correct the type of the value in the message',
  },
  {
    id: 'policy-warned',
    fault: 'manifest',
    text: /^(?:Warning: )?Validation failed for ValidatingAdmissionPolicy '(?<policy>[^']*)' with binding '(?<binding>[^']*)': (?<said>.*)/s,
    why: 'a validation of the policy {policy} failed, and its binding only warns: {said}',
    try: 'change the manifest as the message says',
  },
  {
    id: 'conversion-bundle',
    fault: 'configuration',
    text: /^(?:The )?conversion webhook CABundle is invalid/i,
    why: 'the caBundle of the conversion webhook cannot be used, so the definition is not established and its kind is not served',
    try: 'inject a PEM bundle (webhook-cli certs inject), or leave caBundle empty until a tool writes it',
    command: ['webhook-cli', 'lint', '-f', 'DEFINITION.yaml'],
  },
  {
    id: 'apply-needs-annotation',
    fault: null,
    text: /^(?:Warning: )?resource (?<resource>\S+) is missing the kubectl\.kubernetes\.io\/last-applied-configuration annotation/,
    why: 'the object was not created with kubectl apply: this is a warning, and the annotation is added',
    try: 'nothing to do, or use kubectl apply --server-side',
  },
];
