import { type ClientOptions, type LooseRequest, send } from '@liquidity-os/client'
import { operationById } from '@liquidity-os/contract'
import { venueBody } from '../../apps/server/test/support/bodies.ts'
import { mulberry32 } from '../../apps/server/test/support/seeded-random.ts'
import { inlinePool, pathSpec } from '../../apps/server/test/support/studying.ts'
import { type AnswerLog, codeOf, type Phase, retryAfterOf } from './answer-log.ts'
import { type Clock, machineClock, messageOf } from './clock.ts'
import type { Acknowledged, History, Replay } from './history.ts'
import { type Limits, limits as usual } from './limits.ts'

const pauseMilliseconds = 25
/** Between two studies, which a worker computes. */
const studyPauseMilliseconds = 1_500
/** Surprises that are kept; the others are counted. */
const maxSurprises = 500

interface Own {
  readonly id: string
  resourceVersion: string
}

interface Answer {
  readonly status: number
  readonly text: string
  readonly isReplayed: boolean
}

/** The end of one attempt; `answer` is null if the request may be repeated. */
interface Attempt {
  readonly answer: Answer | null
  /** The status and code, or the reason why no answer came. */
  readonly outcome: string
  /** True for a 5xx other than 503: repeating it seldom helps. */
  readonly isFailure: boolean
  /** Milliseconds to wait before the next attempt. */
  readonly pause: number
}

/** Clients that send changes as fast as they are answered, and keep every answer. */
export class Clients {
  readonly #owner: ClientOptions
  readonly #nodes: readonly string[]
  readonly #answers: AnswerLog
  readonly #clock: Clock
  readonly #limits: Limits
  readonly #acknowledged: Acknowledged[] = []
  readonly #surprises: string[] = []
  #moreSurprises = 0
  /** Attempts that failed, by reason. */
  readonly failures = new Map<string, number>()
  /** When changes were acknowledged, by `performance.now()`. */
  readonly acknowledgedAt: number[] = []
  #reads = 0
  readonly #waiting = new Set<(node: number, askedAt: number) => void>()
  readonly #ended = new AbortController()
  #work: Promise<unknown> = Promise.resolve()

  /** @param nodes addresses; each client has one that it asks first */
  constructor(
    owner: ClientOptions,
    nodes: readonly string[],
    answers: AnswerLog,
    { clock = machineClock, limits = usual }: { clock?: Clock; limits?: Limits } = {},
  ) {
    const { fetch: _, ...plain } = owner
    this.#owner = plain
    this.#nodes = nodes
    this.#answers = answers
    this.#clock = clock
    this.#limits = limits
  }

