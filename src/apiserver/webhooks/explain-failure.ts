import type { FailureClass } from '../../kubernetes/webhook-call.js';

interface Explanation {
  readonly why: string;
  readonly try: string;
}

/** Texts that say more than their class does. The first that is found in the message counts. */
const known: readonly (readonly [RegExp, Explanation])[] = [
  [
    /unknown authority/,
    {
      why: 'the caBundle does not hold the authority that signed the serving certificate',
      try: 'put the right CA in: webhook-cli certs inject, then webhook-cli certs verify',
    },
  ],
  [
    /certificate is (not )?valid for|doesn't contain any IP SANs|not valid for any names|relies on legacy Common Name/,
    {
      why: 'the serving certificate does not name the host that is called',
      try: 'make one that does: webhook-cli certs create --service NS/NAME (or --dns, --ip)',
    },
  ],
  [/has expired or is not yet valid/, { why: "the certificate's time is over or has not come", try: 'renew it: webhook-cli certs create' }],
  [
    /HTTP response to HTTPS client/,
    { why: 'the server speaks plain HTTP on this port', try: 'serve HTTPS: the API server calls webhooks over TLS only' },
  ],
  [/connection refused/, { why: 'nothing listens at this address', try: 'start the webhook, or check the port' }],
  [
    /service ".*" not found/,
    { why: 'the state holds no such service', try: 'say where it is listening: --service NS/NAME=https://localhost:8443' },
  ],
  [
    /unable to load root certificates/,
    { why: 'the caBundle is no PEM certificate', try: 'write a PEM bundle into it: webhook-cli certs inject' },
  ],
];

const byClass = {
  dns: { why: 'the host name of the webhook cannot be resolved', try: 'check the name, or say where it is: --resolve HOST:PORT:ADDRESS' },
  tcp: { why: 'the connection to the webhook could not be made or broke', try: 'check that the webhook is running and reachable' },
  tls: { why: 'the TLS handshake with the webhook failed', try: 'look at its certificate: webhook-cli certs inspect HOST:PORT' },
  http: {
    why: 'the webhook answered with an HTTP status that is no success; its body is not read as a review then',
    try: 'answer 200 and put the decision into response.allowed and response.status',
  },
  time: { why: 'the webhook did not answer in time', try: 'make it faster, or raise timeoutSeconds (30 at most)' },
  body: { why: 'the answer is no AdmissionReview', try: 'answer the JSON of an AdmissionReview of the version that was sent' },
  review: {
    why: 'the answer breaks a rule of AdmissionReview',
    try: 'echo request.uid, apiVersion and kind; send patch and patchType together',
  },
  patch: {
    why: 'the patch cannot be used',
    try: 'send a JSON Patch (RFC 6902), base64-encoded, that applies to the object as it was sent',
  },
  limit: { why: 'the answer is larger than any webhook answer should be', try: 'answer with a review, not with data' },
} satisfies Record<FailureClass, Explanation>;

/** Why a call failed, and what its author can do about it. */
export function explainFailure(failureClass: FailureClass, message: string): Explanation {
  return known.find(([pattern]) => pattern.test(message))?.[1] ?? byClass[failureClass];
}
