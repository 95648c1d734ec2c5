import { exactDecimal, fixedPoint, roundedTo } from '../go/exact-decimal.js';

/** A double with so many digits behind the point, as the message printer of Go's x/text writes it for en_US: `1,234.50`, `∞`. */
export function localizedFixed(value: number, precision: number): string {
  if (!Number.isFinite(value)) return special(value);
  const { whole, fraction } = fixedPoint(value, precision);
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ',');
  return (value < 0 ? '-' : '') + (fraction === '' ? grouped : `${grouped}.${fraction}`);
}

/**
 * A double with an exponent: `1.234568×10⁰⁴`. cel-go passes the precision as a width, so there are always six digits behind the point
 * and spaces in front of a text that is shorter.
 */
export function localizedScientific(value: number, width: number): string {
  if (!Number.isFinite(value)) return special(value).padStart(width);
  const { digits, point } = roundedTo(exactDecimal(value), 7);
  const padded = digits.padEnd(7, '0');
  const exponent = digits === '' ? 0 : point - 1;
  const power = String(Math.abs(exponent)).padStart(2, '0');
  const raised = (exponent < 0 ? '⁻' : '') + Array.from(power, digit => superscripts[Number(digit)]).join('');
  return `${value < 0 ? '-' : ''}${padded[0]}.${padded.slice(1, 7)}×10${raised}`.padStart(width);
}

const superscripts = '⁰¹²³⁴⁵⁶⁷⁸⁹';

function special(value: number): string {
  return Number.isNaN(value) ? 'NaN' : value > 0 ? '∞' : '-∞';
}
