import { setTimeout as sleep } from 'node:timers/promises'
import { type ClientOptions, type LooseRequest, send } from '@liquidity-os/client'
import { operationById } from '@liquidity-os/contract'
import {
  bookmarkBody,
  keyBody,
  venueBody,
  webhookBody,
} from '../../apps/server/test/support/bodies.ts'
import { inlinePool, pathSpec } from '../../apps/server/test/support/studying.ts'
import { codeOf } from '../chaos/answer-log.ts'
import { messageOf } from '../chaos/clock.ts'
import { type Answer, type Answers, maxQuoted } from './answers.ts'
import { Members } from './members.ts'
import type { Owner, Target } from './stage.ts'

/** What a step does, and how often of a hundred. */
const mix = [
  ['getVenues', 25],
  ['listVenues', 6],
  ['listEvents', 6],
  ['listSavedPlatformProjects', 4],
  ['listWebhooks', 3],
  ['listDeveloperCredentials', 3],
  ['getOperatingSystemStatus', 3],
  ['createVenues', 14],
  ['supersedeVenues', 14],
  ['savePlatformProject', 9],
  ['removeSavedPlatformProject', 4],
  ['createWebhooks', 2],
  ['supersedeWebhooks', 2],
  ['createDeveloperCredentials', 2],
  ['createStudies', 1],
  ['members', 2],
] as const
type Step = (typeof mix)[number][0]

/** The record that an operation creates or changes, and the operation that reads it. */
const changes = {
  createVenues: { of: 'venue', read: 'getVenues' },
  supersedeVenues: { of: 'venue', read: 'getVenues' },
  savePlatformProject: { of: 'bookmark', read: 'getSavedPlatformProject' },
  removeSavedPlatformProject: { of: 'bookmark', read: 'getSavedPlatformProject' },
  createWebhooks: { of: 'webhook', read: 'getWebhooks' },
  supersedeWebhooks: { of: 'webhook', read: 'getWebhooks' },
  createDeveloperCredentials: { of: 'credential', read: 'getDeveloperCredentials' },
  // A worker may have changed it before it is read, so only the end of its job is checked.
  createStudies: { of: 'study', read: null },
} as const
type Change = keyof typeof changes
type Kind = (typeof changes)[Change]['of']

/** Changes of a record that exists. */
const revisions: readonly Step[] = [
  'supersedeVenues',
  'removeSavedPlatformProject',
  'supersedeWebhooks',
]
/** What creates the record that a step needs and lacks. */
const creators: Partial<Record<Step, Change>> = {
  getVenues: 'createVenues',
  supersedeVenues: 'createVenues',
  removeSavedPlatformProject: 'savePlatformProject',
  supersedeWebhooks: 'createWebhooks',
}

const secretCode = 'LIQUIDITY_OPERATING_SYSTEM_SECRET_ALREADY_RETURNED'

interface Own {
  readonly id: string
  readonly resourceVersion: string
  readonly status: string
}

/** Reads and changes data at the nodes in turn, and checks that they agree. */
export class Load {
  readonly #owner: Owner
  readonly #random: () => number
  readonly #answers: Answers
  readonly #maxAnswerMilliseconds: number
  readonly #members: Members
  /** Records that no step is changing. */
  readonly #free = new Map<Kind, Own[]>()
  readonly #open = new Set<Promise<void>>()
  #number = 0
  requests = 0
  /** Whether a migration locks tables: a 503 of the store is no violation then. */
  isMigrating = false
  changes = 0

  constructor(
    { fetch: _, ...owner }: Owner,
    random: () => number,
    answers: Answers,
    maxAnswerMilliseconds: number,
  ) {
    this.#owner = owner
    this.#random = random
    this.#answers = answers
    this.#maxAnswerMilliseconds = maxAnswerMilliseconds
    this.#members = new Members(owner, random, answers, (...args) => this.#await(...args))
  }

