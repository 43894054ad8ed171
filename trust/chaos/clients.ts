import { setTimeout as sleep } from 'node:timers/promises'
import { type ClientOptions, type LooseRequest, send } from '@liquidity-os/client'
import { operationById } from '@liquidity-os/contract'
import { venueBody } from '../../apps/server/test/support/bodies.ts'
import { mulberry32 } from '../../apps/server/test/support/seeded-random.ts'
import { inlinePool, pathSpec } from '../../apps/server/test/support/studying.ts'
import type { Acknowledged, History } from './history.ts'

/** After which a client gives a request up and asks the next node, under the same key. */
const patienceMilliseconds = 4_000
const pauseMilliseconds = 25
/** Between two studies, which are computed by a worker. */
const studyPauseMilliseconds = 1_500

interface Own {
  readonly id: string
  resourceVersion: string
}

interface Answer {
  readonly node: number
  readonly status: number
  readonly text: string
  readonly isReplayed: boolean
}

/** Clients that change things as fast as they are answered, and keep what they were told. */
export class Clients {
  readonly #owner: ClientOptions
  readonly #nodes: readonly string[]
  readonly #acknowledged: Acknowledged[] = []
  readonly #surprises: string[] = []
  /** Attempts that failed, by what was said. */
  readonly failures = new Map<string, number>()
  /** When changes were acknowledged, milliseconds since this process began. */
  readonly acknowledgedAt: number[] = []
  #reads = 0
  readonly #waiting = new Set<(node: number, askedAt: number) => void>()
  readonly #ended = new AbortController()
  #work: Promise<unknown> = Promise.resolve()

  /** @param nodes addresses; each client has one that it asks first */
  constructor(owner: ClientOptions, nodes: readonly string[]) {
    const { fetch: _, ...plain } = owner
    this.#owner = plain
    this.#nodes = nodes
  }

  /** @param seed what each client does follows from it */
  start(count: number, seed: number): void {
    this.#work = Promise.all([
      ...Array.from({ length: count }, (_, client) =>
        this.#change(client, mulberry32(seed + client)),
      ),
      this.#study(seed),
    ])
  }

  /** Lets every client end what it has begun. */
  async stop(): Promise<History> {
    this.#ended.abort()
    await this.#work
    return { acknowledged: this.#acknowledged, surprises: this.#surprises }
  }

  /** How many reads showed what was acknowledged before. */
  get reads(): number {
    return this.#reads
  }

  /** Resolves when every node has acknowledged a change that it was asked for from now on. */
  everyNodeAnswers(): Promise<void> {
    const since = performance.now()
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

  /** Asks a key again, at another node than the one that is asked first. */
  async askAgain({ operation, request }: Acknowledged): Promise<Answer> {
    return this.#ask(this.#nodes.length - 1, operation, request)
  }

  /** Creates venues, changes them, and reads at another node what it was told of them. */
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
      const data =
        known && chosen > 0.5
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
      if (!data) continue
      if (data.id === known?.id) known.resourceVersion = data.resourceVersion
      else own.push(data)
    }
  }

  /** Asks for studies that are too large to be answered at once, one after the other. */
  async #study(seed: number): Promise<void> {
    for (let index = 0; !this.#ended.signal.aborted; index += 1) {
      const payload = pathSpec({
        ...{ market: { inline: inlinePool }, paths: 20_000, halfWidthPips: 1_000_000 },
        ...{ horizonSeconds: 43_200, stepSeconds: 3_600 },
        seed: `0x${(seed * 10_000 + index).toString(16).padStart(64, '0')}`,
      })
      const body = { payload, reason: 'A study' }
      await this.#insist(index, 'createStudies', { body, idempotencyKey: `chaos-study-${index}` })
      await sleep(studyPauseMilliseconds, null, { signal: this.#ended.signal }).catch(() => {})
    }
  }

  /** What was acknowledged is read at every node from then on. */
  async #read(node: number, { id, resourceVersion }: Own): Promise<void> {
    const { status, text } = await this.#ask(node, 'getVenues', { params: { id } })
    if (status !== 200) {
      this.#surprises.push(`${id} was acknowledged, and reading it answers ${status}`)
      return
    }
    this.#reads += 1
    const { data } = JSON.parse(text)
    if (data.resourceVersion !== resourceVersion) {
      this.#surprises.push(
        `${id} was acknowledged as ${resourceVersion} and read as ${data.resourceVersion}`,
      )
    }
  }

  /** Sends a change until it is answered, and keeps the answer. */
  async #insist(
    client: number,
    operation: string,
    request: Acknowledged['request'],
  ): Promise<(Own & { sequence: number }) | null> {
    const begun = performance.now()
    let attempts = 0
    const answer = await this.#ask(client, operation, request, () => {
      attempts += 1
    })
    const { status, text } = answer
    if (status >= 400) {
      this.#surprises.push(`${request.idempotencyKey} was refused with ${status}: ${text}`)
      return null
    }
    const now = performance.now()
    const milliseconds = now - begun
    this.acknowledgedAt.push(now)
    this.#acknowledged.push({ operation, request, status, text, milliseconds, attempts })
    return JSON.parse(text).data
  }

  /** Asks one node after the other, the first of them first, until one answers. */
  async #ask(
    first: number,
    operation: string,
    request: LooseRequest,
    tried: () => void = () => {},
  ): Promise<Answer> {
    for (let attempt = 0; ; attempt += 1) {
      const node = (first + attempt) % this.#nodes.length
      const askedAt = performance.now()
      tried()
      const answer = await this.#attempt(node, operation, request)
      if (answer) {
        for (const hear of this.#waiting) hear(node, askedAt)
        return answer
      }
      await sleep(pauseMilliseconds)
    }
  }

  async #attempt(node: number, id: string, request: LooseRequest): Promise<Answer | null> {
    const operation = operationById.get(id)
    if (!operation) throw new Error(`There is no operation ${id}.`)
    const signal = AbortSignal.timeout(patienceMilliseconds)
    const patient: typeof fetch = (input, init) => fetch(input, { ...init, signal })
    const options = { ...this.#owner, baseUrl: this.#nodes[node] ?? '', fetch: patient }
    try {
      const answer = await send(options, operation, request)
      const text = await answer.text()
      const isReplayed = answer.headers.get('idempotency-replayed') === 'true'
      if (answer.status < 500) return { node, status: answer.status, text, isReplayed }
      this.#failed(this.#codeOf(answer.status, text, request))
    } catch (error) {
      this.#failed(
        error instanceof Error && error.name === 'TimeoutError' ? 'no answer' : 'no connection',
      )
    }
    return null
  }

  /** An answer that says more than "later" is a surprise. */
  #codeOf(status: number, text: string, { idempotencyKey }: LooseRequest): string {
    const code = text.startsWith('{') ? (JSON.parse(text).error?.code ?? '') : ''
    if (status !== 503)
      this.#surprises.push(`${idempotencyKey ?? 'a read'} was answered ${status} ${code}`)
    return `${status} ${code}`
  }

  #failed(what: string): void {
    this.failures.set(what, (this.failures.get(what) ?? 0) + 1)
  }
}
