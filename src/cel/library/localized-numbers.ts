import { exactDecimal, fixedPoint, roundedTo } from '../../go/exact-decimal.js';
import { formatFloat } from '../../go/float.js';

/**
 * A double with a number of decimals, as the message printer of Go's x/text formats it for en_US: `1,234.50`, `∞`. There the maximum number
 * of digits is an int16 and the minimum a uint8: a precision above 255 gives fewer zeros, one above 32767 the shortest digits.
 */
export function localizedFixed(value: number, precision: number): string {
  if (!Number.isFinite(value)) return special(value);
  const max = Number(BigInt.asIntN(16, BigInt(precision)));
  const fewest = Number(BigInt.asUintN(8, BigInt(precision)));
  const { whole, fraction } = max < 0 ? shortest(value) : fixedPoint(value, max);
  const digits = fraction.replace(/0+$/, '').padEnd(fewest, '0');
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ',');
  return (value < 0 ? '-' : '') + (digits === '' ? grouped : `${grouped}.${digits}`);
}

/**
 * A double with an exponent: `1.234568×10⁰⁴`. cel-go passes the precision as a width, so there are always six decimals, and leading spaces
 * when the text is shorter than the width, of which 16 bits are used.
 */
export function localizedScientific(value: number, precision: number): string {
  const width = Number(BigInt.asUintN(16, BigInt(precision)));
  if (!Number.isFinite(value)) return special(value).padStart(width);
  const { digits, point } = roundedTo(exactDecimal(value), 7);
  const padded = digits.padEnd(7, '0');
  const exponent = digits === '' ? 0 : point - 1;
  const power = String(Math.abs(exponent)).padStart(2, '0');
  const raised = (exponent < 0 ? '⁻' : '') + Array.from(power, digit => superscripts[Number(digit)]).join('');
  return `${value < 0 ? '-' : ''}${padded[0]}.${padded.slice(1, 7)}×10${raised}`.padStart(width);
}

function shortest(value: number): { readonly whole: string; readonly fraction: string } {
  const [whole = '', fraction = ''] = formatFloat(Math.abs(value), 'f').split('.');
  return { whole, fraction };
}

const superscripts = '⁰¹²³⁴⁵⁶⁷⁸⁹';

function special(value: number): string {
  return Number.isNaN(value) ? 'NaN' : value > 0 ? '∞' : '-∞';
}
