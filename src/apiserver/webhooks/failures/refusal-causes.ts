import type { FailureCause } from './cause.js';

/** Explanation of a whole message, when no call to a webhook failed. */
export interface RefusalCause extends Pick<FailureCause, 'id' | 'text' | 'why' | 'try'> {
  /** Null if the message does not show it. */
  readonly fault: FailureCause['fault'] | null;
}

/** Refusals by webhooks, by the API server and of invalid requests. The first match is used. */
export const refusalCauses: readonly RefusalCause[] = [
  {
    id: 'denied-by-error',
    fault: 'webhook',
    text: /^admission webhook "(?<webhook>[^"]*)" denied the request: (?<said>(?=.*(?:\bpanic\b|nil pointer|connection refused|i\/o timeout|context deadline exceeded|no such host|x509: |could not decode|failed to decode|cannot unmarshal|invalid JSON Document|[Ii]nternal (?:server )?error|is forbidden: User ")).+)/s,
    why: 'the webhook {webhook} denied the request because of an error of its own, not because of the object; this is its message',
    try: 'correct the webhook: its log shows the error (its connections, its permissions, what it decodes)',
  },
  {
    id: 'denied-after-lookup',
    fault: null,
    text: /^admission webhook "(?<webhook>[^"]*)" denied the request: (?<said>(?=.*(?:\b(?:[Ff]ailed|[Uu]nable) to (?:get|list|fetch|find|read|load|look ?up|retrieve|connect|resolve)\b|\b(?:cannot|could not|couldn't|can't) (?:get|list|fetch|find|read|load|look ?up|retrieve|connect|resolve)\b|\b(?:secret|configmap|serviceaccount|namespace|service|node|pod)s?(?:\.\S+)? "(?:\\.|[^"\\]|\\")+" not found)).+)/s,
    why: 'the webhook {webhook} denied the request because it could not read or find something; this is its message',
    try: 'check whether what the message names exists, and whether the webhook may read it; its log shows more',
  },
  {
    id: 'denied',
    fault: 'manifest',
    text: /^admission webhook "(?<webhook>[^"]*)" denied the request: (?<said>.+)/s,
    why: 'the webhook {webhook} denied the request; this is its message',
    try: 'change the manifest accordingly',
  },
  {
    id: 'denied-without-words',
    fault: 'webhook',
    text: /^admission webhook "(?<webhook>[^"]*)" denied the request/,
    why: 'the webhook {webhook} denied the request without a message (a missing response.allowed denies)',
    try: 'make it set response.allowed, and response.status.message if that is false',
  },
  {
    id: 'dry-run',
    fault: 'configuration',
    text: /^admission webhook "(?<webhook>[^"]*)" does not support dry run/,
    why: 'sideEffects of the webhook {webhook} is Some or Unknown, so it is not called for a dry run',
    try: 'set sideEffects: None or NoneOnDryRun, if that is correct',
  },
  {
    id: 'request-timeout',
    fault: null,
    text: /^(?:Timeout: )?request did not complete within (?:the allotted timeout|requested timeout)/,
    why: 'the request timed out in the API server, regardless of failurePolicy: mostly because webhooks together took too long, rarely because of a slow store',
    try: 'reduce timeoutSeconds: all webhooks of a call share 34 seconds',
  },
  {
    id: 'condition',
    fault: 'configuration',
    text: /^\S+ "(?<name>[^"]*)" is forbidden: \[?expression '(?<expression>.*?)' resulted in error: (?<error>.*)/s,
    why: 'a matchCondition of a webhook cannot be evaluated for this call: {error}',
    try: 'use has(...); object is null on DELETE; webhook-cli match --explain shows each condition',
  },
  {
    id: 'patched-namespace',
    fault: 'webhook',
    text: /^the namespace of the (?:provided )?object does not match the namespace (?:sent )?on the request/,
    why: 'the namespace of the object differs from that of the call: it is wrong in the manifest, or a webhook changed it',
    try: 'do not change metadata.namespace in patches; compare -n with the manifest',
  },
  {
    id: 'patched-version',
    fault: 'webhook',
    text: /^(?:\S*, Kind=\S+ is unstructured and is not suitable for converting to|request to convert CR (?:from|to) an invalid group\/version|converting \(\S+\) to \(\S+\): unknown conversion)/,
    why: 'a patch changed the kind or version of the object',
    try: 'do not change kind and apiVersion in patches',
  },
  {
    id: 'conversion-client',
    fault: 'configuration',
    text: /^(?:Internal error occurred: )?error resolving resource/,
    why: 'the conversion webhook of the definition cannot be called: its caBundle or address is unusable',
    try: 'check spec.conversion.webhook.clientConfig: webhook-cli certs verify',
  },
  {
    id: 'conversion-versions',
    fault: 'configuration',
    text: /^no supported conversion review versions/,
    why: 'conversionReviewVersions of the definition lists neither v1 nor v1beta1',
    try: 'set conversionReviewVersions: [v1]',
  },
  {
    id: 'conversion-no-object',
    fault: 'webhook',
    text: /^(?:Object 'Kind' is missing in |unexpected end of JSON input$|json: cannot unmarshal \S+ into Go value of type map\[string\]interface \{\}$)/,
    why: 'a conversion webhook got or returned something that is not an object with apiVersion and kind',
    try: 'return complete objects: webhook-cli convert shows the converted objects',
  },
  {
    id: 'conversion-without-fields',
    fault: 'webhook',
    text: /^failed to convert (?:old|new) object: /,
    why: 'managed fields need the object in other versions, but its conversion fails or adds fields that are not in the schema',
    try: 'make the conversion webhook write only fields that the target version declares: webhook-cli convert --round-trip',
  },
  {
    id: 'bad-call',
    fault: 'manifest',
    text: /^(?:invalid timeout specified in the request URL|pod \S+ does not have a host assigned)/,
    why: 'the API server cannot serve this call',
    try: 'correct the call; no webhook caused this',
  },
];