  /**
   * @param seed decides the requests of each client
   * @param hasStudies true if one more client creates studies, which take seconds of a core to compute
   */
  start(count: number, seed: number, hasStudies = true): void {
    const work = [
      ...Array.from({ length: count }, (_, client) =>
        this.#change(client, mulberry32(seed + client)),
      ),
      ...(hasStudies ? [this.#study(seed)] : []),
    ]
    this.#work = Promise.all(
      work.map((one) =>
        one.catch((error) => this.#surprise(`a client stopped with an error: ${messageOf(error)}`)),
      ),
    )
  }

  /** Starts no further request. */
  end(): void {
    this.#ended.abort()
  }

  /** Waits until every open request is answered or given up. */
  async stop(): Promise<History> {
    this.end()
    await this.#work
    return this.history
  }

  /** The answers so far. */
  get history(): History {
    const more = this.#moreSurprises > 0 ? [`${this.#moreSurprises} further surprises`] : []
    return { acknowledged: this.#acknowledged, surprises: [...this.#surprises, ...more] }
  }

  /** Reads that showed the acknowledged version. */
  get reads(): number {
    return this.#reads
  }

  /** Resolves when every node has acknowledged a request that was sent after this call. */
  everyNodeAnswers(): Promise<void> {
    const since = this.#clock.now()
    const missing = new Set(this.#nodes.keys())
    return new Promise((done) => {
      const hear = (node: number, askedAt: number) => {
        if (askedAt >= since) missing.delete(node)
        if (missing.size > 0) return
        this.#waiting.delete(hear)
        done()
      }
      this.#waiting.add(hear)
    })
  }

  /** Sends a key again, first to another node than before; null if no answer comes in time. */
  async sendAgain({ operation, request }: Acknowledged): Promise<Replay> {
    const { answer } = await this.#ask('checks', this.#nodes.length - 1, operation, request)
    return answer
  }

  /** Creates venues, changes them, and reads them at another node. */
  async #change(client: number, random: () => number): Promise<void> {
    const own: Own[] = []
    for (let index = 0; !this.#ended.signal.aborted; index += 1) {
      const known = own[Math.floor(random() * own.length)]
      const chosen = random()
      if (known && chosen > 0.85) {
        await this.#read(client + 1, known)
        continue
      }
      const idempotencyKey = `chaos-${client}-${index}`
      const isUpdate = known !== undefined && chosen > 0.5
      const data = isUpdate
        ? await this.#insist(client, 'supersedeVenues', {
            params: { id: known.id },
            ifMatch: known.resourceVersion,
            body: { payload: { tags: [`tag-${index}`] }, reason: 'A change' },
            idempotencyKey,
          })
        : await this.#insist(client, 'createVenues', {
            body: venueBody(0xabc00000 + client * 0x100000 + index),
            idempotencyKey,
          })
      if (isUpdate && data) known.resourceVersion = data.resourceVersion
      else if (data) own.push(data)
      // An update without an answer may have happened, so its version is unknown.
      else if (isUpdate) own.splice(own.indexOf(known), 1)
    }
  }

  /** Creates studies that are too large for the request itself, one after the other. */
  async #study(seed: number): Promise<void> {
    for (let index = 0; !this.#ended.signal.aborted; index += 1) {
      const payload = pathSpec({
        market: { inline: inlinePool },
        paths: 20_000,
        halfWidthPips: 1_000_000,
        horizonSeconds: 43_200,
        stepSeconds: 3_600,
        seed: `0x${(seed * 10_000 + index).toString(16).padStart(64, '0')}`,
      })
      const body = { payload, reason: 'A study' }
      await this.#insist(index, 'createStudies', { body, idempotencyKey: `chaos-study-${index}` })
      await this.#clock.sleep(studyPauseMilliseconds, this.#ended.signal)
    }
  }

  /** Every node must show an acknowledged version from then on. */
  async #read(node: number, { id, resourceVersion }: Own): Promise<void> {
    const { answer, outcome } = await this.#ask('load', node, 'getVenues', { params: { id } })
    if (!answer) {
      this.#surprise(`${id} was acknowledged, and reading it got no answer in time: ${outcome}`)
      return
    }
    if (answer.status !== 200) {
      this.#surprise(`${id} was acknowledged, and reading it returns ${answer.status}`)
      return
    }
    this.#reads += 1
    const { data } = JSON.parse(answer.text)
    if (data.resourceVersion !== resourceVersion) {
      this.#surprise(
        `${id} was acknowledged as ${resourceVersion} and read as ${data.resourceVersion}`,
      )
    }
  }

  /** Sends a change until it is answered, and keeps the answer. Gives null if it was refused or got no answer in time. */
  async #insist(
    client: number,
    operation: string,
    request: Acknowledged['request'],
  ): Promise<(Own & { sequence: number }) | null> {
    const begun = performance.now()
    const { answer, attempts, outcome } = await this.#ask('load', client, operation, request)
    if (!answer) {
      this.#surprise(
        `${request.idempotencyKey} got no answer after ${attempts} attempts; the last: ${outcome}`,
      )
      return null
    }
    const { status, text } = answer
    if (status >= 400) {
      this.#surprise(`${request.idempotencyKey} was refused with ${status}: ${text}`)
      return null
    }
    const now = performance.now()
    const milliseconds = now - begun
    this.acknowledgedAt.push(now)
    this.#acknowledged.push({ operation, request, status, text, milliseconds, attempts })
    return JSON.parse(text).data
  }

  /** Asks one node after the other until one answers, for a limited time. */
  async #ask(
    phase: Phase,
    first: number,
    operation: string,
    request: LooseRequest,
  ): Promise<{ answer: Answer | null; attempts: number; outcome: string }> {
    const { answer: load, check, maxAttempts, maxFailedAttempts } = this.#limits
    const deadline = this.#clock.now() + (phase === 'load' ? load : check)
    for (let [attempts, failed] = [1, 0]; ; attempts += 1) {
      const node = (first + attempts - 1) % this.#nodes.length
      const askedAt = this.#clock.now()
      const { answer, outcome, isFailure, pause } = await this.#attempt(
        phase,
        node,
        operation,
        request,
      )
      if (answer) {
        for (const hear of this.#waiting) hear(node, askedAt)
        return { answer, attempts, outcome }
      }
      this.failures.set(outcome, (this.failures.get(outcome) ?? 0) + 1)
      failed += isFailure ? 1 : 0
      const isOver = attempts >= maxAttempts || this.#clock.now() + pause > deadline
      if (isOver || failed >= maxFailedAttempts) return { answer: null, attempts, outcome }
      await this.#clock.sleep(pause)
    }
  }

  async #attempt(phase: Phase, node: number, id: string, request: LooseRequest): Promise<Attempt> {
    const operation = operationById.get(id)
    if (!operation) throw new Error(`Operation ${id} does not exist.`)
    const signal = AbortSignal.timeout(this.#limits.attempt)
    const patient: typeof fetch = (input, init) => fetch(input, { ...init, signal })
    const options = { ...this.#owner, baseUrl: this.#nodes[node] ?? '', fetch: patient }
    const askedAt = this.#clock.now()
    try {
      const response = await send(options, operation, request)
      const text = await response.text()
      const { status, headers } = response
      const answeredAt = this.#clock.now()
      const detail = JSON.stringify(request)
      this.#answers.note(phase, {
        operation: id,
        request: detail,
        status,
        text,
        askedAt,
        answeredAt,
      })
      const outcome = `${status} ${codeOf(text)}`
      const isReplayed = headers.get('idempotency-replayed') === 'true'
      const isFinal = status < 500 && status !== 429
      const answer = isFinal ? { status, text, isReplayed } : null
      const pause = retryAfterOf(headers, Date.now())
      const isLimited = status === 429 && pause !== null
      return {
        answer,
        outcome,
        isFailure: status >= 500 && status !== 503,
        pause: isLimited ? pause : pauseMilliseconds,
      }
    } catch (error) {
      const isLate = error instanceof Error && error.name === 'TimeoutError'
      const outcome = isLate ? 'no answer' : 'no connection'
      this.#answers.noteSilence(phase, outcome)
      return { answer: null, outcome, isFailure: false, pause: pauseMilliseconds }
    }
  }

  #surprise(text: string): void {
    if (this.#surprises.length < maxSurprises) this.#surprises.push(text)
    else this.#moreSurprises += 1
  }
}
