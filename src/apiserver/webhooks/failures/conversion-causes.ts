import type { FailureCause } from './cause.js';

/** Causes for an invalid response of a conversion webhook. Source: apiextensions-apiserver conversion/webhook_converter.go. */
export const conversionCauses: readonly FailureCause[] = [
  {
    id: 'conversion-uid',
    class: 'review',
    fault: 'webhook',
    text: /^expected response\.uid="/,
    why: 'response.uid is not the uid of the request',
    try: 'copy request.uid into response.uid',
  },
  {
    id: 'conversion-other-review',
    class: 'review',
    fault: 'webhook',
    text: /^(?:expected webhook response of (?<wanted>.*), got (?<got>.*)|no response provided)/,
    why: 'the response is not a ConversionReview in the version that was sent, or lacks the field response',
    try: 'copy apiVersion and kind of the request into the response, and put the objects into response.convertedObjects',
  },
  {
    id: 'conversion-result',
    class: 'review',
    fault: 'webhook',
    text: /^response\.result\.status was '(?<status>[^']*)', not 'Success'/,
    why: 'response.result.status is {status}',
    try: 'set result: {"status": "Success"}; for a failure, set result.message',
  },
  {
    id: 'conversion-count',
    class: 'review',
    fault: 'webhook',
    text: /^returned (?<got>\d+) objects, expected (?<wanted>\d+)/,
    why: 'the webhook got {wanted} objects and returned {got}',
    try: 'return one object for each, in the same order',
  },
  {
    id: 'conversion-other-version',
    class: 'review',
    fault: 'webhook',
    text: /^returned invalid (?:converted )?object at index \d+: invalid (?<what>groupVersion|kind) \(expected (?<wanted>[^,]*), received (?<got>[^)]*)\)/,
    why: 'the converted object has a different {what} than requested',
    try: 'set apiVersion to request.desiredAPIVersion ({wanted}), and do not change kind',
  },
  {
    id: 'conversion-identity',
    class: 'review',
    fault: 'webhook',
    text: /^returned invalid (?:converted )?object(?: at index \d+)?: must have the same (?<what>\w+)/,
    why: 'the converted object has lost or changed {what}',
    try: 'copy all metadata; only labels and annotations may change',
  },
  {
    id: 'conversion-input-metadata',
    class: 'review',
    fault: 'manifest',
    text: /^returned invalid metadata: invalid metadata of type (?<type>\S+) in input object/,
    why: 'the object that was to be converted has no metadata: server-side apply converts parts of it, as managed fields list them',
    try: 'apply with all of metadata, or remove managed fields of versions that are not used any more; the webhook did not cause this',
  },
  {
    id: 'conversion-metadata',
    class: 'review',
    fault: 'webhook',
    text: /^returned invalid (?:metadata|converted object|object)/,
    why: 'the converted object is rejected: its metadata or its form is invalid',
    try: 'copy all metadata; labels and annotations must be maps of strings that Kubernetes accepts',
  },
];
