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
    why: 'the answer is larger than {limit} bytes, which is a limit of webhook-cli: the API server would read on',
    try: 'answer with a review, not with data',
  },
  {
    id: 'answer-broke-off',
    class: 'body',
    fault: 'webhook',
    text: /^unexpected error when reading response body\. Please retry\. Original error: (?:unexpected EOF|http: unexpected EOF reading trailer|read tcp .*|stream error: .*)/,
    why: 'the answer broke off before its end',
    try: 'send as many bytes as Content-Length says, and end a chunked body with its last chunk; look for crashes in the log of the webhook',
  },
  {
    id: 'answer-unreadable',
    class: 'body',
    fault: 'webhook',
    text: /^(?:unexpected error|stream error) when reading response body/,
    why: 'the body of the answer is not encoded as its header says',
    try: 'check Content-Encoding and Transfer-Encoding of the answer, and what stands between webhook and API server',
  },
  {
    id: 'switching-protocols',
    class: 'http',
    fault: 'webhook',
    text: /^0-length response with status code: 101/,
    why: 'the webhook answered 101: it wants to go on in another protocol',
    try: 'answer 200 with an AdmissionReview',
  },
  {
    id: 'answer-empty',
    class: 'body',
    fault: 'webhook',
    text: /^(?:0-length response with status code: (?<code>\d+)|empty body$)/,
    why: 'the webhook answered with success and no body',
    try: 'write the AdmissionReview into the body',
  },
  {
    id: 'content-type',
    class: 'body',
    fault: 'webhook',
    text: /^Internal error occurred: mime: /,
    why: 'the Content-Type of the answer cannot be read',
    try: 'answer with Content-Type: application/json',
  },
  {
    id: 'answer-no-json',
    class: 'body',
    fault: 'webhook',
    text: /^(?:couldn't get version\/kind; json parse error: |yaml: |unsupported map key of type)/,
    stages: ['answer'],
    needsContext: true,
    why: 'the body of the answer is no JSON object: an HTML page, a plain text or broken JSON',
    try: 'answer the JSON of an AdmissionReview of the version that was sent',
  },
  {
    id: 'other-kind',
    class: 'body',
    fault: 'webhook',
    text: /^(?:converting \((?<got>[^)]*)\) to \((?<wanted>[^)]*)\): unknown conversion|no kind "(?<kind>[^"]*)" is registered|unexpected GroupVersion string: )/,
    stages: ['answer'],
    needsContext: true,
    why: 'the answer is of another kind or version than the review that was sent',
    try: 'answer with the apiVersion and kind of the request: AdmissionReview of admission.k8s.io/v1, or v1beta1 when asked in it',
  },
  {
    id: 'patch-encoding',
    class: 'body',
    fault: 'webhook',
    text: /^(?:illegal base64 data at input byte (?<byte>\d+)|json: cannot unmarshal (?<found>\S+)(?: \S+)? into Go struct field AdmissionResponse\.response\.patch of type)/,
    stages: ['answer'],
    why: 'response.patch is no base64 text',
    try: 'encode the whole JSON Patch as standard base64, once',
  },
  {
    id: 'wrong-type',
    class: 'body',
    fault: 'webhook',
    text: /^json: cannot unmarshal (?<found>\S+)(?: \S+)? into Go struct field (?<field>\S+) of type (?<type>.*)/,
    stages: ['answer'],
    needsContext: true,
    why: 'in the answer {field} is {found}, and must be {type}',
    try: 'correct the type of that field in the answer',
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
    why: 'the answer calls itself {got}, and must be {wanted}',
    try: 'write apiVersion and kind of the request into the answer',
  },
  {
    id: 'no-response',
    class: 'review',
    fault: 'webhook',
    text: /^webhook response was absent/,
    why: 'the answer has no response',
    try: 'put uid and allowed into response, beside apiVersion and kind',
  },
  {
    id: 'patch-from-validating',
    class: 'review',
    fault: 'webhook',
    text: /^validating webhook may not return response\.(?<field>\w+)/,
    why: 'a validating webhook may only say yes or no, and this one sent {field}',
    try: 'register it as mutating, or leave patch and patchType out',
  },
  {
    id: 'patch-type-missing',
    class: 'review',
    fault: 'webhook',
    text: /^webhook returned (?:response\.patch but not response\.patchType|response\.patchType but not response\.patch|invalid response\.patchType)/,
    why: 'patch and patchType do not go together',
    try: 'send both or neither; patchType is JSONPatch',
  },
];
