/** Go panics where this is thrown; the message is the panic's. While an expression is evaluated it becomes an error, while it is compiled it ends the request. */
export class GoPanic extends Error {
  override readonly name = 'GoPanic';
}
