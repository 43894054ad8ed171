import type { ErrorCode } from '@liquidity-os/contract'
import { Failure } from '../../../failure.ts'
import { limits } from '../../../limits.ts'
import { secondMilliseconds } from '../../../units.ts'
import { ReadingError } from './reading/public-reader.ts'

type Prefix = 'PUBLIC_PROJECT' | 'PUBLIC_INVESTIGATION'

/** Maps a reading error to an operation error code. Provider messages stay private. */
export function publicFailure(error: unknown, prefix: Prefix): unknown {
  if (!(error instanceof ReadingError)) return error
  const code: ErrorCode = `${prefix}_${error.fault}`
  const retryAfterSeconds = limits.publicUpstreamWaitMilliseconds / secondMilliseconds
  return new Failure(code, { cause: error, retryAfterSeconds })
}
