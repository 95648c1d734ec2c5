import type { Cause } from './cause.js';

/**
 * Causes for a response with status 200 to 206 whose body is not a review. Source: client-go rest/request.go, apimachinery
 * runtime/serializer.
 */
export const answerCauses: readonly Cause[] = [
  {
    id: 'answer-too-large',
    class: 'limit',
    fault: 'webhook',
    text: /^(?:unexpected error when reading response body\. Please retry\. Original error: )?(?:compressed )?response body (?:is larger|unpacks to more) than (?<limit>\d+) bytes/,
    why: 'the response is larger than {limit} bytes, which is a limit of webhook-cli: the API server would continue to read',
    try: 'send only an AdmissionReview',
  },
  {
    id: 'answer-broke-off',
    class: 'body',
    fault: 'webhook',
    text: /^unexpected error when reading response body\. Please retry\. Original error: (?:unexpected EOF|http: unexpected EOF reading trailer|read tcp .*|stream error: .*)/,
    why: 'the response ended prematurely',
    try: "send as many bytes as Content-Length specifies, and end a chunked body with its last chunk; check the webhook's log for crashes",
  },
  {
    id: 'answer-unreadable',
    class: 'body',
    fault: 'webhook',
    text: /^(?:unexpected error|stream error) when reading response body/,
    why: 'the encoding of the response body does not match its headers',
    try: 'check Content-Encoding and Transfer-Encoding of the response, and proxies between webhook and API server',
  },
  {
    id: 'switching-protocols',
    class: 'http',
    fault: 'webhook',
    text: /^0-length response with status code: 101/,
    why: 'the webhook responded with 101: it tries to switch to another protocol',
    try: 'respond with 200 and an AdmissionReview',
  },
  {
    id: 'answer-empty',
    class: 'body',
    fault: 'webhook',
    text: /^(?:0-length response with status code: (?<code>\d+)|empty body$)/,
    why: 'the webhook responded with success but without a body',
    try: 'write the AdmissionReview into the body',
  },
  {
    id: 'content-type',
    class: 'body',
    fault: 'webhook',
    text: /^Internal error occurred: mime: /,
    why: 'the Content-Type of the response is invalid',
    try: 'respond with Content-Type: application/json',
  },
  {
    id: 'answer-no-json',
    class: 'body',
    fault: 'webhook',
    text: /^(?:couldn't get version\/kind; json parse error: |yaml: |unsupported map key of type)/,
    stages: ['answer'],
    needsContext: true,
    why: 'the response body is not a JSON object, but for example HTML, plain text or invalid JSON',
    try: 'respond with the JSON of an AdmissionReview in the version that was sent',
  },
  {
    id: 'other-kind',
    class: 'body',
    fault: 'webhook',
    text: /^(?:converting \((?<got>[^)]*)\) to \((?<wanted>[^)]*)\): unknown conversion|no kind "(?<kind>[^"]*)" is registered|unexpected GroupVersion string: )/,
    stages: ['answer'],
    needsContext: true,
    why: 'the response has a different kind or version than the review that was sent',
    try: 'respond with the apiVersion and kind of the request: AdmissionReview of admission.k8s.io/v1, or v1beta1 if that was sent',
  },
  {
    id: 'patch-encoding',
    class: 'body',
    fault: 'webhook',
    text: /^(?:illegal base64 data at input byte (?<byte>\d+)|json: cannot unmarshal (?<found>\S+)(?: \S+)? into Go struct field AdmissionResponse\.response\.patch of type)/,
    stages: ['answer'],
    why: 'response.patch is not valid base64',
    try: 'encode the whole JSON Patch as standard base64, once',
  },
  {
    id: 'wrong-type',
    class: 'body',
    fault: 'webhook',
    text: /^json: cannot unmarshal (?<found>\S+)(?: \S+)? into Go struct field (?<field>\S+) of type (?<type>.*)/,
    stages: ['answer'],
    needsContext: true,
    why: 'in the response, {field} is {found}, but must be {type}',
    try: 'correct the type of that field in the response',
  },
];

/** Causes for a review that is readable and violates a rule. Source: apiserver webhook/request/admissionreview.go. */
export const reviewCauses: readonly Cause[] = [
  {
    id: 'other-uid',
    class: 'review',
    fault: 'webhook',
    text: /^expected response\.uid="/,
    why: 'response.uid is not the uid of the request',
    try: 'copy request.uid into response.uid',
  },
  {
    id: 'other-review',
    class: 'review',
    fault: 'webhook',
    text: /^expected webhook response of (?<wanted>.*), got (?<got>.*)/,
    why: 'the response is of type {got}, but must be {wanted}',
    try: 'copy apiVersion and kind of the request into the response',
  },
  {
    id: 'no-response',
    class: 'review',
    fault: 'webhook',
    text: /^webhook response was absent/,
    why: 'the AdmissionReview has no response',
    try: 'add response with uid and allowed, next to apiVersion and kind',
  },
  {
    id: 'patch-from-validating',
    class: 'review',
    fault: 'webhook',
    text: /^validating webhook may not return response\.(?<field>\w+)/,
    why: 'a validating webhook may only allow or deny, but this one sent {field}',
    try: 'register it as mutating, or remove patch and patchType',
  },
  {
    id: 'patch-type-missing',
    class: 'review',
    fault: 'webhook',
    text: /^webhook returned (?:response\.patch but not response\.patchType|response\.patchType but not response\.patch|invalid response\.patchType)/,
    why: 'patch and patchType must be set together',
    try: 'send both or neither; patchType is JSONPatch',
  },
];