  /**
   * Starts steps at a rate, whether or not the earlier ones have ended, and waits for their ends.
   *
   * @param nodes  asked in turn; each change is repeated and read at the next one
   * @param rate   steps a second
   * @param signal ends the load early
   */
  async run(
    nodes: readonly Target[],
    rate: number,
    milliseconds: number,
    signal: AbortSignal,
  ): Promise<void> {
    const begun = performance.now()
    const pause = 1_000 / rate
    for (let due = begun; due < begun + milliseconds && !signal.aborted; due += pause) {
      await sleep(Math.max(0, due - performance.now()))
      this.#number += 1
      const [first, second] = [
        nodes[this.#number % nodes.length],
        nodes[(this.#number + 1) % nodes.length],
      ]
      if (!first || !second) throw new Error('No node is running.')
      const step = this.#step(first, second, this.#number)
        .catch((error) => this.#answers.blame('a step failed', messageOf(error)))
        .finally(() => this.#open.delete(step))
      this.#open.add(step)
    }
    // Each of their requests ends within its limit.
    await Promise.all(this.#open)
  }

  /** Kinds of jobs that did not complete, in words; null while one is under way. */
  async findFailedJobs(node: Target): Promise<string[] | null> {
    const answer = await this.#ask(node, 'listOperatingSystemJobs', { query: { limit: 100 } })
    if (answer === null) return null
    const jobs = JSON.parse(answer.text).data as { kind: string; status: string }[]
    if (jobs.some(({ status }) => status === 'QUEUED' || status === 'RUNNING')) return null
    const failed = jobs.filter(({ status }) => status !== 'COMPLETED')
    return failed.map(({ kind, status }) => `a job ${kind} ended as ${status}`)
  }

  async #step(first: Target, second: Target, number: number): Promise<void> {
    const chosen = this.#choose()
    if (chosen === 'members') return this.#members.step(first, second, number)
    const kind = kindOf(chosen)
    const known = kind ? this.#free.get(kind) : undefined
    const step = creators[chosen] && !known?.length ? creators[chosen] : chosen
    if (isChange(step)) return this.#change(first, second, step, number)
    const id = step === 'getVenues' ? this.#pick('venue')?.id : undefined
    const request = id === undefined ? {} : { params: { id } }
    const query = step.startsWith('list') ? { query: { limit: 20 } } : {}
    this.#expectSuccess(
      first,
      step,
      request,
      await this.#ask(first, step, { ...request, ...query }),
    )
  }

  /** Sends a change to one node, repeats it at the other under the same key, and reads the record there. */
  async #change(first: Target, second: Target, operation: Change, number: number): Promise<void> {
    const { of, read } = changes[operation]
    const own = revisions.includes(operation) ? this.#take(of) : null
    const request = requestFor(operation, number, own)
    const answer = await this.#ask(first, operation, request)
    // A change without an answer may have happened, so its record is not used again.
    if (!this.#expectSuccess(first, operation, request, answer) || answer === null) return
    this.changes += 1
    const repeated = await this.#ask(second, operation, request)
    if (repeated) this.#compare(second, operation, request, answer, repeated)
    if (read === null) return
    if (operation === 'removeSavedPlatformProject') {
      const params = { id: own?.id ?? '' }
      const gone = await this.#ask(second, read, { params })
      if (gone && gone.status !== 404) {
        this.#blame(second, `${operation} is not seen`, { params }, gone)
      }
      return
    }
    const { record, secret } = recordIn(answer.text)
    await this.#readBack(second, operation, read, record)
    if (secret !== null && operation === 'createDeveloperCredentials') {
      await this.#useKey(second, secret)
    }
    this.#free.set(of, [...(this.#free.get(of) ?? []), record])
  }

  async #readBack(node: Target, operation: Change, read: string, record: Own): Promise<void> {
    const request = { params: { id: record.id } }
    const answer = await this.#ask(node, read, request)
    if (!this.#expectSuccess(node, read, request, answer) || answer === null) return
    if (JSON.parse(answer.text).data.resourceVersion === record.resourceVersion) return
    this.#blame(node, `${operation} is not seen as ${record.resourceVersion}`, request, answer)
  }

  /** A key that one node issued must open the other. */
  async #useKey(node: Target, token: string): Promise<void> {
    const options = { ...this.#owner, auth: { kind: 'bearer', token } as const }
    const request = { query: { limit: 1 } }
    const answer = await this.#ask(node, 'listStudies', request, options)
    this.#expectSuccess(node, 'listStudies', request, answer)
  }

  #compare(
    node: Target,
    operation: Change,
    request: LooseRequest,
    first: Answer,
    again: Answer,
  ): void {
    const { secret, record } = operation.startsWith('remove')
      ? { secret: null, record: null }
      : recordIn(first.text)
    // A secret is returned once; the repetition says which record it belongs to.
    const isSame =
      secret === null
        ? again.status === first.status && again.text === first.text
        : codeOf(again.text) === secretCode &&
          JSON.parse(again.text).metadata?.resourceId === record?.id
    if (isSame && again.isReplayed) return
    this.#blame(node, `${operation}: another answer under the same key`, request, again, first)
  }

  #expectSuccess(
    node: Target,
    operation: string,
    request: LooseRequest,
    answer: Answer | null,
  ): boolean {
    if (answer === null) return false
    if (answer.status < 400) return true
    this.#blame(node, `${operation}: ${answer.status} ${codeOf(answer.text)}`, request, answer)
    return false
  }

  #blame(
    node: Target,
    what: string,
    request: LooseRequest,
    answer: Answer,
    expected?: Answer,
  ): void {
    const texts = [
      `request: ${JSON.stringify(request).slice(0, maxQuoted)}`,
      `answer: ${answer.status} ${answer.text.slice(0, maxQuoted)}`,
      ...(expected ? [`expected: ${expected.status} ${expected.text.slice(0, maxQuoted)}`] : []),
    ]
    this.#answers.blame(`${node.name} node: ${what}`, texts.join('; '))
  }

  #ask(
    node: Target,
    id: string,
    request: LooseRequest,
    options: ClientOptions = this.#owner,
  ): Promise<Answer | null> {
    const operation = operationById.get(id)
    if (!operation) throw new Error(`Operation ${id} does not exist.`)
    return this.#await(node, id, JSON.stringify(request), (signal) => {
      const patient: typeof fetch = (input, init) => fetch(input, { ...init, signal })
      const { baseUrl } = node
      return send({ ...options, baseUrl, fetch: patient }, operation, request)
    })
  }

  /** The answer; null if it was a 5xx or did not come, which is a violation unless a migration made it wait. */
  async #await(
    node: Target,
    id: string,
    detail: string,
    request: (signal: AbortSignal) => Promise<Response>,
  ): Promise<Answer | null> {
    this.requests += 1
    try {
      const response = await request(AbortSignal.timeout(this.#maxAnswerMilliseconds))
      const { status, headers } = response
      const text = await response.text()
      const outcome = status < 400 ? String(status) : `${status} ${codeOf(text)}`
      this.#answers.count(`${node.name} ${id} ${outcome}`)
      if (status >= 500) {
        if (this.isMigrating && outcome === lockedOutcome) return null
        const texts = `request: ${detail.slice(0, maxQuoted)}; answer: ${text.slice(0, maxQuoted)}`
        this.#answers.blame(`${node.name} node: ${id}: ${outcome}`, texts)
        return null
      }
      return { status, text, isReplayed: headers.get('idempotency-replayed') === 'true' }
    } catch (error) {
      const isLate = error instanceof Error && error.name === 'TimeoutError'
      const outcome = isLate
        ? `no answer within ${this.#maxAnswerMilliseconds / 1000} s`
        : 'no connection'
      this.#answers.count(`${node.name} ${id} ${outcome}`)
      const texts = `request: ${detail.slice(0, maxQuoted)}; ${messageOf(error)}`
      this.#answers.blame(`${node.name} node: ${id}: ${outcome}`, texts)
      return null
    }
  }

  #choose(): Step {
    let left = this.#random() * 100
    for (const [step, share] of mix) {
      left -= share
      if (left < 0) return step
    }
    return 'getVenues'
  }

  #pick(kind: Kind): Own | undefined {
    const free = this.#free.get(kind) ?? []
    return free[Math.floor(this.#random() * free.length)]
  }

  /** Picks a record for a change; no other step changes it until it is put back. */
  #take(kind: Kind): Own {
    const own = this.#pick(kind)
    if (!own) throw new Error(`No ${kind} exists.`)
    this.#free.set(
      kind,
      (this.#free.get(kind) ?? []).filter((one) => one !== own),
    )
    return own
  }
}

