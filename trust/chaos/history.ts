import type { LooseRequest } from '@liquidity-os/client'

/** What the service said was done, as a client keeps it. */
export interface Acknowledged {
  readonly operation: string
  readonly request: LooseRequest & { readonly idempotencyKey: string }
  readonly status: number
  /** The body, byte for byte. */
  readonly text: string
  /** From the first attempt to the answer. */
  readonly milliseconds: number
  readonly attempts: number
}

/** What clients saw while things broke. */
export interface History {
  readonly acknowledged: readonly Acknowledged[]
  /** Answers that no client should have got, in words. */
  readonly surprises: readonly string[]
}

/** What is there when everything has settled. */
export interface Settled {
  /** Texts of all records of the kinds that were changed. */
  readonly records: readonly string[]
  /** What the keys of `History.acknowledged` answer now, in their order. */
  readonly replays: readonly { status: number; text: string; isReplayed: boolean }[]
  /** Committed events, and those that the receiver was told: `subject sequence`. */
  readonly events: readonly string[]
  readonly delivered: readonly string[]
  readonly jobs: readonly { id: string; status: string }[]
  /** What `verify-history` and `verify-log` found, in words. */
  readonly faults: readonly string[]
}

interface Version {
  readonly id: string
  readonly sequence: number
}

/**
 * Holds what clients were told against what is there.
 *
 * @returns violations in words; none where every acknowledged change is there once, its key gives its bytes, hash chains verify,
 *          every event was delivered and every job ended well
 */
export function violationsOf(history: History, settled: Settled): string[] {
  return [
    ...history.surprises,
    ...recordViolations(history, settled),
    ...replayViolations(history, settled),
    ...deliveryViolations(history, settled),
    ...jobViolations(history, settled),
    ...settled.faults,
  ]
}

/** Versions that were acknowledged, by record, each with the text it was acknowledged in. */
function acknowledgedVersions({ acknowledged }: History): Map<string, Map<number, string>[]> {
  const versions = new Map<string, Map<number, string>[]>()
  for (const { text } of acknowledged) {
    const { data } = JSON.parse(text) as { data: Version }
    if (data.sequence === undefined) continue
    const known = versions.get(data.id) ?? []
    known.push(new Map([[data.sequence, JSON.stringify(data)]]))
    versions.set(data.id, known)
  }
  return versions
}

/** Every record is what its last acknowledged change made of it, and had as many changes as were acknowledged. */
function recordViolations(history: History, { records }: Settled): string[] {
  const expected = acknowledgedVersions(history)
  const found: string[] = []
  for (const text of records) {
    const { id, sequence } = JSON.parse(text) as Version
    const told = expected.get(id)
    expected.delete(id)
    if (!told) {
      found.push(`${id} is there, and nobody was told of it`)
      continue
    }
    const sequences = told.flatMap((version) => [...version.keys()]).sort((a, b) => a - b)
    const isWhole = sequences.every((one, place) => one === place + 1)
    if (!isWhole || sequences.length !== sequence) {
      found.push(`${id} has ${sequence} versions; acknowledged were ${sequences.join(', ')}`)
      continue
    }
    const newest = told.map((version) => version.get(sequence)).find((one) => one !== undefined)
    if (newest !== text) found.push(`${id} is not as version ${sequence} was acknowledged`)
  }
  return [...found, ...[...expected.keys()].map((id) => `${id} was acknowledged and is not there`)]
}

function replayViolations({ acknowledged }: History, { replays }: Settled): string[] {
  return acknowledged.flatMap(({ request, status, text }, place) => {
    const again = replays[place]
    if (!again) return [`${request.idempotencyKey} was not asked again`]
    if (!again.isReplayed) return [`${request.idempotencyKey} was carried out again`]
    const isSame = again.status === status && again.text === text
    return isSame ? [] : [`${request.idempotencyKey} gives other bytes than at first`]
  })
}

function deliveryViolations(history: History, { events, delivered }: Settled): string[] {
  const told = new Set(delivered)
  const committed = new Set(events)
  const versions = [...acknowledgedVersions(history)].flatMap(([id, known]) =>
    known.flatMap((version) => [...version.keys()].map((sequence) => `${id} ${sequence}`)),
  )
  return [
    ...(committed.size < events.length ? ['an event is told twice by the feed'] : []),
    ...versions.filter((one) => !committed.has(one)).map((one) => `${one} has no event`),
    ...events.filter((one) => !told.has(one)).map((one) => `event ${one} was never delivered`),
    ...[...told]
      .filter((one) => !committed.has(one))
      .map((one) => `${one} was told, and is no event`),
  ]
}

function jobViolations({ acknowledged }: History, { jobs }: Settled): string[] {
  const asked = acknowledged.flatMap(({ text }) => {
    const { data } = JSON.parse(text) as { data: { job?: { id: string } } }
    return data.job ? [data.job.id] : []
  })
  const statuses = new Map(jobs.map(({ id, status }) => [id, status]))
  return [
    ...asked
      .filter((id) => !statuses.has(id))
      .map((id) => `job ${id} was acknowledged and is lost`),
    ...jobs
      .filter(({ status }) => status !== 'COMPLETED')
      .map(({ id, status }) => `job ${id} is ${status}`),
  ]
}
