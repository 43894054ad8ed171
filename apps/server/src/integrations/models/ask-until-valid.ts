import { H, type Hash } from '@liquidity-os/evidence'
import { limits } from '../../limits.ts'
import type { ProviderAccess } from '../../services.ts'
import { FeedError } from '../feeds/feed-error.ts'
import type { LanguageModel } from './configured-models.ts'
import { type ModelAnswer, readMessage, requestMessage } from './language-model.ts'
import { type FailedAnswer, type ModelTask, modelRequest } from './model-dialects.ts'

/** Why a part of an answer has no effect. */
export interface Refusal {
  /** JSON pointer into the message; empty for the whole message. */
  readonly pointer: string
  readonly expected: string
  readonly got: string
}

/** One request and its answer, as bytes and hashes. */
export interface Attempt {
  readonly request: string
  readonly requestHash: Hash
  /** The message as received; null if none arrived. */
  readonly message: string | null
  readonly messageHash: Hash | null
  readonly refusals: readonly Refusal[]
}

export interface ValidAnswer<Value> {
  readonly value: Value
  /** The attempt with this value. */
  readonly attempt: Attempt
  readonly attempts: readonly Attempt[]
  /** Sum of all attempts; null if one reports none. */
  readonly tokens: number | null
}

/** A usable value with the refusals that remain, or none. */
export interface Reading<Value> {
  readonly value: Value | null
  /** Number of parts with an effect. */
  readonly accepted: number
  readonly refusals: readonly Refusal[]
}

/**
 * Repeats a task with the refusals of the previous answer until an answer has none. Returns the answer
 * with the most accepted parts, of those the one with the fewest refusals, of those the first.
 *
 * @param read value and refusals of an answer; throws FeedError ANSWER_REFUSED for a wrong form
 * @throws FeedError UNAVAILABLE without a response; ANSWER_REFUSED if no answer is usable
 */
export async function askUntilValid<Value>(
  model: LanguageModel,
  task: ModelTask,
  read: (members: ModelAnswer['members']) => Reading<Value>,
  services: ProviderAccess,
  signal?: AbortSignal,
): Promise<ValidAnswer<Value>> {
  const attempts: Attempt[] = []
  const failed: FailedAnswer[] = []
  let best: Best<Value> | null = null
  let tokens: number | null = 0
  let last: FeedError | null = null
  while (attempts.length < limits.modelCorrections) {
    const request = JSON.stringify(modelRequest(model, task, failed).body)
    const asked = { request, requestHash: H('model-question/v1', { text: request }) }
    let message: string
    try {
      const reply = await requestMessage(model, task, failed, services, signal)
      message = reply.message
      tokens = tokens === null || reply.tokens === null ? null : tokens + reply.tokens
    } catch (error) {
      if (!(error instanceof FeedError)) throw error
      // A refused response used tokens that it does not report.
      if (error.code === 'LIQUIDITY_PROVIDER_ANSWER_REFUSED') tokens = null
      attempts.push({ ...asked, message: null, messageHash: null, refusals: [wholeRefusal(error)] })
      last = error
      break
    }
    const answered = { ...asked, message, messageHash: H('model-answer/v1', { text: message }) }
    const { value, accepted, refusals, error } = readingOf(message, read)
    last = error ?? last
    const attempt = { ...answered, refusals: refusals.slice(0, limits.modelRefusals) }
    attempts.push(attempt)
    const counts = { accepted, refused: refusals.length }
    if (value !== null && isBetter(counts, best)) best = { value, attempt, ...counts }
    if (refusals.length === 0) break
    failed.push({ message, refusals: attempt.refusals })
  }
  if (best !== null) return { value: best.value, attempt: best.attempt, attempts, tokens }
  throw last ?? new Error('A model was not asked.')
}

interface Counts {
  readonly accepted: number
  readonly refused: number
}

interface Best<Value> extends Counts {
  readonly value: Value
  readonly attempt: Attempt
}

/** True for more accepted parts, or for as many with fewer refusals. */
const isBetter = (next: Counts, best: Counts | null): boolean =>
  best === null ||
  next.accepted > best.accepted ||
  (next.accepted === best.accepted && next.refused < best.refused)

function readingOf<Value>(
  message: string,
  read: (members: ModelAnswer['members']) => Reading<Value>,
): Reading<Value> & { readonly error: FeedError | null } {
  try {
    return { ...read(readMessage(message)), error: null }
  } catch (error) {
    if (!(error instanceof FeedError)) throw error
    return { value: null, accepted: 0, refusals: [wholeRefusal(error)], error }
  }
}

const wholeRefusal = ({ reason }: FeedError): Refusal => ({
  pointer: '',
  expected: 'one JSON object of the schema',
  got: reason,
})
