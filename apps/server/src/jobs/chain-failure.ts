import {
  ChainError,
  type ChainErrorCode,
  chainErrorDetails,
  describeChainFacts,
} from '../integrations/chain/chain-error.ts'
import { limits } from '../limits.ts'
import { JobFailure } from './job-run.ts'

/** Failures that another attempt does not change. */
const finalCodes: ReadonlySet<ChainErrorCode> = new Set([
  'LIQUIDITY_CHAIN_PROVIDERS_DISAGREE',
  'LIQUIDITY_CHAIN_REQUEST_REFUSED',
])

const waitingCodes: ReadonlySet<ChainErrorCode> = new Set([
  'LIQUIDITY_CHAIN_RATE_LIMITED',
  'LIQUIDITY_CHAIN_QUOTA_EXHAUSTED',
])

/** The failed chain read behind an error; null for other errors. */
export function findChainError(error: unknown): ChainError | null {
  if (error instanceof ChainError) return error
  return error instanceof Error && error.cause instanceof ChainError ? error.cause : null
}

/**
 * Failure of a job whose chain read failed, with its evidence. A job of a node that limits its rate
 * waits instead.
 *
 * @param summary sentence that names the read
 */
export function chainJobFailure(
  error: ChainError,
  { services }: { services: { clock: () => number } },
  summary: string,
): JobFailure {
  const { facts } = error
  const now = services.clock()
  const waiting = waitingCodes.has(facts.code)
    ? {
        reason: facts.reason,
        until: now + Math.ceil(Math.max(limits.jobMinWaitMilliseconds, facts.retryAfterMs ?? 0)),
        providerId: facts.provider?.providerId ?? null,
      }
    : null
  return new JobFailure(facts.code, `${summary} ${describeChainFacts(facts, now)}`.trim(), {
    retryable: !finalCodes.has(facts.code),
    cause: error,
    details: chainErrorDetails(facts, now),
    ...(waiting && { waiting }),
  })
}

/** The same for a scheduled job: the next run reads again. */
export function scheduledChainFailure(
  error: ChainError,
  run: { services: { clock: () => number } },
  summary: string,
): JobFailure {
  const { code, message, details } = chainJobFailure(error, run, summary)
  return new JobFailure(code, message, {
    retryable: false,
    cause: error,
    ...(details && { details }),
  })
}
