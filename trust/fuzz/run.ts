import { type LooseRequest, send } from '@liquidity-os/client'
import { besideOperations, type Operation, operations } from '@liquidity-os/contract'
import { verifyHistory } from '../../apps/server/src/whole-history.ts'
import { hostOf, startTestChain, type TestChain } from '../../apps/server/test/support/chain.ts'
import { assertConforms } from '../../apps/server/test/support/conforming-fetch.ts'
import { mulberry32 } from '../../apps/server/test/support/seeded-random.ts'
import {
  startTestService,
  type TestMember,
  type TestService,
} from '../../apps/server/test/support/service.ts'
import { type Asker, Askers, staged as scenes } from './askers.ts'
import { type Draft, draw, drawSound, exampleOf, requestOf, type Sight } from './draft.ts'
import { type Answer, faultsOf, replayFaults } from './judge.ts'
import { pick } from './mutate.ts'

const repeats = 0.04
/** Changes that can be asked for again under their keys. */
const remembered = 200

export interface Settings {
  readonly requests: number
  readonly seed: number
  /** How many scenes are set up, each in an organization of its own. */
  readonly scenes: number
  /** Ids of operations; empty for all. */
  readonly only: readonly string[]
}

/** An answer that should not be, with the fewest changes that bring it about. */
export interface Finding {
  readonly number: number
  readonly operation: string
  readonly faults: readonly string[]
  readonly request: LooseRequest
}

export interface Report {
  readonly settings: Settings
  readonly seconds: number
  /** How often each status came, by operation. */
  readonly statuses: ReadonlyMap<string, ReadonlyMap<number, number>>
  readonly slowest: { operation: string; milliseconds: number }
  readonly replays: number
  readonly findings: readonly Finding[]
  /** Of the history after all of it; faults that came with the requests. */
  readonly history: { records: number; events: number; faults: readonly unknown[] }
}

interface Remembered {
  readonly asker: Asker
  readonly operation: Operation
  readonly request: LooseRequest
  readonly answer: Answer
}

/** Sends requests that follow from the contract and a seed, and judges what comes back. */
export async function runFuzz(settings: Settings): Promise<Report> {
  const chain = settings.scenes > 0 ? await startTestChain() : null
  const service = await startTestService({
    PUBLIC_REQUESTS_PER_MINUTE: '1000000',
    OUTBOUND_ALLOW: chain ? hostOf(chain.chain.rpcUrl) : '',
  })
  try {
    return await new Fuzz(service, chain, settings).run()
  } finally {
    await service.stop()
    await chain?.chain.stop()
  }
}

class Fuzz {
  readonly #service: TestService
  readonly #settings: Settings
  readonly #random: () => number
  /** Of the scenes; null where none is set up. */
  readonly #chain: TestChain | null
  readonly #askers: Askers
  readonly #findings: Finding[] = []
  readonly #statuses = new Map<string, Map<number, number>>()
  readonly #answered: Remembered[] = []
  #slowest = { operation: 'none', milliseconds: 0 }
  #replays = 0
  #number = 0

  constructor(service: TestService, chain: TestChain | null, settings: Settings) {
    this.#service = service
    this.#chain = chain
    this.#askers = new Askers(service)
    this.#settings = settings
    this.#random = mulberry32(settings.seed)
  }

