import type { LooseRequest } from '@liquidity-os/client'

/** A change that the service acknowledged, as a client keeps it. */
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

/** The answers that clients got under load. */
export interface History {
  readonly acknowledged: readonly Acknowledged[]
  /** Answers that no client should get, in words. */
  readonly surprises: readonly string[]
}

/** The answer to a key that was sent again; null if none came in time. */
export type Replay = {
  readonly status: number
  readonly text: string
  readonly isReplayed: boolean
} | null

/** The state of the service after the load. A part is null if it could not be read; then `faults` says so. */
export interface Settled {
  /** Texts of all venues. */
  readonly records: readonly string[] | null
  /** Ids of all studies. */
  readonly studies: readonly string[] | null
  /** The answers to the keys of `History.acknowledged`, in their order. */
  readonly replays: readonly Replay[]
  /** Committed events: `subject sequence`. */
  readonly events: readonly string[] | null
  /** Events that the receiver got: `subject sequence`. */
  readonly delivered: readonly string[]
  readonly jobs: readonly SettledJob[] | null
  /** Findings of `verify-history` and `verify-log`, and everything that went wrong while checking, in words. */
  readonly faults: readonly string[]
}

export interface SettledJob {
  readonly id: string
  readonly kind: string
  readonly status: string
}

/** The kind of the jobs that clients ask for. The service queues jobs of other kinds by itself. */
const kindOfStudies = 'STUDY_RUN'

interface Version {
  readonly id: string
  readonly sequence: number
}

/** A study with the job that computes it. */
interface Queued {
  readonly study: { readonly id: string }
  readonly job: { readonly id: string }
}

/**
 * Compares the acknowledged changes with the state of the service.
 *
 * @returns violations in words. None if every acknowledged change exists exactly once and nothing else does, its key returns its
 *          bytes, all hash chains verify, every event was delivered and every job completed
 */
export function violationsOf(history: History, settled: Settled): string[] {
  return [
    ...history.surprises,
    ...recordViolations(history, settled),
    ...studyViolations(history, settled),
    ...replayViolations(history, settled),
    ...eventViolations(history, settled),
    ...jobViolations(history, settled),
    ...settled.faults,
  ]
}

/** Acknowledged versions with their texts, by record. */
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

const acknowledgedStudies = ({ acknowledged }: History): Queued[] =>
  acknowledged.flatMap(({ text }) => {
    const { data } = JSON.parse(text) as { data: Partial<Queued> }
    return data.study && data.job ? [{ study: data.study, job: data.job }] : []
  })

/** Every venue equals its last acknowledged version, and has as many versions as were acknowledged. */
function recordViolations(history: History, { records }: Settled): string[] {
  if (records === null) return []
  const expected = acknowledgedVersions(history)
  const found: string[] = []
  for (const text of records) {
    const { id, sequence } = JSON.parse(text) as Version
    const expectedVersions = expected.get(id)
    expected.delete(id)
    if (!expectedVersions) {
      found.push(`${id} exists, and no client was told of it`)
      continue
    }
    const sequences = expectedVersions
      .flatMap((version) => [...version.keys()])
      .sort((a, b) => a - b)
    const isWhole = sequences.every((one, place) => one === place + 1)
    if (!isWhole || sequences.length !== sequence) {
      found.push(`${id} has ${sequence} versions; acknowledged were ${sequences.join(', ')}`)
      continue
    }
    const newest = expectedVersions
      .map((version) => version.get(sequence))
      .find((one) => one !== undefined)
    if (newest !== text) found.push(`${id} differs from version ${sequence} as acknowledged`)
  }
  return [...found, ...[...expected.keys()].map((id) => `${id} was acknowledged and is missing`)]
}

function studyViolations(history: History, { studies }: Settled): string[] {
  if (studies === null) return []
  const acknowledged = new Set(acknowledgedStudies(history).map(({ study }) => study.id))
  const existing = new Set(studies)
  return [
    ...[...acknowledged.difference(existing)].map((id) => `${id} was acknowledged and is missing`),
    ...[...existing.difference(acknowledged)].map(
      (id) => `${id} exists, and no client was told of it`,
    ),
  ]
}

function replayViolations({ acknowledged }: History, { replays }: Settled): string[] {
  return acknowledged.flatMap(({ request, status, text }, place) => {
    const key = `the key ${request.idempotencyKey}`
    const again = replays[place]
    if (again === undefined) return [`${key} was not sent again`]
    if (again === null) return [`${key} got no answer when it was sent again`]
    if (!again.isReplayed)
      return [`${key} was forgotten, and its request processed again: ${again.status}`]
    const isSame = again.status === status && again.text === text
    return isSame ? [] : [`${key} returns other bytes than at first`]
  })
}

function eventViolations(history: History, { events, delivered }: Settled): string[] {
  if (events === null) return []
  const deliveredIds = new Set(delivered)
  const committed = new Set(events)
  const versions = new Set(
    [...acknowledgedVersions(history)].flatMap(([id, known]) =>
      known.flatMap((version) => [...version.keys()].map((sequence) => `${id} ${sequence}`)),
    ),
  )
  // A study has one event for each step of its job, and a repeated job repeats steps.
  const studies = new Set(acknowledgedStudies(history).map(({ study }) => study.id))
  const isExpected = (event: string) =>
    versions.has(event) || studies.has(event.slice(0, event.indexOf(' ')))
  return [
    ...(committed.size < events.length ? ['the feed lists an event twice'] : []),
    ...[...versions].filter((one) => !committed.has(one)).map((one) => `${one} has no event`),
    ...[...committed]
      .filter((one) => !isExpected(one))
      .map((one) => `event ${one} belongs to no acknowledged change`),
    ...events
      .filter((one) => !deliveredIds.has(one))
      .map((one) => `event ${one} was never delivered`),
    ...[...deliveredIds]
      .filter((one) => !committed.has(one))
      .map((one) => `${one} was delivered, and no such event exists`),
  ]
}

function jobViolations(history: History, { jobs }: Settled): string[] {
  if (jobs === null) return []
  const acknowledged = new Set(acknowledgedStudies(history).map(({ job }) => job.id))
  const existing = new Set(jobs.filter(({ kind }) => kind === kindOfStudies).map(({ id }) => id))
  return [
    ...[...acknowledged.difference(existing)].map((id) => `job ${id} was acknowledged and is lost`),
    ...[...existing.difference(acknowledged)].map(
      (id) => `job ${id} exists, and no client was told of it`,
    ),
    ...jobs
      .filter(({ status }) => status !== 'COMPLETED')
      .map(({ id, status }) => `job ${id} is ${status}`),
  ]
}
