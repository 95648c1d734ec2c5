import type { KnownError } from './known-error.js';

/** Errors in the logs of webhooks, controllers and their pods. Source: controller-runtime, apimachinery runtime, knative.dev/pkg, kubelet. */
export const programErrors: readonly KnownError[] = [
  {
    id: 'webhook-certificate-missing',
    fault: 'certificate',
    text: /^open (?<path>\S*(?:serving-certs|webhook|certs?)\S*\.(?:crt|key|pem)): no such file or directory/,
    why: 'the webhook finds no certificate at {path}, so it does not start',
    try: 'mount the Secret of its certificate there, and check that the Secret exists (cert-manager issues it from a Certificate); locally: webhook-cli certs create',
    command: ['kubectl', 'get', 'secrets,certificates', '--all-namespaces'],
  },
  {
    id: 'mounted-object-missing',
    fault: null,
    text: /^(?:MountVolume\.SetUp failed for volume "(?<volume>[^"]*)"\s?: )(?<kind>secret|configmap) "(?<name>[^"]*)" not found/,
    why: 'the pod waits for the {kind} {name}, which does not exist',
    try: 'create it, or find what should: cert-manager, or a job of the chart that creates certificates of a webhook',
    command: ['kubectl', 'get', '{kind}', '{name}'],
  },
  {
    id: 'definition-without-webhook',
    fault: 'configuration',
    text: /^custom resource "(?<definition>[^"]*)" isn't configured for webhook conversion/,
    why: 'the conversion webhook serves {definition}, whose spec.conversion.strategy is not Webhook: an older definition, or another writer removed it',
    try: 'apply the definitions of the version of the webhook, with spec.conversion.webhook',
    command: ['kubectl', 'get', 'customresourcedefinitions', '{definition}', '-o', 'yaml'],
  },
  {
    id: 'review-version-not-known',
    fault: null,
    text: /^(?:Object 'Kind' is missing|no kind "(?<kind>AdmissionReview|ConversionReview)" is registered for version "(?<version>[^"]*)")/,
    why: 'the webhook does not know {kind} of {version}, which the API server sends because the configuration lists this version first',
    try: 'list a version that the webhook knows first (admissionReviewVersions: [v1beta1]), or update the webhook',
  },
  {
    id: 'review-content-type',
    fault: null,
    text: /^contentType=(?<type>\S*), expected application\/json/,
    why: 'the webhook got a request that is not from an API server, such as one of curl or of a probe',
    try: 'nothing; to call it as the API server does: webhook-cli review',
  },
  {
    id: 'kind-not-in-scheme',
    fault: null,
    text: /^no kind (?:"(?<kind>[^"]*)" is registered for (?:the internal version of group|version) "(?<version>[^"]*)"|is registered for the type (?<type>\S+))(?: in scheme)?/,
    why: 'a program (controller or webhook) does not have the type {kind}{type} in its scheme',
    try: 'add it to the scheme before its manager is made: AddToScheme; the cluster is not involved',
  },
  {
    id: 'version-not-served',
    fault: null,
    text: /^(?:[Ff]ailed to (?:watch|list) \*?\S+: )*[Ff]ailed to (?:list|watch) \*?(?<type>[\w./-]+(?:, Kind=\w+)?): the server could not find the requested resource/,
    why: 'a program lists {type}, which this cluster does not serve: the version is removed or not yet there, or a definition is missing',
    try: 'use a release of the program for this version of Kubernetes, or apply its definitions',
    command: ['kubectl', 'api-resources'],
  },
  {
    id: 'cache-not-synced',
    fault: null,
    isGeneral: true,
    text: /^(?:failed to wait for \S+ caches to sync|timed out waiting for cache to be synced|failed to get informer from cache)/,
    why: 'a controller cannot list what it watches; the text does not tell why: a missing definition, permissions, or a conversion webhook that fails',
    try: 'look for lines of the reflector (failed to list) in its log',
  },
];