const lockedOutcome = '503 LIQUIDITY_STORE_UNAVAILABLE'

const isChange = (step: Step): step is Change => step in changes

const kindOf = (step: Step): Kind | null => {
  if (step === 'getVenues') return 'venue'
  return isChange(step) ? changes[step].of : null
}

/** The record of an answer, and the secret that came with it. */
function recordIn(text: string): { record: Own; secret: string | null } {
  const { data } = JSON.parse(text)
  return { record: data.webhook ?? data.credential ?? data, secret: data.secret ?? null }
}

function requestFor(operation: Change, number: number, own: Own | null): LooseRequest {
  const idempotencyKey = `upgrade-${String(number).padStart(8, '0')}`
  const reason = 'A change'
  const ofRecord = own
    ? { params: { id: own.id }, ifMatch: own.resourceVersion, idempotencyKey }
    : { idempotencyKey }
  switch (operation) {
    case 'createVenues':
      return { body: venueBody(0x60a40000 + number), idempotencyKey }
    case 'supersedeVenues':
      return { ...ofRecord, body: { payload: { tags: [`tag-${number}`] }, reason } }
    case 'savePlatformProject':
      return { body: bookmarkBody(0x70a40000 + number), idempotencyKey }
    case 'removeSavedPlatformProject':
      return ofRecord
    case 'createWebhooks': {
      // An event that the load never causes, so that nothing is delivered.
      const body = webhookBody(`https://hooks.example.com/${number}`, ['credential.rotated'])
      return { body, idempotencyKey }
    }
    case 'supersedeWebhooks':
      return {
        ...ofRecord,
        body: { status: own?.status === 'PAUSED' ? 'ACTIVE' : 'PAUSED', reason },
      }
    case 'createDeveloperCredentials':
      return { body: keyBody(['studies:read']), idempotencyKey }
    case 'createStudies':
      return { body: { payload: studyOf(number), reason }, idempotencyKey }
  }
}

/** A study that is too large to be answered at once, so that a worker of either release computes it. */
const studyOf = (number: number) =>
  pathSpec({
    market: { inline: inlinePool },
    paths: 5_000,
    halfWidthPips: 1_000_000,
    horizonSeconds: 43_200,
    stepSeconds: 3_600,
    seed: `0x${number.toString(16).padStart(64, '0')}`,
  })
