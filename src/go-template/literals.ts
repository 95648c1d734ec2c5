/** Returns the value of a number as int and as float64, as far as possible; undefined if it is not a number. Source: parse newNumber. */
export function numberValue(text: string): { readonly int: bigint | undefined; readonly float: number | undefined } | undefined {
  const plain = text.replace(/(?<=[0-9a-fA-FxXbBoO])_(?=[0-9a-fA-F])/g, '');
  const [, sign = '', digits = ''] = /^([+-]?)(.*)$/.exec(plain) ?? [];
  const int = /^(0[xX][0-9a-fA-F]+|0[bB][01]+|0[oO][0-7]+|0[0-7]*|[1-9]\d*)$/.test(digits)
    ? BigInt(/^0[0-7]+$/.test(digits) ? `0o${digits.slice(1)}` : digits)
    : undefined;
  if (int !== undefined) {
    const signed = sign === '-' ? -int : int;
    return signed >= -(1n << 63n) && signed < 1n << 63n ? { int: signed, float: Number(signed) } : undefined;
  }
  if (!/^(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/.test(digits)) return undefined;
  const float = Number(plain);
  if (!Number.isFinite(float)) return undefined;
  // A float without a fraction can also be an int.
  return { float, int: Number.isInteger(float) && Math.abs(float) < 2 ** 63 ? BigInt(float) : undefined };
}
