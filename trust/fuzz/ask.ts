import { type ClientOptions, type LooseRequest, send } from '@liquidity-os/client'
import type { Operation } from '@liquidity-os/contract'
import { assertConforms } from '../../apps/server/test/support/conforming-fetch.ts'
import { codeOf } from '../chaos/answer-log.ts'
import { messageOf } from '../chaos/clock.ts'
import type { Answer, Fault } from './judge.ts'

/** The answer to a request, or why none came. */
export type Outcome = { readonly answer: Answer } | { readonly silence: Fault }

/**
 * Sends a request and reads its answer to the end.
 *
 * @param maxMilliseconds a later answer counts as none
 */
export async function ask(
  { fetch: _, ...options }: ClientOptions,
  operation: Operation,
  request: LooseRequest,
  maxMilliseconds: number,
): Promise<Outcome> {
  const signal = AbortSignal.timeout(maxMilliseconds)
  const timed: typeof fetch = (input, init) => fetch(input, { ...init, signal })
  const begun = performance.now()
  try {
    const response = await send({ ...options, fetch: timed }, operation, request)
    const copy = response.clone()
    const text = await response.text()
    const milliseconds = performance.now() - begun
    const misfit = await assertConforms(operation, copy).then(() => null, messageOf)
    const isReplayed = response.headers.get('idempotency-replayed') === 'true'
    const { status } = response
    return { answer: { status, code: codeOf(text), text, misfit, isReplayed, milliseconds } }
  } catch (error) {
    return { silence: silenceOf(error, maxMilliseconds) }
  }
}

/** @throws the error itself if the network did not cause it: then the fuzzer is wrong */
function silenceOf(error: unknown, maxMilliseconds: number): Fault {
  if (!(error instanceof Error)) throw error
  if (error.name === 'TimeoutError') {
    return { kind: `no answer within ${maxMilliseconds / 1000} s`, detail: '' }
  }
  if (error.cause === undefined) throw error
  return { kind: 'no connection', detail: messageOf(error) }
}
