import { expect, it } from 'vitest';
import { jsonOfCbor } from '../../src/encoding/cbor/read-cbor.js';
import { cborOfJson } from '../../src/encoding/cbor/write-cbor.js';

/** Examples of RFC 8949, appendix A; strings are byte strings, as the API server writes them. */
it.each([
  ['0', '00'],
  ['23', '17'],
  ['24', '1818'],
  ['1000', '1903e8'],
  ['1000000', '1a000f4240'],
  ['1000000000000', '1b000000e8d4a51000'],
  ['-1', '20'],
  ['-1000', '3903e7'],
  ['1.5', 'f93e00'],
  ['-4.1', 'fbc010666666666666'],
  ['100000.5', 'fa47c35040'],
  ['0.00006103515625', 'f90400'],
  ['false', 'f4'],
  ['null', 'f6'],
  ['"a"', '4161'],
  ['[1,[2,3]]', '8201820203'],
  ['{"a":1,"b":[2]}', 'a24161014162' + '8102'],
])('writes %s, and reads it again', (json, hex) => {
  expect(Buffer.from(cborOfJson(json)).toString('hex')).toBe(`d9d9f7${hex}`);
  expect(JSON.parse(jsonOfCbor(Buffer.from(hex, 'hex')))).toEqual(JSON.parse(json));
});

it.each([
  ['texts in parts', '7f657374726561646d696e67ff', '"streaming"'],
  ['a list of indefinite length', '9f0102ff', '[1,2]'],
  ['a map of indefinite length', 'bf61610161629f0203ffff', '{"a":1,"b":[2,3]}'],
  ['bytes that are shown in base64', 'd643616263', '"YWJj"'],
  ['bytes that are shown in hexadecimal', 'd743616263', '"616263"'],
  ['an unknown tag', 'd8206161', '"a"'],
  ['a float16 below the normal ones', 'f90001', '5.960464477539063e-8'],
])('reads %s', (_, hex, json) => {
  expect(JSON.parse(jsonOfCbor(Buffer.from(hex, 'hex')))).toEqual(JSON.parse(json));
});

/** Errors of kube-apiserver v1.36.3. */
it.each([
  ['', 'EOF'],
  ['a1', 'unexpected EOF'],
  ['5bffffffffffffffff', 'unexpected EOF'],
  ['ff', 'cbor: unexpected "break" code'],
  ['a2616101616102', 'cbor: found duplicate map key "a" at map element index 1'],
  ['1b8000000000000000', "cbor: cannot unmarshal positive integer into Go value of type int64 (9223372036854775808 overflows Go's int64)"],
  ['f97e00', 'cbor: data item of cbor type primitives is not accepted by protocol: floating-point NaN'],
])('refuses %s', (hex, message) => {
  expect(() => jsonOfCbor(Buffer.from(hex, 'hex'))).toThrow(message);
});

it('refuses lists that are nested too deeply', () => {
  expect(() => jsonOfCbor(Buffer.alloc(20_000, 0x81))).toThrow('cbor: exceeded max nested level 1000');
});
