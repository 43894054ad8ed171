import { setTimeout as sleep } from 'node:timers/promises'
import { type ClientOptions, type LooseRequest, send } from '@liquidity-os/client'
import { operationById } from '@liquidity-os/contract'
import { venueBody } from '../../apps/server/test/support/bodies.ts'
import { inlinePool, pathSpec } from '../../apps/server/test/support/studying.ts'
import { type AnswerLog, codeOf } from '../chaos/answer-log.ts'
import { messageOf } from '../chaos/clock.ts'

const maxAnswerMilliseconds = 30_000

/** What is asked for, and how often of a hundred. */
const mix = [
  ['getVenues', 40],
  ['listVenues', 15],
  ['listEvents', 9],
  ['getOperatingSystemStatus', 5],
  ['createVenues', 15],
  ['supersedeVenues', 15],
  ['createStudies', 1],
] as const
type Asked = (typeof mix)[number][0]

/** A member of one organization, and the venues that they made. */
interface Asker {
  readonly options: ClientOptions
  readonly venues: { id: string; resourceVersion: string; isBusy: boolean }[]
}

/** Sends requests at a rate, whether or not the earlier ones are answered. */
export class Load {
  readonly #askers: readonly Asker[]
  readonly #nodes: readonly string[]
  readonly #random: () => number
  readonly #answers: AnswerLog
  readonly #open = new Set<Promise<void>>()
  readonly #errors = new Map<string, number>()
  /** Milliseconds from when a request was due to its answer. */
  readonly times: number[] = []
  readonly statuses = new Map<string, number>()
  changes = 0
  #number = 0

  /** @param answers notes every answer; no fault is injected, so each 5xx is a violation */
  constructor(
    owners: readonly ClientOptions[],
    nodes: readonly string[],
    random: () => number,
    answers: AnswerLog,
  ) {
    this.#answers = answers
    this.#askers = owners.map(({ fetch: _, ...options }) => ({ options, venues: [] }))
    this.#nodes = nodes
    this.#random = random
  }

  /** Requests without an answer, and answers that could not be read, in words. */
  get errors(): readonly string[] {
    return [...this.#errors].map(([what, times]) => `${what}, ${times} times`)
  }

  /** Requests that were sent and are not answered. */
  get unanswered(): number {
    return this.#open.size
  }

  /**
   * @param rate requests a second
   * @param signal ends the load early
   */
  async run(rate: number, milliseconds: number, signal: AbortSignal): Promise<void> {
    const begun = performance.now()
    const pause = 1_000 / rate
    for (let due = begun; due < begun + milliseconds && !signal.aborted; due += pause) {
      await sleep(Math.max(0, due - performance.now()))
      const request = this.#ask(due)
        .catch((error) => this.#note(`reading an answer failed: ${messageOf(error)}`))
        .finally(() => this.#open.delete(request))
      this.#open.add(request)
    }
    // Each of them ends within the limit of its answer.
    await Promise.all(this.#open)
  }

  #note(error: string): void {
    this.#errors.set(error, (this.#errors.get(error) ?? 0) + 1)
  }

  async #ask(due: number): Promise<void> {
    this.#number += 1
    const asker = this.#pick(this.#askers)
    const free = asker.venues.filter(({ isBusy }) => !isBusy)
    const chosen = this.#choose()
    // Before there is a venue, one is made.
    const operationId = chosen.endsWith('Venues') && free.length === 0 ? 'createVenues' : chosen
    const venue = free.length > 0 ? this.#pick(free) : null
    const isChange = operationId === 'supersedeVenues' && venue !== null
    if (isChange) venue.isBusy = true
    const request = this.#requestFor(operationId, venue)
    const { status, text } = await this.#send(asker, operationId, request)
    if (isChange) venue.isBusy = false
    this.times.push(performance.now() - due)
    const code = typeof status === 'number' && status >= 400 ? ` ${codeOf(text)}` : ''
    const outcome = `${operationId} ${status}${code}`
    this.statuses.set(outcome, (this.statuses.get(outcome) ?? 0) + 1)
    const isSuccess = typeof status === 'number' && status < 300
    if (!isSuccess || !request.idempotencyKey) return
    this.changes += 1
    if (operationId === 'createStudies') return
    const { id, resourceVersion } = JSON.parse(text).data
    if (isChange) venue.resourceVersion = resourceVersion
    else asker.venues.push({ id, resourceVersion, isBusy: false })
  }

  async #send({ options }: Asker, operationId: Asked, request: LooseRequest) {
    const operation = operationById.get(operationId)
    if (!operation) throw new Error(`Operation ${operationId} does not exist.`)
    const signal = AbortSignal.timeout(maxAnswerMilliseconds)
    const patient: typeof fetch = (input, init) => fetch(input, { ...init, signal })
    const baseUrl = this.#nodes[this.#number % this.#nodes.length] ?? ''
    const askedAt = performance.now()
    try {
      const answer = await send({ ...options, baseUrl, fetch: patient }, operation, request)
      const text = await answer.text()
      const { status } = answer
      this.#answers.note('load', {
        operation: operationId,
        request: JSON.stringify(request),
        status,
        text,
        askedAt,
        answeredAt: performance.now(),
      })
      return { status, text }
    } catch (error) {
      const isLate = error instanceof Error && error.name === 'TimeoutError'
      const what = isLate ? `no answer within ${maxAnswerMilliseconds / 1000} s` : 'no connection'
      this.#answers.noteSilence('load', what)
      this.#note(`${operationId} got ${what}`)
      return { status: what, text: '' }
    }
  }

  #requestFor(operationId: Asked, venue: Asker['venues'][number] | null): LooseRequest {
    const idempotencyKey = `soak-${String(this.#number).padStart(8, '0')}`
    switch (operationId) {
      case 'createVenues':
        return { body: venueBody(0x50a40000 + this.#number), idempotencyKey }
      case 'supersedeVenues':
        return {
          params: { id: venue?.id ?? '' },
          ifMatch: venue?.resourceVersion ?? '',
          body: { payload: { tags: [`tag-${this.#number}`] }, reason: 'A change' },
          idempotencyKey,
        }
      case 'createStudies':
        return { body: { payload: studyOf(this.#number), reason: 'A study' }, idempotencyKey }
      case 'getVenues':
        return { params: { id: venue?.id ?? '' } }
      case 'listVenues':
      case 'listEvents':
        return { query: { limit: 20 } }
      case 'getOperatingSystemStatus':
        return {}
    }
  }

  #choose(): Asked {
    let left = this.#random() * 100
    for (const [request, share] of mix) {
      left -= share
      if (left < 0) return request
    }
    return 'getVenues'
  }

  #pick<T>(list: readonly T[]): T {
    const one = list[Math.floor(this.#random() * list.length)]
    if (one === undefined) throw new Error('The list is empty.')
    return one
  }
}

/** A study that is too large to be answered at once, so that a worker computes it. */
const studyOf = (number: number) =>
  pathSpec({
    market: { inline: inlinePool },
    paths: 20_000,
    halfWidthPips: 1_000_000,
    horizonSeconds: 43_200,
    stepSeconds: 3_600,
    seed: `0x${number.toString(16).padStart(64, '0')}`,
  })
