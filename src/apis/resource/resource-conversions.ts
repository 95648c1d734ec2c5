import type { ConversionRules } from '../../apiserver/objects/conversion-rules.js';
import { isAbsent } from '../../apiserver/objects/default-rules.js';
import { isMap, type ValueMap } from '../../go/value.js';

/**
 * In the first beta, requests and devices contained the fields of what later became separate parts. Source: kubernetes
 * pkg/apis/resource/v1beta1/conversion.go.
 */
export const resourceConversions: ConversionRules = {
  'resource/v1beta1.DeviceRequest': { toInternal: requestToInternal, fromInternal: requestFromInternal },
  'resource/v1beta1.Device': { toInternal: deviceToInternal, fromInternal: deviceFromInternal },
};

const exactFields = ['deviceClassName', 'selectors', 'allocationMode', 'count', 'adminAccess', 'tolerations', 'capacity'];

function requestToInternal(request: ValueMap): void {
  const exactly: ValueMap = new Map();
  move(request, exactly, exactFields);
  if (exactly.size > 0) request.set('exactly', exactly);
}

function requestFromInternal(request: ValueMap): void {
  const exactly = request.get('exactly');
  request.delete('exactly');
  if (isMap(exactly)) move(exactly, request, exactFields);
}

function deviceToInternal(device: ValueMap): void {
  const basic = device.get('basic');
  device.delete('basic');
  if (isMap(basic)) move(basic, device, [...basic.keys()]);
}

/** Converts a device; every device of that version is a basic one. */
function deviceFromInternal(device: ValueMap): void {
  const basic: ValueMap = new Map();
  move(
    device,
    basic,
    [...device.keys()].filter(key => key !== 'name'),
  );
  device.set('basic', basic);
}

function move(from: ValueMap, to: ValueMap, keys: readonly string[]): void {
  for (const key of keys) {
    const value = from.get(key);
    if (value !== undefined && !isAbsent(from, key)) to.set(key, value);
    from.delete(key);
  }
}
