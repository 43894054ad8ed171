import {
  type ErrorCode,
  errorCatalogue,
  type OperationOutline,
} from '@liquidity-os/contract/outline'
import { Failure } from '../failure.ts'
import { limits } from '../limits.ts'

const invalidInput = '_INVALID_INPUT'

/**
 * Maps errors to the codes of a public operation that defines its own set, including transport
 * errors. An unreadable or oversized request becomes INVALID_INPUT, an unavailable store
 * UNAVAILABLE.
 *
 * @returns null for an operation without such codes
 */
export function retoldOf({
  errors,
  bodyLimitBytes = limits.bodyBytes,
}: OperationOutline): ((failure: Failure) => Failure) | null {
  const own = errors?.find((code) => code.endsWith(invalidInput))
  if (own === undefined) return null
  const prefix = own.slice(0, -invalidInput.length)
  return (failure) => {
    if (failure.code.startsWith('PUBLIC_')) return failure
    const { status, detail } = failure
    const { fieldErrors, retryAfterSeconds } = detail
    if (status === 413) {
      const fieldErrors = { body: [`must have at most ${bodyLimitBytes} bytes`] }
      return new Failure(own, { status, fieldErrors, cause: failure })
    }
    if (status === 400 || status === 415) {
      return new Failure(own, { ...(fieldErrors ? { fieldErrors } : {}), cause: failure })
    }
    const kind = status === 429 ? 'BUSY' : status === 503 ? 'UNAVAILABLE' : null
    if (kind === null) return failure
    const code = `${prefix}_${kind}`
    if (!(code in errorCatalogue)) throw new Error(`The error catalog has no ${code}.`)
    const wait = retryAfterSeconds === undefined ? {} : { retryAfterSeconds }
    return new Failure(code as ErrorCode, { ...wait, cause: failure })
  }
}
