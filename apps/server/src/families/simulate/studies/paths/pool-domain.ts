import { PoolRevertError } from '@liquidity-os/engine/amm'

const prefix = 'a path leads to a state in which '

/**
 * Runs paths in a thread.
 *
 * @throws RangeError if a path leads to a state that the pool cannot compute, such as a StableSwap
 * pool with almost none of one coin. Custom error classes do not survive the thread boundary.
 */
export function runInPoolDomain<Result>(run: () => Result): Result {
  try {
    return run()
  } catch (error) {
    if (!(error instanceof PoolRevertError)) throw error
    throw new RangeError(`${prefix}${error.message}`)
  }
}

/** True if the pool rejected a trade or a state, false if the price model exceeds the range of prices. */
export function isPoolRevert(error: RangeError): boolean {
  return error.message.startsWith(prefix)
}
