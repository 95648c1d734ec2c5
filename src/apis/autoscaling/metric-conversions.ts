import { rename } from '../../apiserver/objects/conversion-rules.js';
import { isAbsent } from '../../apiserver/objects/default-rules.js';
import { ensureMap, isMap, mapAt, type Value, type ValueMap } from '../../go/value.js';
import { isZeroQuantity } from '../../kubernetes/quantity.js';

/**
 * Converts metrics from the form of autoscaling/v1 to the internal one, which is that of v2, in place. Source: kubernetes
 * pkg/apis/autoscaling/v1/conversion.go.
 */
export function metricToInternal(metric: ValueMap): void {
  withPart(metric, 'object', source => {
    identify(source, 'selector');
    const target = source.get('target');
    source.delete('target');
    if (target !== undefined) source.set('describedObject', target);
    const value = takeQuantity(source, 'targetValue');
    const average = take(source, 'averageValue');
    // The old form cannot omit the value, so zero beside an average means absent.
    if (average === undefined) setTarget(source, 'Value', { value });
    else setTarget(source, 'AverageValue', { value: isZeroQuantity(value) ? undefined : value, averageValue: average });
  });
  withPart(metric, 'pods', source => {
    identify(source, 'selector');
    setTarget(source, 'AverageValue', { averageValue: takeQuantity(source, 'targetAverageValue') });
  });
  for (const part of ['resource', 'containerResource']) withPart(metric, part, resourceToInternal);
  withPart(metric, 'external', source => {
    identify(source, 'metricSelector');
    const value = take(source, 'targetValue');
    setTarget(source, value === undefined ? 'AverageValue' : 'Value', { value, averageValue: take(source, 'targetAverageValue') });
  });
}

/** Converts a metric back from the internal form. */
export function metricFromInternal(metric: ValueMap): void {
  withPart(metric, 'object', source => {
    const target = takeMap(source, 'target');
    copyInto(source, { targetValue: target.get('value'), averageValue: target.get('averageValue') });
    nameAgain(source, 'selector');
    rename(source, 'describedObject', 'target');
  });
  withPart(metric, 'pods', source => {
    copyInto(source, { targetAverageValue: takeMap(source, 'target').get('averageValue') });
    nameAgain(source, 'selector');
  });
  for (const part of ['resource', 'containerResource']) {
    withPart(metric, part, source => {
      const target = takeMap(source, 'target');
      copyInto(source, { targetAverageUtilization: target.get('averageUtilization'), targetAverageValue: target.get('averageValue') });
    });
  }
  withPart(metric, 'external', source => {
    const target = takeMap(source, 'target');
    copyInto(source, { targetValue: target.get('value'), targetAverageValue: target.get('averageValue') });
    nameAgain(source, 'metricSelector');
  });
}

/** Converts a metric's status to the internal form. */
export function statusToInternal(metric: ValueMap): void {
  withPart(metric, 'object', status => {
    identify(status, 'selector');
    rename(status, 'target', 'describedObject');
    setCurrent(status, { value: takeQuantity(status, 'currentValue'), averageValue: take(status, 'averageValue') });
  });
  withPart(metric, 'pods', status => {
    identify(status, 'selector');
    setCurrent(status, { averageValue: takeQuantity(status, 'currentAverageValue') });
  });
  for (const part of ['resource', 'containerResource']) {
    withPart(metric, part, status => {
      const averageUtilization = take(status, 'currentAverageUtilization');
      setCurrent(status, { averageValue: takeQuantity(status, 'currentAverageValue'), averageUtilization });
    });
  }
  withPart(metric, 'external', status => {
    identify(status, 'metricSelector');
    setCurrent(status, { value: takeQuantity(status, 'currentValue'), averageValue: take(status, 'currentAverageValue') });
  });
}

/** Converts a metric's status back from the internal form. */
export function statusFromInternal(metric: ValueMap): void {
  withPart(metric, 'object', status => {
    const current = takeMap(status, 'current');
    copyInto(status, { currentValue: current.get('value'), averageValue: current.get('averageValue') });
    nameAgain(status, 'selector');
    rename(status, 'describedObject', 'target');
  });
  withPart(metric, 'pods', status => {
    copyInto(status, { currentAverageValue: takeMap(status, 'current').get('averageValue') });
    nameAgain(status, 'selector');
  });
  for (const part of ['resource', 'containerResource']) {
    withPart(metric, part, status => {
      const current = takeMap(status, 'current');
      copyInto(status, { currentAverageUtilization: current.get('averageUtilization'), currentAverageValue: current.get('averageValue') });
    });
  }
  withPart(metric, 'external', status => {
    const current = takeMap(status, 'current');
    copyInto(status, { currentValue: current.get('value'), currentAverageValue: current.get('averageValue') });
    nameAgain(status, 'metricSelector');
  });
}

function withPart(metric: ValueMap, part: string, convert: (part: ValueMap) => void): void {
  const found = metric.get(part);
  if (isMap(found)) convert(found);
}

function resourceToInternal(source: ValueMap): void {
  const averageUtilization = take(source, 'targetAverageUtilization');
  const averageValue = take(source, 'targetAverageValue');
  setTarget(source, averageUtilization === undefined ? 'AverageValue' : 'Utilization', { averageValue, averageUtilization });
}

/** Moves name and selector of a metric to the newer form, which has them in one object. */
function identify(source: ValueMap, selectorField: string): void {
  const metric = ensureMap(source, 'metric');
  copyInto(metric, { name: take(source, 'metricName'), selector: take(source, selectorField) });
}

function nameAgain(source: ValueMap, selectorField: string): void {
  const metric = takeMap(source, 'metric');
  copyInto(source, { metricName: metric.get('name'), [selectorField]: metric.get('selector') });
}

function setTarget(source: ValueMap, type: string, values: Readonly<Record<string, Value | undefined>>): void {
  source.set('target', new Map([['type', type]]));
  copyInto(ensureMap(source, 'target'), values);
}

function setCurrent(status: ValueMap, values: Readonly<Record<string, Value | undefined>>): void {
  copyInto(ensureMap(status, 'current'), values);
}

function copyInto(map: ValueMap, values: Readonly<Record<string, Value | undefined>>): void {
  for (const [key, value] of Object.entries(values)) if (value !== undefined && value !== null) map.set(key, value);
}

function take(map: ValueMap, key: string): Value | undefined {
  const value = isAbsent(map, key) ? undefined : map.get(key);
  map.delete(key);
  return value;
}

function takeQuantity(map: ValueMap, key: string): string {
  const value = take(map, key);
  return typeof value === 'string' ? value : '0';
}

function takeMap(map: ValueMap, key: string): ValueMap {
  const value = mapAt(map, key);
  map.delete(key);
  return value ?? new Map();
}
