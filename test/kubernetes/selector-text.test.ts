import { expect, test } from 'vitest';
import { parseSelectorText, selectorText } from '../../src/kubernetes/selector-text.js';
import { server } from '../support/server.js';

test.each([
  ['', ''],
  [' a = 1 ,b', 'a=1,b'],
  ['b in (y,x,x),!a', '!a,b in (x,y)'],
  ['in in (in),notin', 'in in (in),notin'],
  ['a in (,),b notin ()', 'a in (),b notin ()'],
  ['a=,b!=', 'a=,b!='],
  ['a==1,b>5,c<1', 'a==1,b>5,c<1'],
])('reads %j as %j', (text, again) => {
  expect(selectorText(parseSelectorText(server, text))).toBe(again);
});

test.each([
  ['a b', "unable to parse requirement: found 'b', expected: in, notin, =, ==, !=, gt, lt"],
  ['a,', "found '', expected: identifier after ','"],
  ['!a=1', "found '=', expected: ',' or 'end of string'"],
  ['a in 1', "unable to parse requirement: found '1' expected: '('"],
  ['a in (1 2)', "unable to parse requirement: found '2', expected: ',' or ')'"],
  ['=', "found '=', expected: !, identifier, or 'end of string'"],
  ['/y=1', 'unable to parse requirement: <nil>: Invalid value: "/y": prefix part must be non-empty'],
  ['a>x', `unable to parse requirement: values[0]: Invalid value: "x": for 'Gt', 'Lt' operators, the value must be an integer`],
])('rejects %j: %s', (text, message) => {
  expect(() => parseSelectorText(server, text)).toThrow(expect.objectContaining({ name: 'SelectorTextError', message }));
});
