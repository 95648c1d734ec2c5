import { describe, expect, it } from 'vitest';
import { formatIP, parseIP } from '../../src/go/net/ip.js';
import { parseAddress } from '../../src/go/netip/address.js';

describe('an IP address', () => {
  it.each([
    ['127.0.0.1', '127.0.0.1'],
    ['::1', '::1'],
    ['0:0:0:0:0:0:0:1', '::1'],
    ['2001:DB8::a:0:0:0:b', '2001:db8:0:a::b'],
    ['::ffff:1.2.3.4', '1.2.3.4'],
    ['1:2:3:4:5:6:1.2.3.4', '1:2:3:4:5:6:102:304'],
    ['01.2.3.4', undefined],
    ['1.2.3', undefined],
    ['1.2.3.256', undefined],
    ['::1%eth0', undefined],
    ['[::1]', undefined],
    ['1::2::3', undefined],
    ['1:2:3:4:5:6:7:8:9', undefined],
    ['12345::', undefined],
    ['', undefined],
  ])('%s is %s', (text, expected) => {
    const octets = parseIP(text);
    expect(octets === undefined ? undefined : formatIP(octets)).toBe(expected);
  });

  it.each([
    ['1.2.3', 'ParseAddr("1.2.3"): IPv4 address too short'],
    ['::1::', 'ParseAddr("::1::"): multiple :: in address (at ":")'],
    ['1:2', 'ParseAddr("1:2"): address string too short'],
    ['host', 'ParseAddr("host"): unable to parse IP'],
  ])('rejects %s with the message of Go', (text, error) => {
    expect(() => parseAddress(text)).toThrow(error);
  });
});