  async run(): Promise<Report> {
    const begun = performance.now()
    const served = [...operations, ...besideOperations]
    await this.#fill(served)
    const before = await this.#history()
    const { only, requests } = this.#settings
    const all = served.filter(({ id }) => only.length === 0 || only.includes(id))
    while (this.#number < requests) {
      const operation = pick(all, this.#random)
      const asker = this.#askers.choose(operation.id, this.#random)
      await this.#step(operation, asker, this.#askers.sightOf(asker, this.#random))
      this.#service.clock.advance(Math.floor(this.#random() * 50))
    }
    const { records, events, faults } = await this.#history()
    // Some scenes write what no operation wrote; of their organizations nothing is said.
    const written = new Set(before.faults.map(({ organizationId }) => organizationId))
    const broken = faults.filter(({ organizationId }) => !written.has(organizationId))
    return {
      ...{ settings: this.#settings, seconds: (performance.now() - begun) / 1000 },
      ...{ statuses: this.#statuses, slowest: this.#slowest, replays: this.#replays },
      ...{ findings: this.#findings, history: { records, events, faults: broken } },
    }
  }

  #history() {
    const { database, artifacts } = this.#service.services
    return verifyHistory(database, null, artifacts)
  }

  /** Two organizations with what the examples make, twice over, and one for each scene. */
  async #fill(served: readonly Operation[]): Promise<void> {
    for (const asker of [await this.#askers.addPlain(), await this.#askers.addPlain()]) {
      for (const operation of [...served, ...served]) {
        const request = exampleOf(operation, this.#askers.sightOf(asker, this.#random))
        const { answer } = await ask(asker.member, operation, request)
        if (answer.status < 300) this.#askers.learn(asker, answer.text)
      }
    }
    if (!this.#chain) return
    const left = [...scenes]
    for (let count = 0; count < this.#settings.scenes && left.length > 0; count += 1) {
      const [scene = ''] = left.splice(Math.floor(this.#random() * left.length), 1)
      await this.#askers.addStaged(scene, this.#chain)
    }
  }

  async #step(operation: Operation, asker: Asker, sight: Sight): Promise<void> {
    if (this.#answered.length > 0 && this.#random() < repeats) return this.#repeat()
    const { staged } = asker
    const draft =
      staged?.operation === operation.id
        ? drawSound(operation, staged.sound, sight, this.#random)
        : await draw(operation, sight, this.#random)
    this.#number += 1
    const key = `fuzz-${this.#settings.seed}-${this.#number}`
    const { request, answer, faults } = await this.#send(draft, asker, sight, key)
    const counts = this.#statuses.get(operation.id) ?? new Map<number, number>()
    this.#statuses.set(
      operation.id,
      counts.set(answer.status, (counts.get(answer.status) ?? 0) + 1),
    )
    if (answer.milliseconds > this.#slowest.milliseconds) {
      this.#slowest = { operation: operation.id, milliseconds: answer.milliseconds }
    }
    if (faults.length > 0) await this.#note(draft, asker, sight, faults)
    if (answer.status < 300) this.#askers.learn(asker, answer.text)
    if (operation.idempotency && answer.status < 300) {
      this.#answered.push({ asker, operation, request, answer })
      if (this.#answered.length > remembered) this.#answered.shift()
    }
  }

  /** Asks a key again: what it answered before, it answers to the byte. */
  async #repeat(): Promise<void> {
    const { asker, operation, request, answer } = pick(this.#answered, this.#random)
    this.#number += 1
    this.#replays += 1
    const { answer: again, misfit } = await ask(asker.member, operation, request)
    const faults = [...misfit, ...replayFaults(operation, answer, again)]
    if (faults.length === 0) return
    this.#findings.push({ number: this.#number, operation: operation.id, faults, request })
  }

  async #send(draft: Draft, { member }: Asker, sight: Sight, key: string) {
    const request = requestOf(draft, key)
    const { answer, misfit } = await ask(member, draft.operation, request)
    return {
      request,
      answer,
      faults: [...misfit, ...faultsOf(draft.operation, request, answer, sight)],
    }
  }

  /** Leaves out one change after the other for as long as something is wrong. */
  async #note(found: Draft, asker: Asker, sight: Sight, faults: readonly string[]): Promise<void> {
    const number = this.#number
    let [draft, told] = [found, faults]
    for (let place = 0; place < draft.mutations.length; ) {
      const smaller = { ...draft, mutations: draft.mutations.toSpliced(place, 1) }
      const key = `fuzz-${this.#settings.seed}-${number}-smaller-${draft.mutations.length}-${place}`
      const again = await this.#send(smaller, asker, sight, key)
      if (again.faults.length > 0) [draft, told] = [smaller, again.faults]
      else place += 1
    }
    const request = requestOf(draft, `fuzz-${this.#settings.seed}-${number}`)
    this.#findings.push({ number, operation: found.operation.id, faults: told, request })
  }
}

/** Sends a request; what does not fit the contract is said in words. */
async function ask(
  { options }: TestMember,
  operation: Operation,
  request: LooseRequest,
): Promise<{ answer: Answer; misfit: string[] }> {
  const begun = performance.now()
  const { fetch: _, ...plain } = options
  const answer = await send(plain, operation, request)
  const kept = answer.clone()
  const misfit = await assertConforms(operation, answer).then(
    () => [],
    (error: Error) => [error.message],
  )
  const text = await kept.text()
  return {
    misfit,
    answer: {
      ...{ status: answer.status, code: codeOf(text), text },
      isReplayed: answer.headers.get('idempotency-replayed') === 'true',
      milliseconds: performance.now() - begun,
    },
  }
}

function codeOf(text: string): string {
  if (!text.startsWith('{"error"')) return ''
  return (JSON.parse(text) as { error?: { code?: string } }).error?.code ?? ''
}
