import { type ConversionRules, renamed } from '../../apiserver/objects/conversion-rules.js';

const eventFields = {
  regarding: 'involvedObject',
  note: 'message',
  deprecatedSource: 'source',
  deprecatedFirstTimestamp: 'firstTimestamp',
  deprecatedLastTimestamp: 'lastTimestamp',
  deprecatedCount: 'count',
  reportingController: 'reportingComponent',
};

/** Source: kubernetes pkg/apis/events conversions. */
export const eventsConversions: ConversionRules = {
  'events/v1.Event': renamed(eventFields),
  'events/v1beta1.Event': renamed(eventFields),
};
