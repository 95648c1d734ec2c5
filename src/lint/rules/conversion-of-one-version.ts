import { listAt, stringAt } from '../../go/value.js';
import type { LintRule } from '../rule.js';

/** A conversion webhook has nothing to convert. */
export const conversionOfOneVersion: LintRule = {
  id: 'conversion-of-one-version',
  severity: 'info',
  reason: 'a CRD with one version never needs its conversion webhook, but is rejected while its caBundle is invalid',
  fix: 'remove spec.conversion until there is a second version',
  check: ({ definitions }) =>
    definitions
      .filter(({ place: { object } }) => stringAt(object, 'spec', 'conversion', 'strategy') === 'Webhook')
      .filter(({ place: { object } }) => listAt(object, 'spec', 'versions').length === 1)
      .map(about => ({
        about,
        at: '/spec/conversion/strategy',
        message: 'the conversion strategy is Webhook, but there is only one version',
      })),
};
