import type { ErrorCode } from '@liquidity-os/contract'
import { Failure } from '../../../failure.ts'
import { limits } from '../../../limits.ts'
import { secondMilliseconds } from '../../../units.ts'
import { ReadingError } from './reading/public-reader.ts'

type Prefix = 'PUBLIC_PROJECT' | 'PUBLIC_INVESTIGATION'

/** Why a reading has no answer, under the codes of an operation; nothing of what providers said. */
export function publicFailure(error: unknown, prefix: Prefix): unknown {
  if (!(error instanceof ReadingError)) return error
  const code: ErrorCode = `${prefix}_${error.fault}`
  const retryAfterSeconds = limits.publicUpstreamWaitMilliseconds / secondMilliseconds
  return new Failure(code, { cause: error, retryAfterSeconds })
}
