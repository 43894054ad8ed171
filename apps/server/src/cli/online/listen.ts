import { setTimeout as wait } from 'node:timers/promises'
import type { Reply } from '@liquidity-os/client/core'
import type { contract, OperatingSystemEvent } from '@liquidity-os/contract'
import { AdministrationError } from '../../access/administration.ts'
import { signWebhook } from '../../integrations/webhooks/standard-webhooks.ts'
import { ask } from './ask.ts'
import type { Profile } from './profiles.ts'

type Event = OperatingSystemEvent
type Read = { readonly data: contract.EventsRead }

export interface Listening {
  readonly kind: string | undefined
  /** From the first event on; else from now. */
  readonly fromStart: boolean
  /** URL that receives each event in the form of a webhook delivery. */
  readonly forward: string | undefined
  readonly secret: string | undefined
  readonly everyMilliseconds: number
  readonly signal: AbortSignal
  readonly onEvent: (event: Event, delivered: string | null) => void
  /** Called whenever all current events have been read. */
  readonly onRequest?: () => void
}

const operation = { id: 'listEvents', method: 'GET', path: '/events' } as const

/** Follows the events of the organization in their order, each once, until it is ended. */
export async function listen(profile: Profile, listening: Listening): Promise<void> {
  const { kind, fromStart, signal, everyMilliseconds, onEvent } = listening
  let after: string | undefined
  let isBefore = !fromStart
  while (!signal.aborted) {
    const query = { limit: 100, ...(kind ? { kind } : {}), ...(after ? { after } : {}) }
    const { body }: Reply<Read> = await ask(profile, operation, { query })
    const { events, nextCursor, hasMore } = body.data
    for (const event of isBefore ? [] : events) {
      onEvent(event, listening.forward ? await deliver(event, listening) : null)
    }
    after = nextCursor ?? after
    if (hasMore) continue
    // Earlier events are read once; all later ones are new.
    isBefore = false
    listening.onRequest?.()
    await wait(everyMilliseconds, undefined, { signal }).catch(() => {})
  }
}

/** Sends an event like a webhook delivery; returns the outcome as text. */
async function deliver(event: Event, { forward = '', secret, signal }: Listening): Promise<string> {
  const body = `{"type":${JSON.stringify(event.kind)},"timestamp":${JSON.stringify(event.occurredAt)},"data":${JSON.stringify(event)}}`
  const seconds = Math.floor(Date.now() / 1000)
  const signed = secret ? signWebhook(`msg_${event.id}`, seconds, body, [secret]) : {}
  try {
    const answer = await fetch(forward, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...signed },
      body,
      signal,
    })
    await answer.arrayBuffer()
    return `${answer.status}`
  } catch (error) {
    if (signal.aborted) return 'ended'
    if (error instanceof TypeError) return 'not reached'
    throw new AdministrationError(`${forward}: ${(error as Error).message}`)
  }
}
