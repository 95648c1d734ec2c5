import type { Cause } from './cause.js';

/** Causes for an unusable configuration: nothing was sent. Source: apiserver util/webhook/client.go, webhook/request/admissionreview.go. */
export const clientCauses: readonly Cause[] = [
  {
    id: 'unusable-bundle',
    class: 'tls',
    fault: 'configuration',
    text: /^unable to load root certificates: /,
    why: 'the caBundle is not a PEM certificate',
    try: 'inject a PEM bundle: webhook-cli certs inject',
  },
  {
    id: 'unusable-url',
    class: 'tls',
    fault: 'configuration',
    text: /^(?:Unparsable URL: |failed calling webhook "[^"]*": Unparsable URL: |failed calling webhook "[^"]*": webhook configuration must have either service or URL)/,
    why: 'the configuration has no usable address',
    try: 'set url to https://HOST[:PORT]/PATH, or set a service',
  },
  {
    id: 'unknown-review-versions',
    class: 'review',
    fault: 'configuration',
    text: /^could not create admission objects: webhook does not accept known AdmissionReview versions/,
    why: 'admissionReviewVersions lists neither v1 nor v1beta1',
    try: 'set admissionReviewVersions: [v1]',
  },
  {
    id: 'side-effects-unknown',
    class: 'review',
    fault: 'configuration',
    text: /^Webhook SideEffects is nil/,
    why: 'sideEffects is not set, and a dry run does not call webhooks that may have side effects',
    try: 'set sideEffects: None, if it has none',
  },
];
