import type { Cause } from './cause.js';

/** Causes for an invalid response of a conversion webhook. Source: apiextensions-apiserver conversion/webhook_converter.go. */
export const conversionCauses: readonly Cause[] = [
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
    why: 'the answer is no ConversionReview of the version that was sent, or has no response',
    try: 'write apiVersion and kind of the request into the answer, and the objects into response.convertedObjects',
  },
  {
    id: 'conversion-result',
    class: 'review',
    fault: 'webhook',
    text: /^response\.result\.status was '(?<status>[^']*)', not 'Success'/,
    why: 'response.result.status is {status}',
    try: 'write result: {"status": "Success"}; for a failure say why in result.message',
  },
  {
    id: 'conversion-count',
    class: 'review',
    fault: 'webhook',
    text: /^returned (?<got>\d+) objects, expected (?<wanted>\d+)/,
    why: 'the webhook got {wanted} objects and answered with {got}',
    try: 'answer with one object for each, in the same order',
  },
  {
    id: 'conversion-other-version',
    class: 'review',
    fault: 'webhook',
    text: /^returned invalid (?:converted )?object at index \d+: invalid (?<what>groupVersion|kind) \(expected (?<wanted>[^,]*), received (?<got>[^)]*)\)/,
    why: 'the converted object has another {what} than was asked for',
    try: 'set apiVersion to request.desiredAPIVersion ({wanted}), and leave kind as it is',
  },
  {
    id: 'conversion-identity',
    class: 'review',
    fault: 'webhook',
    text: /^returned invalid (?:converted )?object(?: at index \d+)?: must have the same (?<what>\w+)/,
    why: 'the converted object has lost or changed its {what}',
    try: 'copy metadata whole; only labels and annotations may change',
  },
  {
    id: 'conversion-metadata',
    class: 'review',
    fault: 'webhook',
    text: /^returned invalid (?:metadata|converted object|object)/,
    why: 'the converted object cannot be taken: its metadata or its form is wrong',
    try: 'copy metadata whole; labels and annotations must be maps of texts that Kubernetes accepts',
  },
];
