import { durationMs } from '../../../client/options/duration.js';
import type { ValueType } from '../../../client/options/value-type.js';
import type { Latency, Outage } from '../../../replay/outages.js';

const schema = { type: 'string' } as const;

/** `--sample 10%`: a share from 0 to 1. */
export const sampleValue: ValueType<number> = {
  parse: text => {
    const percent = Number(/^(\d+(?:\.\d+)?)%$/.exec(text)?.[1]);
    return percent > 0 && percent <= 100 ? percent / 100 : undefined;
  },
  expected: 'a percentage such as 10%',
  schema,
};

/** `--rate 200/s`: reviews a second. */
export const rateValue: ValueType<number> = {
  parse: text => {
    const [, count, unit] = /^(\d+(?:\.\d+)?)(?:\/(s|m))?$/.exec(text) ?? [];
    const perSecond = Number(count) / (unit === 'm' ? 60 : 1);
    return perSecond > 0 && perSecond <= 100_000 ? perSecond : undefined;
  },
  expected: 'a rate such as 200/s',
  schema,
};

/** `--outage WEBHOOK[@FROM..TO]` */
export const outageValue: ValueType<Outage> = {
  parse: text => {
    const [, webhook = '', from, to] = /^([^@]+)(?:@(.*)\.\.(.*))?$/.exec(text) ?? [];
    const time = (given: string | undefined): number | undefined => (given === undefined || given === '' ? undefined : Date.parse(given));
    const [fromMs, toMs] = [time(from), time(to)];
    return webhook === '' || Number.isNaN(fromMs) || Number.isNaN(toMs) ? undefined : { webhook, fromMs, toMs };
  },
  expected: 'WEBHOOK or WEBHOOK@FROM..TO, with times such as 2026-01-02T15:04:05Z',
  schema,
};

/** `--latency WEBHOOK=500ms` */
export const latencyValue: ValueType<Latency> = {
  parse: text => {
    const [, webhook = '', duration = ''] = /^(.+)=(.+)$/.exec(text) ?? [];
    const ms = durationMs(duration);
    return webhook === '' || ms === undefined ? undefined : { webhook, ms };
  },
  expected: 'WEBHOOK=500ms',
  schema,
};
